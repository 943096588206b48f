// RC4 (RFC 6229 has its vectors). RFC 7465 forbids it in TLS.
//
// The permutation S is in t0, the same in all lanes that are looked up: S[i] through lane 15, where the counter counts
// i, and S[j] and S[t] through lane 12. That is the first byte of a word, so that sums are modulo 256 by themselves.

        .include "memory.inc"

        .section text
        .alias  s_i, v0                         // S[i] in lanes 12 and 15, other lanes zero
        .alias  j, v1                           // j in lane 12
        .alias  row, v2
        .alias  s_j, v3
        .alias  t, v4                           // S[i] + S[j] in lane 12
        .alias  pick_i, v5                      // control vectors: a byte of a look-up to its lanes
        .alias  pick_j, v6
        .alias  pick, v7

// j += S[i], and ar2 = the row of S[j] in t0. Lane 15 of j takes sums too, of which a job carries less than 2^20: the
// upper half of lane 13 stays zero, and so do the bits of ar2 below the row.
        .macro  next_j
        tblp    s_i, ctr++, pick_i
        add32   j, j, s_i
        rotx    row, j, zero, 124
        vtoar   ar2, row, 6
        .endm

// S[i] and S[j] are exchanged; ar1 is the row of S[i]. The next look-up waits until t0 is written.
        .macro  exchange
        tblp    {s_j, t0[ar1+=s%]}, j, pick_j
        mov     t0[ar2], s_i
        .endm

        .macro  indices
        arwin   ar1, 0, 256 * 16
        arstep  ar1, 16
        mov     pick_i, m0[rc4_pick_i]
        mov     pick_j, m0[rc4_pick_j]
        .endm

// rc4_start_{bits}_var: S of the key; a message begins.
//
// Inputs:   rc4_key
// Outputs:  t0, rc4_j, rc4_row
// Clobbers: v0-v7, ctr, ar1, ar2, ar4
// Time:     cycles are constant; the rows of t0 that it writes depend on the key
// Cycles:   3099
        .macro  start bits
        .global rc4_start_\bits\()_var
rc4_start_\bits\()_var:
        arwin   ar4, rc4_key, rc4_key + \bits / 8
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
        arset   ar1, 0
        arset   ar4, rc4_key
        arstep  ar4, 1
        repeat  256, .L_identity
        bcast   t0[ar1+=s%], ctr++, 15
.L_identity:
        mov     ctr, zero
        perm    j, m1[ar4+=s%], pick
        repeat  256, .L_mixed
        next_j
        perm    t, m1[ar4+=s%], pick
        exchange
        add32   j, j, t                         // the key byte of the next i
.L_mixed:
        mov     m1[rc4_j], zero
        mov     m1[rc4_row], m0[rc4_first]
        halt

// rc4_var: C = P ^ keystream, n bytes, either direction. The last look-up of a byte is done among those of the next one.
//
// Inputs:   rc4_length, t0, rc4_j, rc4_row; P in m2 from row 0
// Outputs:  C in m3 from row 0, and 15 bytes after it; t0, rc4_j, rc4_row
// Clobbers: v0-v7, ctr, ar0-ar3, ar6
// Time:     cycles depend on n only; the rows of t0 that it writes depend on the key
// Cycles:   11n + 27, from 1
        .global rc4_var
rc4_var:
        vtoar   ar6, m1[rc4_length], 7
        vtoar   ar1, m1[rc4_row], 7
        indices
        bz      ar6, .L_done
        ctrw    32
        rotx    ctr, m1[rc4_row], zero, 124     // i of row 16 i
        mov     pick, m0[rc4_pick]
        mov     j, m1[rc4_j]
        arset   ar0, 0
        arset   ar3, 0
        arstep  ar0, 1
        arstep  ar3, 1
        aradd   ar6, ar6, -1
        next_j
        exchange
        add32   t, s_i, s_j
        repeat  ar6, .L_last
        next_j
        tblp    m3[ar3+=s], t, pick, m2[ar0+=s] // one byte of C; those after it are written again
        exchange
        add32   t, s_i, s_j
.L_last:
        tblp    m3[ar3], t, pick, m2[ar0]
        and     m1[rc4_j], j, m0[rc4_lane_12]
        artov   m1[rc4_row], ar1
.L_done:
        halt
