// An alias is the register, in every place of an operand, and in what a macro makes of it.
        .alias  state, v1
        .alias  input, ar0
        .alias  key, wk
        .alias  first, c0
        .macro  add to, what
        xor     \to, \to, \what
        .endm
        .text
start:  mov     state, m2[input++] ^ key  // => 201cb80220000000
        add     state, m2[input]          // => 2811c00210000000
        ctxst   state, first, 4           // => 771bb00000000004
        halt                              // => 0200000000000000
        .section m1
        .ascii  "state"
// m1[0] = 73 74 61 74 65
