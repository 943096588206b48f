    .section m4        // error: unknown section 'm4' | sections: text m0 m1
    .byte 1
    .section t0.16     // error: t0 has no lane 16 | legal: 0 to 15
    .byte 1
    .section m0.1      // error: unknown section 'm0.1'
    .section           // error: expected a section's name, found the end of the line
    .section m0
    .zero 4096
    .byte 1            // error: section m0 is full: this would end at 4097
    .section m1
    .byte 1, 2
    .org 1
    .byte 3            // error: overlap: address 1 of section m1 is taken
    .section t0
    .row 000102030405060708090a0b0c0d0e0f
    .section t0.3
    .byte 9            // error: overlap: address 0 of section t0.3 is taken
    .text
    nop
    .org 0
    nop                // error: overlap: address 0 of section text is taken
    .org 1023
    nop
    nop                // error: section text is full: this would end at 1025
