// Kuznyechik (GOST R 34.12-2015, RFC 7801), a block in a register. R shifts the state by a byte, and the new one is the
// sum of all of them, each times its coefficient: a look-up in t1, and four folds. t0 has the S-box.

        .global kuznyechik_job
        .alias  in, ar0
        .alias  out, ar1
        .alias  key, ar3
        .alias  blocks, ar5

kuznyechik_job:
        vtoar   blocks, m1[0], 7
        arset   in, 0
        arset   out, 0
        repeat  blocks, .L_end
        arset   key, 0
        mov     %block, m2[in++]
        xor     %block, %block, m0[key++]
        repeat  9, .L_rounds
        tbl0    %block, %block
        repeat  16, .L_linear
        tbl1    %sum, %block
        rotx    %sum, %sum, %sum, 64
        rotx    %sum, %sum, %sum, 32
        rotx    %sum, %sum, %sum, 16
        rotx    %sum, %sum, %sum, 8
        align   %block, %sum, %block, 15
.L_linear:
        xor     %block, %block, m0[key++]
.L_rounds:
        mov     m3[out++], %block
.L_end:
        halt
