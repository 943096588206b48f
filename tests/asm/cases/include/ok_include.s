// An included file belongs to the including one; it is looked for next to it.
    .include "ok_include/constants.inc"
    arset ar0, size // => 1000010000000000
    shared_macro v3 // => 203bb00000000000
    .include "ok_include/code.inc"
    call inner      // => 0700000000080000
