        .function f(x) = x / (x - 3)
        .function g(x, y) = f(x) + y
        .array  S, 1, 2, 1 / 0          // error at 26: division by zero
        .array  T, T[1], T[0]           // error at 26: 'T[0]' is defined in terms of itself
        .function loop(x) = loop(x + 1)
        .function here(x) = . + x
        .section m0
        .byte   S[2]
        .byte   g(3, 1)                 // error at 17: division by zero (in f(x) with x = 3
        .byte   S[-1]                   // error at 17: index -1 is out of range | 'S' has 4 entries: 0 to 3
        .byte   S[len(S)]               // error at 17: index 4 is out of range
        .byte   loop(1)                 // error at 17: calls of functions are nested more than 4096 deep | does it call itself forever?
        .byte   here(1)                 // error at 17: '.' has no value here (in here(x) with x = 1
        .byte   f                       // error at 17: 'f' is a function, not a number | usage: f(x)
        .word   S + 1                   // error at 17: 'S' is an array, not a number | write S[INDEX], or len(S)
        .byte   f[1]                    // error at 17: 'f' is not an array | defined in
        .byte   S(1)                    // error at 17: 'S' is not a function | defined in
        .byte   g(1)                    // error at 17: g takes 2 arguments, 1 given | usage: g(x, y)
        .byte   len(1)                  // error at 17: len takes the name of an array
        .byte   x                       // error at 17: undefined symbol 'x'
        .array  Q, 5, 7
        .byte   index(1, 2)             // error at 17: index takes the name of an array and a value
        .byte   index(R)                // error at 17: index takes the name of an array and a value
        .byte   index(f, 2)             // error at 23: 'f' is not an array | defined in
        .byte   index(Q, f(3))          // error at 26: division by zero (in f(x) with x = 3
        .byte   index(Q, 6)             // error at 17: no entry of 'Q' is 6 | 'Q' is defined in
        .array  R, 5, 7, index(R, 5)    // error at 26: 'R[2]' is defined in terms of itself
        .function index(x) = x          // error at 19: 'index' is a built-in function; choose another name
        .function f(y) = 1              // error at 19: 'f' is defined twice
        .function S(y) = 1              // error at 19: 'S' is defined twice
S       = 1                             // error at 1: 'S' is defined twice
        .array  g, 1                    // error at 17: 'g' is defined twice
        .function v0(x) = x             // error at 19: 'v0' names a register or memory
        .function k(ar0) = 1            // error at 21: 'ar0' cannot be a parameter
        .function k(x) == 1             // error at 9: .function takes a name with parameters and an expression
        .function k(x) =                // error: expected an expression, found the end of the line
        .array                          // error at 9: .array takes a name and entries
        .array  S, 4
        .if     len(S)
        .endif
        .array  S, 5                    // error at 17: 'S' cannot get more entries after its first use
        .array  U, "0123 4"             // error at 20: a string in .array must be pairs of hexadecimal digits
