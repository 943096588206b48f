// Program flow: two instructions share `repeat`; its label is after the body.
start:
    nop             // => 0100000000000000
    arset ar0, -1   // => 1003fffc00000000
    arset ar0, 0xffff // => 1003fffc00000000
    arwin ar7, 0x100, 0x200 // => 12e0040008000000
    aradd ar1, ar2, -16 // => 132bffc000000000
    arshr ar1, ar2, 15  // => 1528003c00000000
    ctrw 128        // => 1600000000000000
    ctrw 32         // => 1600000800000000
    notify 255      // => 050003fc00000000
    repeat 10, over // => 0a00002800280000
    nop             // => 0100000000000000
over:
    repeat ar3, after // => 0b0c000000340000
    nop             // => 0100000000000000
    call start      // => 0700000000000000
after:
    bz ar1, start   // => 0c04000000000000
    djnz ar5, after // => 0eb7fffc00380000
    jmp . + 2       // => 0600000000480000
    bnf 65535       // => 09000003fffc0000
    halt            // => 0200000000000000
