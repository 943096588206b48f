// Parameters, defaults, keywords, unique labels, nesting, repetition.
    .macro load reg, row=m2[ar0++]
    mov \reg, \row
    .endm
    load v1                    // => 201cb00220000000
    load v2, m3[0x10]          // => 202cb00380800000
    load row = m1[0], reg = v3 // => 203cb00180000000
    .macro both a, b
    load v\a
    load v\b, m3[ar1\()++]
    .endm
    both 4, 5                  // => 204cb00220000000 205cb00322000000
    .macro spin reg
.L_again\@: djnz \reg, .L_again\@
    .endm
    spin ar1                   // => 0e27fffc00140000
    spin ar2                   // => 0e4bfffc00180000
here: spin ar3                 // => 0e6ffffc001c0000
    .rept 2
    arset ar\+, \+ * 16        // => 1000000000000000 1020004000000000
    .endr
    .rept 2
    arset ar\+, 1              // => 1000000400000000 1020000400000000
    .rept 2
    arset ar7, \+              // => 10e0000000000000 10e0000400000000 10e0000000000000 10e0000400000000
    .endr
    .endr
    .rept 0
    this is not read
    .endr
    .macro sum first, rest
    mov v0, \first             // a macro's line belongs to its call
    .endm
    sum v1 ^ v2 ^ wk, 0        // => 2001280000000000
