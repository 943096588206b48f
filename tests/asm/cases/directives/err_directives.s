    .bytes 1             // error: unknown directive '.bytes' | did you mean '.byte'?
    .byte 1              // error: program memory cannot hold .byte
    .insn 1 << 64        // error: is out of range
    .org later           // error: the address of 'later' is not known yet
later:
    .org 1025            // error: 1025 is out of range | legal: 0 to 1024
    .align 0             // error: 0 is out of range
    .org                 // error: .org takes one number
    .entry               // error: .entry takes names
    .equ 5, 1            // error: .equ takes a name and an expression
    .equ x               // error: .equ takes a name and an expression
    .section m0
    nop                  // error: section m0 cannot hold an instruction
    .insn 1              // error: section m0 cannot hold .insn
    .byte                // error: .byte takes numbers
    .byte "a"            // error: .byte takes numbers | text is written with .ascii
    .ascii 1             // error: .ascii takes strings
    .row 00112233        // error: a row has 16 bytes, this has 4
    .row 001             // error: a row must be pairs of hexadecimal digits
    .zero -1             // error: -1 is out of range
    .zero 5000           // error: 5000 is out of range
    .zero 1, 2           // error: .zero takes a size
    .fill 1, 256         // error: 256 is out of range
    .incbin "nothing"    // error: cannot find 'nothing'
    .incbin "data.bin", 5 // error: 5 is out of range | legal: 0 to 4
    .incbin 5            // error: .incbin takes a file name
    .endm                // error: .endm without .macro
    .endr                // error: .endr without .rept
    .else                // error: .else without .if
    .endif               // error: .endif without .if
    .error "stop here"   // error: stop here
    .error stop          // error: .error takes one string
    .include "nothing.s" // error: cannot find 'nothing.s'
    .if                  // error: .if takes an expression
    .endif
    .ifdef 1 + 1         // error: .ifdef takes a name
    .endif
    .rept -1             // error: .rept count -1 is out of range
    .endr
    .rept 2              // error: .rept without .endr
