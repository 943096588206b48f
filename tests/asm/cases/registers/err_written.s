        mov     % x, m0[0]              // error at 17: expected an operand or the end of the line, found '%'
        .alias  x, %                    // error: .alias takes a name and a register
        mov     m1[0], m0[0] %x         // error: expected
        halt
