// What a loop carries has one register in all passes, which nothing in the loop takes.
        .alias  chain, %chain
        mov     chain, m0[0]                    // => 200cb00080000000
        repeat  4, .L_end                       // => 0a00001000100000
        mov     %x, m2[ar0++]                   // => 201cb00220000000
        xor     chain, chain, %x                // => 2800100000000000
        mov     m3[ar1++], chain                // => 20f0b00000322000
.L_end:
        mov     m1[0], chain                    // => 20f0b00000180000
        halt                                    // => 0200000000000000
