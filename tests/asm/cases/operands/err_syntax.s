    mov v0 v1          // error: expected ',', '^' or the end of the line, found 'v1'
    mov v0,            // error: expected an operand, found the end of the line
    mov v0, m2[ar0+1]  // error: expected ']', found '+' | after an address register: ++ -- +=s -=s +=s% -=s%
    mov v0, v1 ^ 5     // error: expected a register, an address register or a memory or table row, found '5'
    mov v0, m2[0       // error: found the end of the line
    mov {v0, m3[0], v1 // error: found the end of the line
    12 mov             // error: expected an instruction, directive or label, found '12'
    arset ar0, 12ab    // error: malformed number '12ab'
    arset ar0, 0x      // error: malformed number '0x'
    arset ar0, 0x_     // error: the number has no digits
    arset ar0, (1      // error: expected ')', found the end of the line
    arset ar0, é       // error: unexpected character U+00E9
    arset ar0, 'ab'    // error: malformed character; write 'c'
    arset ar0, 'é'     // error: not a single byte
    arset ar0, \x      // error at 16: '\x' outside of a macro or repetition | macros have parameters and \@, repetitions have \+
    .ascii "ab         // error: unterminated string
    .ascii "a\q"       // error: unknown escape '\q'
    x = 1, 2           // error: found ','
