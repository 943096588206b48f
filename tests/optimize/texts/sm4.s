// SM4-ECB (GB/T 32907), a block in a register: F is a look-up of the sum of three words, then R turns the words.

        .global sm4_job
        .alias  in, ar0
        .alias  out, ar1
        .alias  blocks, ar5

sm4_keys = 0

sm4_job:
        vtoar   blocks, m1[0], 7
        mov     wk, m1[16]
        arset   in, 0
        arset   out, 0
        repeat  blocks, .L_end
        mov     %block, m2[in++]
        .rept   32
        tblw    %block, %block, m0[sm4_keys + 16 * \+], %block, word1 + word2 + word3 + turn1
        .endr
        perm    m3[out++], %block, wk
.L_end:
        halt
