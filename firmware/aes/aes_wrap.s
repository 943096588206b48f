// AES (FIPS 197): key wrap KW and KWP (SP 800-38F), with the cipher and with its inverse. The routines and their
// headers: common/wrap.inc.

        .include "block.inc"
        .include "inverse.inc"
        .include "../common/wrap.inc"
        .include "setup.inc"

        wrap_routines aes, _inverse
