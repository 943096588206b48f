// Leviathan (McGrew and Fluhrer; NESSIE submission, 2000): leaves of the first tree, four subtrees at a time.
//
// Calling convention: firmware/README.md.
//
// t1 has the words of T rotated left by 8 bits and t0 by 24, the same in all four words of a row. So the steps of the
// maps are, for a word w with last byte b and c the byte before it,

        .include "memory.inc"

// The rows of constants.
last    = 0                                     // control vectors: the last byte of a word in all of it
second  = 16                                    // the one before it
one     = 32
ones    = 48

y       = 16 * 64                               // from x of a level to y

        .section text

        .alias  q0, v0                  // nodes of four subtrees
        .alias  q1, v1
        .alias  q2, v2
        .alias  q3, v3
        .alias  swap0, v4
        .alias  swap1, v5
        .alias  halves, v6              // ones in the last half, in every other word
        .alias  odd_words, v7
        .alias  node_x, ar0             // next node
        .alias  node_y, ar2
        .alias  nodes, ar5

// ---------------------------------------------------------------------------------------- transposition

// The words of one place of q0 to q3 to one row each: q0 ^ swap0, (swap0 <<< 32) ^ q1, q2 ^ swap1, (swap1 <<< 32) ^ q3.
        .macro  masks
        mov     halves, m0[leviathan_half]
        mov     odd_words, m0[leviathan_every_other]
        .endm
        .macro  words_of_four
        rotx    swap0, q2, q0, 64
        rotx    swap1, q3, q1, 64
        and     swap0, swap0, halves
        and     swap1, swap1, halves
        xor     q0, q0, swap0
        xor     q1, q1, swap1
        rotx    q2, swap0, q2, 64
        rotx    q3, swap1, q3, 64
        rotx    swap0, q1, q0, 96
        rotx    swap1, q3, q2, 96
        and     swap0, swap0, odd_words
        and     swap1, swap1, odd_words
        .endm
        .macro  consecutive
        mov     q0, m1[node_x++]
        mov     q1, m1[node_x++]
        mov     q2, m1[node_x++]
        mov     q3, m1[node_x++]
        words_of_four
        .endm

        .alias  root0, ar1              // rows 16 rows apart
        .alias  root1, ar2
        .alias  root2, ar3
        .alias  root3, ar4

// 16 times four rows from m1[`node_x`++] on, nodes of four subtrees, to four rows 16 rows apart from root0 on, whose
// nodes are consecutive.
        .macro  consecutive_roots d, to
        arset   root0, \to
        arset   root1, \to + 16 * 16
        arset   root2, \to + 16 * 32
        arset   root3, \to + 16 * 48
        masks
        repeat  16, .L_roots\@
        consecutive
        xor     \d[root0++], q0, swap0
        rotx    \d[root1++], swap0, q1, 32
        xor     \d[root2++], q2, swap1
        rotx    \d[root3++], swap1, q3, 32
.L_roots\@:
        .endm

// ---------------------------------------------------------------------------------------- levels of a tree

        .alias  left_x, v0              // children of a node
        .alias  left_y, v1
        .alias  right_x, v2
        .alias  right_y, v3
        .alias  step_lx, v4             // their last steps
        .alias  step_ly, v5
        .alias  step_rx, v6
        .alias  step_ry, v7
        .alias  out_x, ar3
        .alias  out_y, ar4

// Children of the node \s[`node_x`++], \s[`node_y`++]; wk = z, then that of the next node. x to the left is in `left_x`
// and `step_lx`, y in `left_y` and `step_ly`, x to the right in `right_x` and `step_rx`, y in `right_y` and `step_ry`,
// whose last step is pending.
        .macro  children s, constants
        add32   left_x, wk, \s[node_x++]        // D
        add32   left_y, left_x, \s[node_y++]
        add32   left_x, left_x, left_y
        add32   wk, wk, \s[\constants + one]
        perm    step_ly, left_y, \s[\constants + second]
        perm    step_ry, left_y, \s[\constants + last]
        perm    step_lx, left_x, \s[\constants + last]
        xor     right_x, left_x, \s[\constants + ones]
        tbl0    step_ly, step_ly
        tbl1    step_ry, step_ry
        tbl1    step_lx, step_lx
        perm    step_rx, right_x, \s[\constants + second]
        rotx32  right_y, left_y, step_ry, 8
        rotx32  left_y, left_y, step_ly, 16
        tbl0    step_rx, step_rx
        rotx32  left_x, left_x, step_lx, 8
        perm    step_ry, right_y, \s[\constants + last]
        perm    step_ly, left_y, \s[\constants + last]
        rotx32  right_x, right_x, step_rx, 16
        perm    step_lx, left_x, \s[\constants + last]
        tbl1    step_ry, step_ry
        tbl1    step_ly, step_ly
        perm    step_rx, right_x, \s[\constants + last]
        tbl1    step_lx, step_lx
        tbl1    step_rx, step_rx
        .endm

        .alias  level_z, v0

// The level of the `nodes` nodes at \from, to \to.
        .macro  next_level s, constants, d, to
        arset   out_x, \to
        arset   out_y, \to + y
        mov     level_z, m0[leviathan_z_level]
        mov     wk, level_z
        add32   m0[leviathan_z_level], level_z, level_z
        repeat  nodes, .L_level\@
        children \s, \constants
        rotx32  \d[out_y++], step_ly, left_y, 24
        rotx32  \d[out_y++], right_y, step_ry, 8
        rotx32  \d[out_x++], left_x, step_lx, 8
        rotx32  \d[out_x++], step_rx, right_x, 24
.L_level\@:
        ret
        .endm

leviathan_odd_level:
        arset   node_x, leviathan_even
        arset   node_y, leviathan_even + y
leviathan_odd_half:
        next_level m1, leviathan_constants1, m0, leviathan_odd
leviathan_even_level:
        arset   node_x, leviathan_odd
        arset   node_y, leviathan_odd + y
        next_level m0, leviathan_constants0, m1, leviathan_even

// From one node in m1 to 64 nodes there.
leviathan_six_levels:
        arset   nodes, 1
        call    leviathan_odd_level
        arset   nodes, 2
        call    leviathan_even_level
        arset   nodes, 4
        call    leviathan_odd_level
        arset   nodes, 8
        call    leviathan_even_level
        arset   nodes, 16
        call    leviathan_odd_level
        arset   nodes, 32
        jmp     leviathan_even_level

// ---------------------------------------------------------------------------------------- key schedule

// leviathan_start_{bits}_var: T from the key, 256 nodes of the first tree; begins a message.
//
// Inputs:   leviathan_key
// Outputs:  t0, t1, leviathan_roots_x, leviathan_roots_y, leviathan_z
// Clobbers: v0-v7, wk, ar0-ar5
// Memory:   leviathan_even, leviathan_odd, leviathan_z_level
// Time:     cycles are constant; the rows of t0 that it writes depend on the key
// Cycles:   45344

        .alias  key_at, ar4

        .macro  start bits
        .global leviathan_start_\bits\()_var
leviathan_start_\bits\()_var:
        arwin   key_at, leviathan_key, leviathan_key + \bits / 8
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

        .alias  i, v0                   // in all bytes
        .alias  low, v1
        .alias  s_i, v2
        .alias  j, v3                   // in all bytes
        .alias  key_byte, v4
        .alias  spread, v5
        .alias  at, v6
        .alias  round, v7               // in all bytes
        .alias  i_row, ar1
        .alias  j_row, ar2

.L_start:
        arwin   i_row, 0, 256 * 16
        arstep  i_row, 16
        arstep  key_at, 1
        arset   i_row, 0
        repeat  256, .L_cleared
        mov     t0[i_row+=s%], zero
.L_cleared:
        mov     i, zero                         // i in all bytes
        mov     round, zero                     // the round, in all bytes
        repeat  4, .L_round
        mov     j, round                        // j in all bytes
        repeat  256, .L_shifted
        tbl0    s_i, i
        and     low, i, m0[leviathan_low]
        add8    i, i, m0[leviathan_bytes]
        shlx32  t0[i_row+=s%], s_i, low, 8
.L_shifted:
        repeat  2, .L_pass
        arset   key_at, leviathan_key
        repeat  256, .L_mixed
        tbl0    s_i, i
        bcast   key_byte, m0[key_at+=s%], 0
        add8    j, j, key_byte
        bcast   spread, s_i, 15
        add8    j, j, spread
        add8    i, i, m0[leviathan_bytes]
        and     at, j, m0[leviathan_row]
        rotx    at, at, zero, 4
        tbl0    t0[i_row+=s%], j
        vtoar   j_row, at, 7
        mov     t0[j_row], s_i
.L_mixed:
        nop
.L_pass:
        add8    round, round, m0[leviathan_bytes]
.L_round:
        repeat  256, .L_tables
        tbl0    s_i, i
        and     low, i, m0[leviathan_low]
        add8    i, i, m0[leviathan_bytes]
        xor     s_i, s_i, low
        rotx32  t1[i_row], s_i, zero, 8
        rotx32  t0[i_row+=s%], s_i, zero, 24
.L_tables:
        mov     m1[leviathan_even], zero        // the root: (0, 0, 1), four times
        mov     m1[leviathan_even + y], zero
        mov     level_z, m1[leviathan_constants1 + one]
        mov     m0[leviathan_z_level], level_z
        arset   nodes, 1
        call    leviathan_odd_level
        arset   nodes, 2
        call    leviathan_even_level
        arset   node_x, leviathan_even          // its four nodes to one row
        masks
        consecutive
        xor     m1[leviathan_even], q0, swap0
        arset   node_x, leviathan_even + y
        consecutive
        xor     m1[leviathan_even + y], q0, swap0
        mov     level_z, m0[leviathan_z_depth2]
        mov     m0[leviathan_z_level], level_z
        call    leviathan_six_levels
        arset   node_x, leviathan_even
        consecutive_roots m0, leviathan_roots_x
        consecutive_roots m1, leviathan_roots_y
        mov     level_z, m0[leviathan_z_depth8]
        mov     m0[leviathan_z], level_z
        halt

// ---------------------------------------------------------------------------------------- job

        .alias  quarter0, ar3           // next rows of the quarters of m3
        .alias  quarter1, ar4
        .alias  quarter2, ar5
        .alias  quarter3, ar6

// Half of the leaves: 32 nodes of level 6, 64 of level 7, and the leaves k of all four subtrees to row k / 4 of quarter
// k modulo 4 of m3.
        .macro  half number
        arset   node_x, leviathan_even + 16 * 32 * \number
        arset   node_y, leviathan_even + y + 16 * 32 * \number
        arset   nodes, 32
        call    leviathan_odd_half
        arset   node_x, leviathan_odd
        arset   node_y, leviathan_odd + y
        arset   quarter0, 16 * 32 * \number
        arset   quarter1, 16 * (64 + 32 * \number)
        arset   quarter2, 16 * (128 + 32 * \number)
        arset   quarter3, 16 * (192 + 32 * \number)
        call    leviathan_leaves
        .endm
        .macro  leaves left, right
        children m0, leviathan_constants0
        rotx32  left_y, step_ly, left_y, 24
        rotx32  right_x, step_rx, right_x, 24
        xor     left_y, left_y, step_lx
        xor     right_x, right_x, step_ry
        rotx32  m3[\left++], left_x, left_y, 8
        rotx32  m3[\right++], right_y, right_x, 8
        .endm

leviathan_leaves:
        mov     level_z, m0[leviathan_z_level]
        mov     wk, level_z
        repeat  32, .L_leaves
        leaves  quarter0, quarter1
        leaves  quarter2, quarter3
.L_leaves:
        shrx32  m0[leviathan_z_level], wk, zero, 1 // z of the next half of level 6
        ret

// leviathan: C = P ^ keystream, 1024 words or fewer, in the same time.
//
// Inputs:   t0, t1, leviathan_roots_x, leviathan_roots_y, leviathan_z; P in m2 from row 0
// Outputs:  C in m3 from row 0; leviathan_z
// Clobbers: v0-v7, wk, ar0, ar2-ar6
// Memory:   leviathan_even, leviathan_odd, leviathan_z_level
// Time:     constant
// Cycles:   9558
        .global leviathan
leviathan:
        mov     q0, m0[leviathan_z]
        mov     q1, m0[leviathan_four]
        shlx32  q2, q0, zero, 2                 // 16 bytes for each four nodes
        vtoar   node_x, q2, 1
        mov     m0[leviathan_z_level], q0
        add32   m0[leviathan_z], q0, q1
        aradd   node_y, node_x, leviathan_roots_y - 1024
        aradd   node_x, node_x, leviathan_roots_x - 1024
        mov     q1, m1[node_y]
        mov     m1[leviathan_even], m0[node_x]
        mov     m1[leviathan_even + y], q1
        call    leviathan_six_levels
        half    0
        half    1
        arset   quarter0, 0
        arset   quarter1, 16 * 64
        arset   quarter2, 16 * 128
        arset   quarter3, 16 * 192
        masks
        repeat  64, .L_text
        mov     q0, m3[quarter0]
        mov     q1, m3[quarter1]
        mov     q2, m3[quarter2]
        mov     q3, m3[quarter3]
        words_of_four
        xor     q1, q1, m2[quarter1]
        xor     q3, q3, m2[quarter3]
        xor3    m3[quarter0++], q0, m2[quarter0], swap0
        xor3    m3[quarter2++], q2, m2[quarter2], swap1
        rotx    m3[quarter1++], swap0, q1, 32
        rotx    m3[quarter3++], swap1, q3, 32
.L_text:
        halt
