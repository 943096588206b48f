// Kuznyechik as in kuznyechik.s, two blocks at a time.

        .global kuznyechik_job
        .alias  in, ar0
        .alias  out, ar1
        .alias  key, ar3
        .alias  pairs, ar5

kuznyechik_job:
        vtoar   pairs, m1[0], 7
        arshr   pairs, pairs, 1
        arset   in, 0
        arset   out, 0
        repeat  pairs, .L_end
        arset   key, 0
        .rept   2
        mov     %block\+, m2[in++]
        xor     %block\+, %block\+, m0[key]
        .endr
        repeat  9, .L_rounds
        aradd   key, key, 16
        .rept   2
        tbl0    %block\+, %block\+
        .endr
        repeat  16, .L_linear
        .interleave 2
        tbl1    %sum, %block\+
        rotx    %sum, %sum, %sum, 64
        rotx    %sum, %sum, %sum, 32
        rotx    %sum, %sum, %sum, 16
        rotx    %sum, %sum, %sum, 8
        align   %block\+, %sum, %block\+, 15
        .endi
.L_linear:
        .rept   2
        xor     %block\+, %block\+, m0[key]
        .endr
.L_rounds:
        .rept   2
        mov     m3[out++], %block\+
        .endr
.L_end:
        halt
