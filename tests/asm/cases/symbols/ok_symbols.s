/* A block comment
   of several lines, with "quotes and // slashes. */
    .equ first, later - 1
a: b: nop // => 0100000000000000
.L_local: jmp .L_local /* inside */ // => 0600000000040000
later:
    .global b
    arset ar0, first // => 1000000400000000
    .section m1
data: .byte 1
    .text
    mov v0, m1[data]      // => 200cb00180000000
    mov v0, m1[data + 16] // => 200cb00180800000
    arset ar0, data       // => 1000000000000000
    arset ar0, end - a    ; => 1000001c00000000
end:
// m1[0] = 01
// symbol a = pm 0
// symbol data = m1 0
// symbol first = - 1
