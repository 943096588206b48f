// RC4 (RFC 6229 has its vectors). RFC 7465 forbids it in TLS.
//
// The permutation S is in t0, the same in all lanes that are looked up: S[i] through lane 15, where the counter counts
// i, and S[j] and S[t] through lane 12, the first byte of a word, so that sums are modulo 256.

        .include "memory.inc"

        .section text

        .alias  in, ar0                 // next byte of P
        .alias  i_row, ar1              // row of S[i]
        .alias  j_row, ar2              // row of S[j]
        .alias  out, ar3                // next byte of C
        .alias  key_byte, ar4
        .alias  bytes, ar6

        .alias  s_i, v0                         // S[i] in lanes 12 and 15, other lanes zero
        .alias  j, v1                           // j in lane 12
        .alias  row, v2
        .alias  s_j, v3
        .alias  t, v4                           // S[i] + S[j] in lane 12
        .alias  pick_i, v5                      // control vectors: a byte of a look-up to its lanes
        .alias  pick_j, v6
        .alias  pick, v7

// j += S[i], and `j_row` = the row of S[j] in t0. Lane 15 of j takes sums too, of which a job carries less than 2^20:
// the upper half of lane 13 stays zero, and so do the bits of `j_row` below the row.
        .macro  next_j
        tblp    s_i, ctr++, pick_i
        add32   j, j, s_i
        rotx    row, j, zero, 124
        vtoar   j_row, row, 6
        .endm

// Swaps S[i] and S[j]; `i_row` is the row of S[i]. The next look-up waits until t0 is written.
        .macro  exchange
        tblp    {s_j, t0[i_row+=s%]}, j, pick_j
        mov     t0[j_row], s_i
        .endm

        .macro  indices
        arwin   i_row, 0, 256 * 16
        arstep  i_row, 16
        mov     pick_i, m0[rc4_pick_i]
        mov     pick_j, m0[rc4_pick_j]
        .endm

// rc4_start_{bits}_var: S from the key; begins a message.
//
// Inputs:   rc4_key
// Outputs:  t0, rc4_j, rc4_row
// Clobbers: v0-v7, ctr, ar1, ar2, ar4
// Time:     cycles are constant; the rows of t0 that it writes depend on the key
// Cycles:   3099
        .macro  start bits
        .global rc4_start_\bits\()_var
rc4_start_\bits\()_var:
        arwin   key_byte, rc4_key, rc4_key + \bits / 8
        jmp     .L_start
        .endm

        start   40
        start   56
        start   64
        start   80
        start   128
        start   192
        start   256

.L_start:
        ctrw    32
        mov     ctr, zero
        indices
        mov     pick, m0[rc4_pick_key]
        arset   i_row, 0
        arset   key_byte, rc4_key
        arstep  key_byte, 1
        repeat  256, .L_identity
        bcast   t0[i_row+=s%], ctr++, 15
.L_identity:
        mov     ctr, zero
        perm    j, m1[key_byte+=s%], pick
        repeat  256, .L_mixed
        next_j
        perm    t, m1[key_byte+=s%], pick
        exchange
        add32   j, j, t                         // the key byte of the next i
.L_mixed:
        mov     m1[rc4_j], zero
        mov     m1[rc4_row], m0[rc4_first]
        halt

// rc4_var: C = P ^ keystream, n bytes, either direction. The last look-up of a byte is interleaved with those of the
// next one.
//
// Inputs:   rc4_length, t0, rc4_j, rc4_row; P in m2 from row 0
// Outputs:  C in m3 from row 0, and 15 bytes after it; t0, rc4_j, rc4_row
// Clobbers: v0-v7, ctr, ar0-ar3, ar6
// Time:     cycles depend on n only; the rows of t0 that it writes depend on the key
// Cycles:   11n + 27, from 1
        .global rc4_var
rc4_var:
        vtoar   bytes, m1[rc4_length], 7
        vtoar   i_row, m1[rc4_row], 7
        indices
        bz      bytes, .L_done
        ctrw    32
        rotx    ctr, m1[rc4_row], zero, 124     // i of row 16 i
        mov     pick, m0[rc4_pick]
        mov     j, m1[rc4_j]
        arset   in, 0
        arset   out, 0
        arstep  in, 1
        arstep  out, 1
        aradd   bytes, bytes, -1
        next_j
        exchange
        add32   t, s_i, s_j
        repeat  bytes, .L_last
        next_j
        tblp    m3[out+=s], t, pick, m2[in+=s]  // one byte of C; the next stores overwrite the rest
        exchange
        add32   t, s_i, s_j
.L_last:
        tblp    m3[out], t, pick, m2[in]
        and     m1[rc4_j], j, m0[rc4_lane_12]
        artov   m1[rc4_row], i_row
.L_done:
        halt
