    .include "err_include/broken.inc"
    .include "err_include.s2" // error: cannot find 'err_include.s2'
    .include                  // error: .include takes one string
    .include "err_include/loop.inc"
