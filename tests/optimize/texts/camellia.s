// Camellia-128-ECB (RFC 3713), two blocks packed in a pair of registers, two rounds of both per instruction. Moves are
// parallel: an instruction loads the first block of the next pair, another one stores the second block of the pair before.

        .global camellia_job
        .alias  in, ar0
        .alias  out, ar1                // row 0 of m3 gets what is before the first pair
        .alias  pairs, ar5

camellia_job:
        vtoar   pairs, m1[0x100], 7
        arset   in, 0
        arset   out, 0
        mov     %last, zero
        cam2    {%x, %y}, %last, %last, m0:m1[0], {hold, m2[in++]} // for its move
        repeat  pairs, .L_end
        cam2p   {%x, %y}, m2[in++], hold, m0:m1[0]
        cam2    {%x, %y}, %x, %y, m0:m1[0x10]
        cam2    {%x, %y}, %x, %y, m0:m1[0x20], {hold, m2[in++]}
        cam2fl  {%x, %y}, %x, %y, m0:m1[0x30]
        cam2    {%x, %y}, %x, %y, m0:m1[0x40]
        cam2    {%x, %y}, %x, %y, m0:m1[0x50]
        cam2fl  {%x, %y}, %x, %y, m0:m1[0x60]
        cam2    {%x, %y}, %x, %y, m0:m1[0x70], {m3[out++], %last}
        cam2l   {%x, %last, m3[out++]}, %x, %y, m0:m1[0x80]
.L_end:
        mov     m3[out++], %last
        halt
