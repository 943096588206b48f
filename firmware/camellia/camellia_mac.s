// Camellia (RFC 3713), two rounds per instruction, one block in a pair of registers: CMAC (SP 800-38B). The routines
// and their headers: common/mac.inc.

        .include "block.inc"
        .include "../common/mac.inc"

        cmac_routines camellia
