// Sums: the order of the terms is free, wk goes to its own field unless it stands alone.
    mov v0, v1                   // => 2001b00000000000
    mov v0, v1 ^ v2              // => 2001200000000000
    mov v0, wk                   // => 2009b00000000000
    mov v0, v1 ^ wk              // => 2001b80000000000
    mov v0, wk ^ v1              // => 2001b80000000000
    mov v0, m2[ar0++]            // => 200cb00220000000
    mov v0, m2[ar0++] ^ wk       // => 200cb80220000000
    mov v0, v1 ^ m2[ar0++]       // => 2001c00220000000
    mov v0, m2[ar0++] ^ v1       // => 2001c00220000000
    mov v0, v1 ^ m2[ar0++] ^ wk  // => 2001c80220000000
    mov v0, ctr++                // => 200ab00000000000
    mov v0, v1 ^ ctr++           // => 200a100000000000
    mov v0, m2[ar0] ^ ctr++ ^ wk // => 200ac80210000000
    mov v0, zero                 // => 200bb00000000000
    aesenc2l v0, v1 ^ wk, m0:m1[0x40], m2[ar1++] // => 4901bc1222000000
    aesenc2l v0, v1 ^ v3 ^ wk, m0:m1[0x40]       // => 49013c1000000000
