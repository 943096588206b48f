// Every modification of an address register, and addresses of rows.
    mov v0, m0[ar1]      // => 200cb00012000000
    mov v0, m1[ar1++]    // => 200cb00122000000
    mov v0, m2[ar1--]    // => 200cb00232000000
    mov v0, m3[ar1+=s]   // => 200cb00342000000
    mov v0, m0[ar1-=s]   // => 200cb00052000000
    mov v0, m0[ar1+=s%]  // => 200cb00062000000
    mov v0, m0[ar1-=s%]  // => 200cb00072000000
    mov v0, m0[ ar1 += s% ]  // => 200cb00062000000
    mov v0, m0[0]        // => 200cb00080000000
    mov v0, m0[0xff0]    // => 200cb000ff800000
    aesenc2 v0, v0, m0 : m1[ar3++] // => 4800b13000000000
    aesdecf v0, v0, m1[0x10]       // => 4300b40400000000
    add32 v0, m2[ar0++], v1        // => 920c100220000000
    add32 v0, v1, m2[ar0++]        // => 9201c00220000000
    add32 v0, m2[ar0++], m2[ar0++] // => 920cc00220000000
    add32 v0, m2[0x20], m2[2 * 16] // => 920cc00281000000
    tblp v0, v1, v2                // => 3201200000000000
    tblp v0, v1, v2, m2[ar0]       // => 3201200210000000
    mov m2[ar0++], m3[ar1++]       // => 20fcb00322220000
    aesenc2 {v0, m3[ar2++]}, v1 ^ m2[ar1++] ^ wk, m0:m1[ar0++] // => 4801c90222324000
    aesenc2 {v0, m3[ar0++]}, v1 ^ m2[ar0] ^ wk, m0:m1[ar0]     // => 4801c88210320000
