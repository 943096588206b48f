// PRESENT-80 (Bogdanov et al. 2007), one block in the first half of a register. S-box and bit permutation together: a
// byte of the result has two bits of each of four bytes of the state, and a lane of a table has the place of these two.

        .global present_job
        .alias  in, ar0
        .alias  out, ar1
        .alias  blocks, ar5

present_job:
        vtoar   blocks, m1[0], 7
        mov     %even, m1[0x10]         // control vectors: the bytes of a state for both halves of t0, and of t1
        mov     %odd, m1[0x20]
        arset   in, 0
        arset   out, 0
        repeat  blocks, .L_end
        mov     %block, m2[in++]
        .rept   31
        xor     %block, %block, m0[16 * \+]
        perm    %a, %block, %even
        tbl0    %a, %a
        perm    %b, %block, %odd
        tbl1    %b, %b
        xor     %a, %a, %b
        rotx    %block, %a, %a, 64
        .endr
        xor     m3[out++], %block, m0[16 * 31]
.L_end:
        halt
