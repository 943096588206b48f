        .interleave 2                   // error at 9: the streams of .interleave run one after the other
        mov     %x, m2[ar0]
        xor     m2[ar0++], %x, zero
        .endi
        .interleave 2
.L_l:   mov     %x, m2[ar0]             // error: a label cannot be interleaved | put it before .interleave
        bz      ar0, 0                  // error at 9: bz cannot be interleaved | put the transfer around
        mov     m3[ar1], %x
        .endi
        .interleave 2
        .interleave 2                   // error: .interleave within another
        .endi
        .endi
        .interleave 2
        .insn   0                       // error: .insn cannot be interleaved | only instructions can
        .endi
        halt
        .interleave 2                   // error: .interleave without .endi
