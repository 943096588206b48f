        bz      ar0, .L_skip
        mov     %x, m0[0]
.L_skip:
        mov     m1[0], %x               // error at 24: '%x' is used before it is set | set it on every path
        halt
