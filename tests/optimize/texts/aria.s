// ARIA-128-ECB (RFC 5794), a block in a register, two rounds per instruction.

        .global aria_job
        .alias  in, ar0
        .alias  out, ar1
        .alias  blocks, ar5

aria_job:
        vtoar   blocks, m1[0x100], 7
        mov     wk, m0[0x100]
        arset   in, 0
        arset   out, 0
        repeat  blocks, .L_end
        aria2   %block, m2[in++] ^ wk, m0:m1[0]
        .rept   4
        aria2   %block, %block, m0:m1[16 + 16 * \+]
        .endr
        aria2l  m3[out++], %block, m0:m1[0x50]
.L_end:
        halt
