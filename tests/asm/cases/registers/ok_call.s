// A name keeps its register through a call, which v0 and v1 do not survive.
        mov     %kept, m0[0]                    // => 202cb00080000000
        call    .L_clobbers                     // => 0700000000100000
        xor     m1[0], %kept, v1                // => 28f2100000180000
        halt                                    // => 0200000000000000
.L_clobbers:
        mov     v0, m0[0x10]                    // => 200cb00080800000
        xor     v1, v0, m0[0x20]                // => 2810c00081000000
        ret                                     // => 0400000000000000
