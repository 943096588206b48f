// Functions and arrays of constants.
        .array  S, "63 7c", 0x77, 1 << 3
        .array  S, last - 1
        .function double(x) = x << 1 ^ (x >> 7) * 0x11b
        .function both(x, y) = double(x) << 8 | S[y]
        .function power(x, n) = n ? x * power(x, n - 1) : 1
        .function five() = len(S)
        .section m0
bytes:  .byte   S, S[four], len(S)
        .half   both(0x80, 1)
        .byte   power(2, 7), five(), S[len(S) - 1]
        .rept   len(S)
        .byte   double(S[\+]) & 0xff
        .endr
        .if     double(1) == 2 && len(S) == 5
        .byte   1 ? 2 : 1 / 0, 0 ? 1 / 0 : 3, 0 ? 1 : 0 ? 2 : 4
        .endif
        // A recurrence: each entry needs the ones before it.
        .array  F, 1, 1
        .rept   8
        .array  F, F[\+] + F[\+ + 1]
        .endr
        .byte   F
        // The inverse of an array, its first entry of a value, and a function that calls itself a thousand times.
        .array  B, 3, 1, 2, 0, 1
        .byte   index(B, 0), index(B, 1), index(B, F[1] + 1), index(B, 3)
        .function sum(n) = n ? n + sum(n - 1) : 0
        .half   sum(1000) & 0xffff
        // A name is known before its definition, and a parameter hides a symbol.
        .byte   below(3)
four    = 4
        .function below(four) = four + one
one     = 1
last    = 0x40
        .section text
        mov     v0, m0[row(1)]      // => 200cb00080800000
        .function row(n) = bytes + 16 * n
// m0[0] = 63 7c 77 08 3f 3f 05 1b 7c 80 05 3f c6 f8 ee 10 7e 02 03 04 01 01 02 03 05 08 0d 15 22 37 03 01 02 00 a3 14 04
