        mov     %a, m0[0]
        mov     %b, m0[0]
        mov     %c, m0[0]
        mov     %d, m0[0]
        mov     %e, m0[0]
        mov     %f, m0[0]
        mov     %g, m0[0]
        mov     %h, m0[0]
        mov     %i, m0[0]               // error at 9: 9 values are alive here, there are 8 registers | %a (line 1), %b (line 2)
        xor     m1[0], %a, %b
        xor     m1[0], %c, %d
        xor     m1[0], %e, %f
        xor     m1[0], %g, %h
        xor     m1[0], %i, %a
        halt
