// Conditions see what has been defined above them.
    .equ two, 2
three = two + 1
    .if three == 3 && two < 3
    nop // => 0100000000000000
    .elseif 1
    halt
    .else
    halt
    .endif
    .if 0
    not an instruction at all
    .if 1
    halt
    .endif
    .else
    ret // => 0400000000000000
    .endif
    .ifdef two
    nop // => 0100000000000000
    .endif
    .ifndef four
    .equ four, 4
    .endif
    .ifdef label
    halt
    .else
label: arset ar0, four // => 1000001000000000
    .endif
    .if 0 // a comment
    .elseif two == 2 ; another
    nop // => 0100000000000000
    .endif
    .warning "careful" // warning: careful
