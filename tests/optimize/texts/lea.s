// LEA-128 (ISO/IEC 29192-2), the four words of a block in a register. Words of a round are sums of neighbours, rotated
// by 9, -5 and -3; the last one is the first of the round before.

        .global lea_job
        .alias  in, ar0
        .alias  out, ar1
        .alias  key, ar3
        .alias  blocks, ar5

lea_job:
        vtoar   blocks, m1[0], 7
        mov     %amounts, m1[0x10]
        mov     %three, m1[0x20]        // ones in three words
        arset   in, 0
        arset   out, 0
        repeat  blocks, .L_end
        mov     %block, m2[in++]
        .rept   24
        and     %a, %block, %three
        xor     %a, %a, m0[32 * \+]
        rotx    %b, %block, m0[32 * \+ + 16], 32
        add32   %sum, %a, %b
        rotv    %block, %sum, %amounts
        .endr
        mov     m3[out++], %block
.L_end:
        halt
