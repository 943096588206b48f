    mov v0, v1 ^ v2 ^ v3      // error: too many terms in the sum
    mov v0, wk ^ wk           // error: wk is used twice in one sum
    mov v0, ctr++ ^ ctr++     // error: ctr++ is used twice in one sum
    mov v0, m2[ar0] ^ m3[ar1] // error: the sum has two memory rows
    mov zero, v0              // error: zero cannot be a destination | legal: v0 v1 v2 v3 v4 v5 v6 v7 ctr wk
    mov {v0, v1}, v2          // error: '{v0, v1}' cannot be the operand 'dst'
    mov v0, ar1               // error: address register ar1 cannot be a source
    mov v0, 5                 // error: a number cannot be the operand 'src' | put a row with it into a memory and use that: m0[LABEL]
    mov v0, t0[ar1]           // error: t0 cannot be accessed here | data memory: m0 m1 m2 m3
    mov v0, m0:m1[ar1]        // error: m0:m1 cannot be accessed here
    mov v0                    // error: mov takes 2 operands, 1 given | usage: mov dst, src
    mov v0, v1, v2            // error: mov takes 2 operands, 3 given
    aesencl v0, v1, m0[0], m2[0], 4 // error: aesencl takes 3 or 4 operands, 5 given
    aesenc2l v0, m2[0], m0:m1[0] // error: 'm2[0]' cannot be the operand 'src'
    aesenc2 v0, v1, m0[0]     // error: the key is read from m0:m1, not m0
    aesdecf v0, v1, m0[0]     // error: the key is read from m1, not m0
    xor v0, v1, ctr++         // error: ctr++ cannot be a second source
    xor v0, v1 ^ v2, v3       // error: a sum cannot be used here
    xor v0, m2[ar0++], m2[ar0] // error: one slot cannot access two rows
    tblp v0, m2[0], v1        // error: 'm2[0]' cannot be the operand 'a'
    movl v0, v1, 3            // error: 'v0' cannot be the operand 'dst'
    mov m2[ar0++], m2[ar1++]  // error: two accesses to m2: m2[ar0++] and m2[ar1++]
    aesenc2 m1[ar2], v0, m0:m1[ar0++] // error: two accesses to m1
    aesenc2 v0, m0[ar2], m0:m1[ar0++] // error: two accesses to m0
    aesenc2 v0, m2[ar0++], m0:m1[ar0++] // error: ar0 is modified twice
    mov v0, m2[8]             // error: 0x8 is not the address of a row | legal: multiples of 16 from 0 to 4080, such as 0x0
    arset v0, 1               // error: 'v0' cannot be the operand 'dst'
    ctrw 16                   // error: 16 is not possible | legal: 128, 64, 32
    ctrw v0                   // error: 'v0' cannot be the operand 'width'
    repeat v0, 100            // error: 'v0' cannot be used here | needed: number of times or address register
    repeat 3, 1               // error: the loop's body is empty
    repeat 3, . + 1           // error: the loop's body is empty
    jmp v0                    // error: 'v0' cannot be the operand 'target'
    aesenc3 v0, v1            // error: unknown instruction 'aesenc3' | did you mean 'aesenc
    mov v0, vv1               // error: 'vv1' is not a register | did you mean 'v1'?
    bz r1, 0                  // error: 'r1' is not a register | did you mean 'ar1'?
    mov v0, foo               // error: 'foo' is not a register | needed: XOR of up to two sources
