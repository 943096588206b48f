// The second stream reads what the first one has stored, so it begins after that.
        mov     %sum, m0[0]                     // => 200cb00080000000
        .interleave 2
        mov     %x, m0[0x10 + 0x10 * \+]        // => 201cb00080800000 202cb00081000000
        xor     %sum, %sum, %x                  // => 2800100000000000 2800200000000000
        xor     m1[0x10 * \+], %x, zero         // => 28f1b00000180000 28f2b00000180800
        .endi
        mov     m1[0x20], %sum                  // => 20f0b00000181000
        halt                                    // => 0200000000000000
