// v1 is taken until it is used. A name has another register where nothing that was set before is used.
        mov     %a, m0[0]                       // => 200cb00080000000
        mov     v1, m0[0x10]                    // => 201cb00080800000
        xor     %b, %a, v1                      // => 2800100000000000
        mov     %a, m0[0x20]                    // => 201cb00081000000
        xor     m1[0], %a, %b                   // => 28f1000000180000
        halt                                    // => 0200000000000000
