// AES (FIPS 197): feedback modes with two interleaved streams. The modes and their headers: common/modes_x2.inc.

        .include "block.inc"
        .include "inverse.inc"
        .include "../common/modes_x2.inc"
        .include "setup.inc"

        family_x2 aes, _inverse
