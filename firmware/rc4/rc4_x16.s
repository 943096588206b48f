// RC4, sixteen streams with sixteen keys: lane i of t0 is the permutation S of stream i.
//
// Calling convention: firmware/README.md.

        .section m0
rc4_x16_rows:                                   // k in all lanes
        .rept   16
        .fill   16, \+
        .endr
rc4_x16_straight:                               // control vector that moves nothing
        .row    "00010203 04050607 08090a0b 0c0d0e0f"

rc4_x16_ones = rc4_x16_rows + 16

        .section m1
        .global rc4_x16_key, rc4_x16_length
rc4_x16_key:                                    // parameter: sixteen keys
        .zero   16 * 16
rc4_x16_length:                                 // parameter: firmware/README.md
        .zero   16
rc4_x16_bytes:                                  // the bytes of all keys, the first ones first
        .zero   16 * 16
rc4_x16_i:                                      // between jobs: the next i and j of each stream
        .zero   16
rc4_x16_j:
        .zero   16

        .section text

        .alias  in, ar0
        .alias  out, ar3
        .alias  bytes, ar6              // bytes of each stream

        .alias  i, v0
        .alias  j, v1
        .alias  s_i, v2
        .alias  s_j, v3
        .alias  t, v4
        .alias  one, v5
        .alias  straight, v6

// Swaps S[i] and S[j]; s_i and s_j are their old values.
        .macro  exchange
        tbl0    s_j, j
        tbls    j, zero, s_i
        tbls    i, zero, s_j
        .endm

// rc4_x16_start_var: sixteen permutations; begins messages. Byte k of key l first goes to lane k + l of row k of t0, so
// the keys are transposed by one rotation before and one after.
//
// Inputs:   rc4_x16_key
// Outputs:  t0, rc4_x16_i, rc4_x16_j
// Clobbers: v0-v3, v5, v6, ar0, ar1
// Memory:   rc4_x16_bytes
// Time:     cycles are constant; the rows of t0 that it writes depend on the keys
// Cycles:   2917

        .alias  key_row, v0
        .alias  lanes, v1
        .alias  entry, ar0
        .alias  next_bytes, ar1

        .global rc4_x16_start_var
rc4_x16_start_var:
        mov     straight, m0[rc4_x16_straight]
        mov     one, m0[rc4_x16_ones]
        .rept   16
        rotx    key_row, m1[rc4_x16_key + 16 * \+], zero, (16 - \+) % 16 * 8
        rotx    lanes, straight, zero, (16 - \+) % 16 * 8
        tbls    lanes, zero, key_row
        .endr
        .rept   16
        tbl0    key_row, m0[rc4_x16_rows + 16 * \+]
        rotx    m1[rc4_x16_bytes + 16 * \+], key_row, zero, 8 * \+
        .endr
        arset   entry, 0
        mov     i, zero
        repeat  256, .L_identity
        mov     t0[entry++], i
        add8    i, i, one
.L_identity:
        mov     j, zero
        arset   next_bytes, rc4_x16_bytes
        arwin   next_bytes, rc4_x16_bytes, rc4_x16_bytes + 16 * 16
        arstep  next_bytes, 16
        repeat  256, .L_mixed
        tbl0    s_i, i
        add8    j, j, s_i
        add8    j, j, m1[next_bytes+=s%]
        exchange
        add8    i, i, one
.L_mixed:
        mov     m1[rc4_x16_i], one
        mov     m1[rc4_x16_j], zero
        halt

// rc4_x16_var: C = P ^ keystream, either direction; n bytes, one of each stream in rotation.
//
// Inputs:   rc4_x16_length, t0, rc4_x16_i, rc4_x16_j; P in m2 from row 0
// Outputs:  C in m3 from row 0; t0, rc4_x16_i, rc4_x16_j
// Clobbers: v0-v6, ar0, ar3, ar6
// Time:     cycles depend on n only; the rows of t0 that it writes depend on the keys
// Cycles:   9n/16 + 18, n a multiple of 16
        .global rc4_x16_var
rc4_x16_var:
        vtoar   bytes, m1[rc4_x16_length], 4
        mov     i, m1[rc4_x16_i]
        mov     j, m1[rc4_x16_j]
        mov     straight, m0[rc4_x16_straight]
        mov     one, m0[rc4_x16_ones]
        arset   in, 0
        arset   out, 0
        repeat  bytes, .L_byte
        tbl0    s_i, i
        add8    j, j, s_i
        exchange
        add8    t, s_i, s_j
        add8    i, i, one
        tblp    m3[out++], t, straight, m2[in++]
.L_byte:
        mov     m1[rc4_x16_i], i
        mov     m1[rc4_x16_j], j
        halt
