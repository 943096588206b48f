// ARIA (RFC 5794), two rounds per instruction: CMAC (SP 800-38B). The routines and their headers: common/mac.inc.

        .include "block.inc"
        .include "../common/mac.inc"

        cmac_routines aria
