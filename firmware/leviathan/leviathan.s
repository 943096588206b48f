// Leviathan (McGrew and Fluhrer; NESSIE submission, 2000): leaves of the first tree, those of four subtrees at a time.
//
// Calling convention: firmware/README.md.
//
// t1 has T with its words turned to the left by 8 bits, t0 by 24, the same in all four words of a row. So the steps of
// the maps are, for a word w, whose last byte is b and the one before it c,
//   (w ^ T[b]) <<< 8 = (w <<< 8) ^ t1[b]
//   ((w >>> 8) ^ T[c]) >>> 8 = (w <<< 16) ^ t0[c]
//   w ^ T[b] = w ^ (t1[b] <<< 24)
// The map to the left does the first step twice to x and the other two to y, the map to the right the other two to the
// complement of x and the first step twice to y.

        .include "memory.inc"

// The rows of constants.
last    = 0                                     // control vectors: the last byte of a word in all of it
second  = 16                                    // the one before it
one     = 32
ones    = 48

y       = 16 * 64                               // from x of a level to y

        .section text

// ---------------------------------------------------------------------------------------- transposition

// The words of one place of v0 to v3 to one row each: v0 ^ v4, (v4 <<< 32) ^ v1, v2 ^ v5, (v5 <<< 32) ^ v3.
        .macro  masks
        mov     v6, m0[leviathan_half]
        mov     v7, m0[leviathan_every_other]
        .endm
        .macro  words_of_four
        rotx    v4, v2, v0, 64
        rotx    v5, v3, v1, 64
        and     v4, v4, v6
        and     v5, v5, v6
        xor     v0, v0, v4
        xor     v1, v1, v5
        rotx    v2, v4, v2, 64
        rotx    v3, v5, v3, 64
        rotx    v4, v1, v0, 96
        rotx    v5, v3, v2, 96
        and     v4, v4, v7
        and     v5, v5, v7
        .endm
        .macro  consecutive
        mov     v0, m1[ar0++]
        mov     v1, m1[ar0++]
        mov     v2, m1[ar0++]
        mov     v3, m1[ar0++]
        words_of_four
        .endm

// 16 times four rows from m1[ar0++] on, nodes of four subtrees, to four rows 16 rows apart from ar1 on, whose nodes are
// consecutive.
        .macro  consecutive_roots d, to
        arset   ar1, \to
        arset   ar2, \to + 16 * 16
        arset   ar3, \to + 16 * 32
        arset   ar4, \to + 16 * 48
        masks
        repeat  16, .L_roots\@
        consecutive
        xor     \d[ar1++], v0, v4
        rotx    \d[ar2++], v4, v1, 32
        xor     \d[ar3++], v2, v5
        rotx    \d[ar4++], v5, v3, 32
.L_roots\@:
        .endm

// ---------------------------------------------------------------------------------------- levels of a tree

// Children of the node \s[ar0++], \s[ar2++]; wk = z, then that of the next node. x to the left is in v0 and v4, y in
// v1 and v5, x to the right in v2 and v6, y in v3 and v7, which need their last step yet.
        .macro  children s, constants
        add32   v0, wk, \s[ar0++]               // D
        add32   v1, v0, \s[ar2++]
        add32   v0, v0, v1
        add32   wk, wk, \s[\constants + one]
        perm    v5, v1, \s[\constants + second]
        perm    v7, v1, \s[\constants + last]
        perm    v4, v0, \s[\constants + last]
        xor     v2, v0, \s[\constants + ones]
        tbl0    v5, v5
        tbl1    v7, v7
        tbl1    v4, v4
        perm    v6, v2, \s[\constants + second]
        rotx32  v3, v1, v7, 8
        rotx32  v1, v1, v5, 16
        tbl0    v6, v6
        rotx32  v0, v0, v4, 8
        perm    v7, v3, \s[\constants + last]
        perm    v5, v1, \s[\constants + last]
        rotx32  v2, v2, v6, 16
        perm    v4, v0, \s[\constants + last]
        tbl1    v7, v7
        tbl1    v5, v5
        perm    v6, v2, \s[\constants + last]
        tbl1    v4, v4
        tbl1    v6, v6
        .endm

// The level of the ar5 nodes at \from, to \to.
        .macro  next_level s, constants, d, to
        arset   ar3, \to
        arset   ar4, \to + y
        mov     v0, m0[leviathan_z_level]
        mov     wk, v0
        add32   m0[leviathan_z_level], v0, v0
        repeat  ar5, .L_level\@
        children \s, \constants
        rotx32  \d[ar4++], v5, v1, 24
        rotx32  \d[ar4++], v3, v7, 8
        rotx32  \d[ar3++], v0, v4, 8
        rotx32  \d[ar3++], v6, v2, 24
.L_level\@:
        ret
        .endm

leviathan_odd_level:
        arset   ar0, leviathan_even
        arset   ar2, leviathan_even + y
leviathan_odd_half:
        next_level m1, leviathan_constants1, m0, leviathan_odd
leviathan_even_level:
        arset   ar0, leviathan_odd
        arset   ar2, leviathan_odd + y
        next_level m0, leviathan_constants0, m1, leviathan_even

// From one node in m1 to 64 there.
leviathan_six_levels:
        arset   ar5, 1
        call    leviathan_odd_level
        arset   ar5, 2
        call    leviathan_even_level
        arset   ar5, 4
        call    leviathan_odd_level
        arset   ar5, 8
        call    leviathan_even_level
        arset   ar5, 16
        call    leviathan_odd_level
        arset   ar5, 32
        jmp     leviathan_even_level

// ---------------------------------------------------------------------------------------- key schedule

// leviathan_start_{bits}_var: T of the key, 256 nodes of the first tree; a message begins.
//
// Inputs:   leviathan_key
// Outputs:  t0, t1, leviathan_roots_x, leviathan_roots_y, leviathan_z
// Clobbers: v0-v7, wk, ar0-ar5
// Memory:   leviathan_even, leviathan_odd, leviathan_z_level
// Time:     cycles are constant; the rows of t0 that it writes depend on the key
// Cycles:   45344
        .macro  start bits
        .global leviathan_start_\bits\()_var
leviathan_start_\bits\()_var:
        arwin   ar4, leviathan_key, leviathan_key + \bits / 8
        jmp     .L_start
        .endm

        start   40
        start   48
        start   56
        start   64
        start   72
        start   80
        start   128
        start   160
        start   192
        start   256
        start   1024
        start   2048

.L_start:
        arwin   ar1, 0, 256 * 16
        arstep  ar1, 16
        arstep  ar4, 1
        arset   ar1, 0
        repeat  256, .L_cleared
        mov     t0[ar1+=s%], zero
.L_cleared:
        mov     v0, zero                        // i in all bytes
        mov     v7, zero                        // the round, in all bytes
        repeat  4, .L_round
        mov     v3, v7                          // j in all bytes
        repeat  256, .L_shifted
        tbl0    v2, v0
        and     v1, v0, m0[leviathan_low]
        add8    v0, v0, m0[leviathan_bytes]
        shlx32  t0[ar1+=s%], v2, v1, 8
.L_shifted:
        repeat  2, .L_pass
        arset   ar4, leviathan_key
        repeat  256, .L_mixed
        tbl0    v2, v0
        bcast   v4, m0[ar4+=s%], 0
        add8    v3, v3, v4
        bcast   v5, v2, 15
        add8    v3, v3, v5
        add8    v0, v0, m0[leviathan_bytes]
        and     v6, v3, m0[leviathan_row]
        rotx    v6, v6, zero, 4
        tbl0    t0[ar1+=s%], v3
        vtoar   ar2, v6, 7
        mov     t0[ar2], v2
.L_mixed:
        nop
.L_pass:
        add8    v7, v7, m0[leviathan_bytes]
.L_round:
        repeat  256, .L_tables
        tbl0    v2, v0
        and     v1, v0, m0[leviathan_low]
        add8    v0, v0, m0[leviathan_bytes]
        xor     v2, v2, v1
        rotx32  t1[ar1], v2, zero, 8
        rotx32  t0[ar1+=s%], v2, zero, 24
.L_tables:
        mov     m1[leviathan_even], zero        // the root: (0, 0, 1), four times
        mov     m1[leviathan_even + y], zero
        mov     v0, m1[leviathan_constants1 + one]
        mov     m0[leviathan_z_level], v0
        arset   ar5, 1
        call    leviathan_odd_level
        arset   ar5, 2
        call    leviathan_even_level
        arset   ar0, leviathan_even             // its four nodes to one row
        masks
        consecutive
        xor     m1[leviathan_even], v0, v4
        arset   ar0, leviathan_even + y
        consecutive
        xor     m1[leviathan_even + y], v0, v4
        mov     v0, m0[leviathan_z_depth2]
        mov     m0[leviathan_z_level], v0
        call    leviathan_six_levels
        arset   ar0, leviathan_even
        consecutive_roots m0, leviathan_roots_x
        consecutive_roots m1, leviathan_roots_y
        mov     v0, m0[leviathan_z_depth8]
        mov     m0[leviathan_z], v0
        halt

// ---------------------------------------------------------------------------------------- job

// Half of the leaves: 32 nodes of level 6, 64 of level 7, and the leaves k of all four subtrees to row k / 4 of quarter
// k modulo 4 of m3.
        .macro  half number
        arset   ar0, leviathan_even + 16 * 32 * \number
        arset   ar2, leviathan_even + y + 16 * 32 * \number
        arset   ar5, 32
        call    leviathan_odd_half
        arset   ar0, leviathan_odd
        arset   ar2, leviathan_odd + y
        arset   ar3, 16 * 32 * \number
        arset   ar4, 16 * (64 + 32 * \number)
        arset   ar5, 16 * (128 + 32 * \number)
        arset   ar6, 16 * (192 + 32 * \number)
        call    leviathan_leaves
        .endm
        .macro  leaves left, right
        children m0, leviathan_constants0
        rotx32  v1, v5, v1, 24
        rotx32  v2, v6, v2, 24
        xor     v1, v1, v4
        xor     v2, v2, v7
        rotx32  m3[\left++], v0, v1, 8
        rotx32  m3[\right++], v3, v2, 8
        .endm
leviathan_leaves:
        mov     v0, m0[leviathan_z_level]
        mov     wk, v0
        repeat  32, .L_leaves
        leaves  ar3, ar4
        leaves  ar5, ar6
.L_leaves:
        shrx32  m0[leviathan_z_level], wk, zero, 1 // of the next half of level 6
        ret

// leviathan: C = P ^ keystream, 1024 words or fewer, which take the same time.
//
// Inputs:   t0, t1, leviathan_roots_x, leviathan_roots_y, leviathan_z; P in m2 from row 0
// Outputs:  C in m3 from row 0; leviathan_z
// Clobbers: v0-v7, wk, ar0, ar2-ar6
// Memory:   leviathan_even, leviathan_odd, leviathan_z_level
// Time:     constant
// Cycles:   9558
        .global leviathan
leviathan:
        mov     v0, m0[leviathan_z]
        mov     v1, m0[leviathan_four]
        shlx32  v2, v0, zero, 2                 // 16 bytes for each four nodes
        vtoar   ar0, v2, 1
        mov     m0[leviathan_z_level], v0
        add32   m0[leviathan_z], v0, v1
        aradd   ar2, ar0, leviathan_roots_y - 1024
        aradd   ar0, ar0, leviathan_roots_x - 1024
        mov     v1, m1[ar2]
        mov     m1[leviathan_even], m0[ar0]
        mov     m1[leviathan_even + y], v1
        call    leviathan_six_levels
        half    0
        half    1
        arset   ar3, 0
        arset   ar4, 16 * 64
        arset   ar5, 16 * 128
        arset   ar6, 16 * 192
        masks
        repeat  64, .L_text
        mov     v0, m3[ar3]
        mov     v1, m3[ar4]
        mov     v2, m3[ar5]
        mov     v3, m3[ar6]
        words_of_four
        xor     v1, v1, m2[ar4]
        xor     v3, v3, m2[ar6]
        xor3    m3[ar3++], v0, m2[ar3], v4
        xor3    m3[ar5++], v2, m2[ar5], v5
        rotx    m3[ar4++], v4, v1, 32
        rotx    m3[ar6++], v5, v3, 32
.L_text:
        halt
