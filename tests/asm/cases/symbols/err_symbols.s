a:  nop
a:  nop                // error: 'a' is defined twice
    .equ a, 1          // error: 'a' is defined twice
v0: nop                // error: 'v0' names a register or memory
m0 = 1                 // error: 'm0' names a register or memory
    .global nothing    // error: undefined symbol 'nothing'
    .section m1
data: .byte 1
    .text
    jmp data           // error: 'data' is an address in m1
    mov v0, m2[data]   // error: 'data' is an address in m1, not in m2
    mov v0, m2[data + 16] // error: is an address in m1, not in m2
    mov v0, m2[a]      // error: 'a' is an address in pm, not in m2
    .entry a
    .entry a           // error: .entry is given twice
/* open                // error: unterminated comment
