// A lane, all lanes, both banks. A lane section counts entries.
    .section t0.5
    .byte 0x11, 0x22
    .section t0.*
    .org 2
    .byte 0x33
lane: .section t0
    .org 0x30
    .row 000102030405060708090a0b0c0d0e0f
    .section t0:t1.15
    .org 0xff
both:
    .byte 0x44
    .section t0:t1
    .org 0x40
    .byte 0x55
// t0[0x5] = 11
// t0[0x15] = 22
// t0[0x20] = 33 33 33 33 33 33 33 33 33 33 33 33 33 33 33 33 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 55
// t0[0xfff] = 44
// t1[0x40] = 55
// t1[0xfff] = 44
// symbol both = t0:t1 0xfff
// symbol lane = t0 0x30
    .section pm
    nop // => 0100000000000000
    .section m3
    .byte 1
    .section text
    halt // => 0200000000000000
    .section m3
    .byte 2
// m3[0] = 01 02
