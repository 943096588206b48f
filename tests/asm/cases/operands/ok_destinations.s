// Destinations: register, memory row, table row, both.
    mov v7, v1              // => 2071b00000000000
    mov ctr, v1             // => 2081b00000000000
    mov wk, v1              // => 2091b00000000000
    mov m3[ar1], v0         // => 20f0b00000312000
    mov t0[0x20], v0        // => 20f0b00000481000
    mov t1[ar7++], v0       // => 20f0b0000052e000
    mov t0:t1[ar2+=s%], v0  // => 20f0b00000664000
    mov {v0, m3[ar1++]}, v1 // => 2001b00000322000
    mov { m3[ar1++] , v0 }, v1 // => 2001b00000322000
    artov m0[0], ar5        // => 23fbb00000080050
    movl t0[ar0++], v3, 5   // => 21f3b00000420005
    vtoar ar6, v2, 7        // => 22f2b00000000067
