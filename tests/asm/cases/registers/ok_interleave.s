// Streams in turn: each has registers of its own, rows go to streams in their order.
        mov     wk, m0[0]                       // => 209cb00080000000
        repeat  4, .L_end                       // => 0a000010001c0000
        .interleave 2
        aesenc2 %x, ctr++ ^ wk, m0:m1[0x10]     // => 480abc0400000000 481abc0400000000
        aesenc2 %x, %x, m0:m1[0x20]             // => 4800b40800000000 4811b40800000000
        aesenc2l m3[ar1++], %x, m0:m1[0x30], m2[ar0++] // => 49f0b40e20322000 49f1b40e20322000
        .endi
.L_end:
        halt                                    // => 0200000000000000
