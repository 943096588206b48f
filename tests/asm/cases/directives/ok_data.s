// Data in big-endian order, text, rows, gaps.
    .section m0
    .byte 1, -1, 255
    .half 0x0102
    .ascii "a;b", "//c\x00"
    .asciz "\"\t"
    .align 16
    .row 000102030405060708090a0b0c0d0e0f, "10111213 14151617 18191a1b 1c1d1e1f"
    .zero 2
    .fill 3, 0xaa
    .fill 1
// m0[0] = 01 ff ff 01 02 61 3b 62 2f 2f 63 00 22 09 00
// m0[0x10] = 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f 00 00 aa aa aa 00
    .section m1
    .org 0x20
here:
    .half ., here + 2, end - here
end:
// m1[0x20] = 00 20 00 22 00 06
    .section m2
    .incbin "data.bin"
    .incbin "data.bin", 2
    .incbin "data.bin", 1, 2
// m2[0] = 41 42 43 44 43 44 42 43
    .text
    .insn 0x0123456789abcdef, -1 // => 0123456789abcdef ffffffffffffffff
    .org 4
    nop // => 0100000000000000
    .align 8
    .entry last
last:
    nop // => 0100000000000000
// symbol here = m1 0x20
// symbol last = pm 8
// entry 8
