// AES-128-CTR (SP 800-38A 6.5) as it is written down first: one block after the other.

        .global aes_job
        .alias  in, ar0
        .alias  out, ar1
        .alias  blocks, ar5

aes_job:
        mov     ctr, m1[0]
        vtoar   blocks, m1[16], 7
        mov     wk, m0[0x100]
        arset   in, 0
        arset   out, 0
        repeat  blocks, .L_end
        aesenc2 %block, ctr++ ^ wk, m0:m1[0x20]
        .rept   3
        aesenc2 %block, %block, m0:m1[0x30 + 16 * \+]
        .endr
        aesenc2l m3[out++], %block, m0:m1[0x60], m2[in++]
.L_end:
        halt
