// A pair is an even register and the next.
        mov     %x, m0[0]                       // => 200cb00080000000
        arx     {%sum, %turned}, %x, zero, %x, 7 // => b400b00000000007
        xor     m1[0], %turned, %sum            // => 28f1000000180000
        halt                                    // => 0200000000000000
