    arset ar0, 1 / 0        // error: division by zero
    arset ar0, 1 % (2 - 2)  // error: division by zero
    arset ar0, 1 << -1      // error: shift by -1 is out of range
    arset ar0, 1 << 2000    // error: shift by 2000 is out of range
    arset ar0, nowhere      // error: undefined symbol 'nowhere'
    arset ar0, couner       // error: undefined symbol 'couner' | did you mean 'counter'?
    .equ counter, 1
    .equ a, b + 1
    .equ b, a - 1           // error at 13: 'a' is defined in terms of itself
    arset ar0, a
    .equ c, 1 / 0           // error at 13: division by zero
    arset ar0, c            // follows from the line above
    .equ unused, 4 % 0      // error at 18: division by zero
    .section m0
    .byte 256               // error: 256 is out of range | legal: -128 to 255
    .byte -129              // error: -129 is out of range
    .half 65536             // error: 65536 is out of range
    .quad 1 << 64           // error: the value is out of range
