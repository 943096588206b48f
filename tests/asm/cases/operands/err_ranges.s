    movl m0[0], v1, -1            // error at 21: -1 is out of range | legal: 0 to 15
    movl m0[0], v1, 16            // error at 21: 16 is out of range | legal: 0 to 15
    align v0, v1, v2, -1          // error at 23: -1 is out of range | legal: 0 to 15
    align v0, v1, v2, 16          // error at 23: 16 is out of range | legal: 0 to 15
    bcast v0, v1, -1              // error at 19: -1 is out of range | legal: 0 to 15
    bcast v0, v1, 16              // error at 19: 16 is out of range | legal: 0 to 15
    vtoar ar0, v1, -1             // error at 20: -1 is out of range | legal: 0 to 7
    vtoar ar0, v1, 8              // error at 20: 8 is out of range | legal: 0 to 7
    rotx v0, v1, v2, -1           // error at 22: -1 is out of range | legal: 0 to 127
    rotx v0, v1, v2, 128          // error at 22: 128 is out of range | legal: 0 to 127
    aesenc2 v0, v1, m0:m1[0], -1  // error at 31: -1 is out of range | legal: 0 to 1
    aesenc2 v0, v1, m0:m1[0], 2   // error at 31: 2 is out of range | legal: 0 to 1
    ctxld c0, -1, v0              // error at 15: -1 is out of range | legal: 0 to 5
    ctxld c0, 6, v0               // error at 15: 6 is out of range | legal: 0 to 5
    ctxst v0, c1, -1              // error at 19: -1 is out of range | legal: 0 to 5
    ctxst v0, c1, 6               // error at 19: 6 is out of range | legal: 0 to 5
    ctxld c2, 0, v0               // error at 11: 'c2' is not a register | needed: a stream context: c0 or c1
    ctxld c0:c1, 0, v0            // error at 11: 'c0:c1' cannot be the operand 'context' | needed: a stream context: c0 or c1
    ctxst v0, c2, 0               // error at 15: 'c2' is not a register | needed: a stream context: c0 or c1
    snow c2                       // error at 10: 'c2' is not a register | needed: stream contexts that are clocked: c0, c1 or c0:c1
    snow c1:c0                    // error at 10: 'c1:c0' cannot be the operand 'clocked' | needed: stream contexts that are clocked: c0, c1 or c0:c1
    snowx v0, c0, c2              // error at 19: 'c2' is not a register | needed: stream context whose buffer goes out: c0 or c1
    snowx v0, c0, c0:c1           // error at 19: 'c0:c1' cannot be the operand 'shown' | needed: stream context whose buffer goes out: c0 or c1
    notify -1                     // error at 12: -1 is out of range | legal: 0 to 255
    notify 256                    // error at 12: 256 is out of range | legal: 0 to 255
    arshr ar0, ar1, -1            // error at 21: -1 is out of range | legal: 0 to 15
    arshr ar0, ar1, 16            // error at 21: 16 is out of range | legal: 0 to 15
    arset ar0, -32769             // error at 16: -32769 is out of range | legal: -32768 to 65535
    arset ar0, 65536              // error at 16: 65536 is out of range | legal: -32768 to 65535
    aradd ar0, ar1, -32769        // error at 21: -32769 is out of range | legal: -32768 to 65535
    aradd ar0, ar1, 65536         // error at 21: 65536 is out of range | legal: -32768 to 65535
    arand ar0, ar1, -32769        // error at 21: -32769 is out of range | legal: -32768 to 65535
    arand ar0, ar1, 65536         // error at 21: 65536 is out of range | legal: -32768 to 65535
    arstep ar0, -32769            // error at 17: -32769 is out of range | legal: -32768 to 65535
    arstep ar0, 65536             // error at 17: 65536 is out of range | legal: -32768 to 65535
    arwin ar0, -1, 16             // error at 16: -1 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    arwin ar0, 65536, 16          // error at 16: 65536 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    arwin ar0, 0, -1              // error at 19: -1 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    arwin ar0, 0, 65536           // error at 19: 65536 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    ctrw 31                       // error at 10: 31 is not possible | legal: 128, 64, 32
    ctrw 129                      // error at 10: 129 is not possible | legal: 128, 64, 32
    repeat -1, 100                // error at 12: -1 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    repeat 65536, 100             // error at 12: 65536 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    repeat 3, -1                  // error at 15: -1 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    repeat 3, 65536               // error at 15: 65536 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    repeat ar0, -1                // error at 17: -1 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    repeat ar0, 65536             // error at 17: 65536 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    jmp -1                        // error at 9: -1 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    jmp 65536                     // error at 9: 65536 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    call -1                       // error at 10: -1 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    call 65536                    // error at 10: 65536 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    bf -1                         // error at 8: -1 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    bf 65536                      // error at 8: 65536 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    bnf -1                        // error at 9: -1 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    bnf 65536                     // error at 9: 65536 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    bz ar0, -1                    // error at 13: -1 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    bz ar0, 65536                 // error at 13: 65536 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    bnz ar0, -1                   // error at 14: -1 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    bnz ar0, 65536                // error at 14: 65536 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    djnz ar0, -1                  // error at 15: -1 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    djnz ar0, 65536               // error at 15: 65536 is out of range | legal: 0 to 65535 (0x0 to 0xffff)
    mov v0, m2[-16]               // error at 16: -16 is out of range | legal: 0 to 4080 (0x0 to 0xff0)
    mov v0, m2[4096]              // error at 16: 4096 is out of range | legal: 0 to 4080 (0x0 to 0xff0)
    mov m3[-16], v0               // error at 12: -16 is out of range | legal: 0 to 4080 (0x0 to 0xff0)
    mov m3[4096], v0              // error at 12: 4096 is out of range | legal: 0 to 4080 (0x0 to 0xff0)
    mov t0[-16], v0               // error at 12: -16 is out of range | legal: 0 to 4080 (0x0 to 0xff0)
    mov t0[4096], v0              // error at 12: 4096 is out of range | legal: 0 to 4080 (0x0 to 0xff0)
    aesenc2 v0, v1, m0:m1[-16]    // error at 27: -16 is out of range | legal: 0 to 4080 (0x0 to 0xff0)
    aesenc2 v0, v1, m0:m1[4096]   // error at 27: 4096 is out of range | legal: 0 to 4080 (0x0 to 0xff0)
    aesenc2l v0, v1, m0:m1[0], -1               // error at 32: -1 is out of range | legal: 0 to 1
    aesenc2l v0, v1, m0:m1[0], 2                // error at 32: 2 is out of range | legal: 0 to 1
    aesdec2 v0, v1, m0:m1[0], -1                // error at 31: -1 is out of range | legal: 0 to 1
    aesdec2 v0, v1, m0:m1[0], 2                 // error at 31: 2 is out of range | legal: 0 to 1
    aesdec2l v0, v1, m0:m1[0], -1               // error at 32: -1 is out of range | legal: 0 to 1
    aesdec2l v0, v1, m0:m1[0], 2                // error at 32: 2 is out of range | legal: 0 to 1
    aesenc2 v0, v1, m0:m1[0], {m3[0], v2}, -1   // error at 44: -1 is out of range | legal: 0 to 5
    aesenc2 v0, v1, m0:m1[0], {m3[0], v2}, 6    // error at 44: 6 is out of range | legal: 0 to 5
    aria2 v0, v1, m0:m1[0], -1                  // error at 29: -1 is out of range | legal: 0 to 1
    aria2 v0, v1, m0:m1[0], 2                   // error at 29: 2 is out of range | legal: 0 to 1
    aria2l v0, v1, m0:m1[0], -1                 // error at 30: -1 is out of range | legal: 0 to 1
    aria2l v0, v1, m0:m1[0], 2                  // error at 30: 2 is out of range | legal: 0 to 1
    aria2 v0, v1, m0:m1[0], {m3[0], v2}, -1     // error at 42: -1 is out of range | legal: 0 to 5
    aria2 v0, v1, m0:m1[0], {m3[0], v2}, 6      // error at 42: 6 is out of range | legal: 0 to 5
    cam2 {v0, v1}, v1, v2, m0:m1[0], -1         // error at 38: -1 is out of range | legal: 0 to 5
    cam2 {v0, v1}, v1, v2, m0:m1[0], 6          // error at 38: 6 is out of range | legal: 0 to 5
    cam2fl {v0, v1}, v1, v2, m0:m1[0], -1       // error at 40: -1 is out of range | legal: 0 to 5
    cam2fl {v0, v1}, v1, v2, m0:m1[0], 6        // error at 40: 6 is out of range | legal: 0 to 5
    cam2p {v0, v1}, v1, v2, m0:m1[0], -1        // error at 39: -1 is out of range | legal: 0 to 1
    cam2p {v0, v1}, v1, v2, m0:m1[0], 2         // error at 39: 2 is out of range | legal: 0 to 1
    cam2s {v0, v1}, v1, m0:m1[0], -1            // error at 35: -1 is out of range | legal: 0 to 1
    cam2s {v0, v1}, v1, m0:m1[0], 2             // error at 35: 2 is out of range | legal: 0 to 1
    cam2l {v0, v1}, v1, v2, m0:m1[0], -1        // error at 39: -1 is out of range | legal: 0 to 1
    cam2l {v0, v1}, v1, v2, m0:m1[0], 2         // error at 39: 2 is out of range | legal: 0 to 1
    ghadd v1, -1                                // error at 15: -1 is out of range | legal: 0 to 1
    ghadd v1, 2                                 // error at 15: 2 is out of range | legal: 0 to 1
    rotx8 v0, v1, v2, -1                        // error at 23: -1 is out of range | legal: 0 to 7
    rotx8 v0, v1, v2, 8                         // error at 23: 8 is out of range | legal: 0 to 7
    rotx16 v0, v1, v2, -1                       // error at 24: -1 is out of range | legal: 0 to 15
    rotx16 v0, v1, v2, 16                       // error at 24: 16 is out of range | legal: 0 to 15
    rotx32 v0, v1, v2, -1                       // error at 24: -1 is out of range | legal: 0 to 31
    rotx32 v0, v1, v2, 32                       // error at 24: 32 is out of range | legal: 0 to 31
    rotx64 v0, v1, v2, -1                       // error at 24: -1 is out of range | legal: 0 to 63
    rotx64 v0, v1, v2, 64                       // error at 24: 64 is out of range | legal: 0 to 63
    shlx8 v0, v1, v2, -1                        // error at 23: -1 is out of range | legal: 0 to 7
    shlx8 v0, v1, v2, 8                         // error at 23: 8 is out of range | legal: 0 to 7
    shlx16 v0, v1, v2, -1                       // error at 24: -1 is out of range | legal: 0 to 15
    shlx16 v0, v1, v2, 16                       // error at 24: 16 is out of range | legal: 0 to 15
    shlx32 v0, v1, v2, -1                       // error at 24: -1 is out of range | legal: 0 to 31
    shlx32 v0, v1, v2, 32                       // error at 24: 32 is out of range | legal: 0 to 31
    shlx64 v0, v1, v2, -1                       // error at 24: -1 is out of range | legal: 0 to 63
    shlx64 v0, v1, v2, 64                       // error at 24: 64 is out of range | legal: 0 to 63
    shlx v0, v1, v2, -1                         // error at 22: -1 is out of range | legal: 0 to 127
    shlx v0, v1, v2, 128                        // error at 22: 128 is out of range | legal: 0 to 127
    shrx8 v0, v1, v2, -1                        // error at 23: -1 is out of range | legal: 0 to 7
    shrx8 v0, v1, v2, 8                         // error at 23: 8 is out of range | legal: 0 to 7
    shrx16 v0, v1, v2, -1                       // error at 24: -1 is out of range | legal: 0 to 15
    shrx16 v0, v1, v2, 16                       // error at 24: 16 is out of range | legal: 0 to 15
    shrx32 v0, v1, v2, -1                       // error at 24: -1 is out of range | legal: 0 to 31
    shrx32 v0, v1, v2, 32                       // error at 24: 32 is out of range | legal: 0 to 31
    shrx64 v0, v1, v2, -1                       // error at 24: -1 is out of range | legal: 0 to 63
    shrx64 v0, v1, v2, 64                       // error at 24: 64 is out of range | legal: 0 to 63
    shrx v0, v1, v2, -1                         // error at 22: -1 is out of range | legal: 0 to 127
    shrx v0, v1, v2, 128                        // error at 22: 128 is out of range | legal: 0 to 127
    arx {v0, v1}, v1, v2, v3, -1                // error at 31: -1 is out of range | legal: 0 to 255
    arx {v0, v1}, v1, v2, v3, 256               // error at 31: 256 is out of range | legal: 0 to 255
    arx {v0, v1}, v1, v2, v3, 0, -1             // error at 34: -1 is out of range | legal: 0 to 1
    arx {v0, v1}, v1, v2, v3, 0, 2              // error at 34: 2 is out of range | legal: 0 to 1
    addrot v0, v1, v2, v3, -1                   // error at 28: -1 is out of range | legal: 0 to 255
    addrot v0, v1, v2, v3, 256                  // error at 28: 256 is out of range | legal: 0 to 255
    addrot v0, v1, v2, v3, 0, -1                // error at 31: -1 is out of range | legal: 0 to 1
    addrot v0, v1, v2, v3, 0, 2                 // error at 31: 2 is out of range | legal: 0 to 1
    tblw v0, v1, v2, v3, -1                     // error at 26: -1 is out of range | legal: 0 to 255
    tblw v0, v1, v2, v3, 256                    // error at 26: 256 is out of range | legal: 0 to 255
