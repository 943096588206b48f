// Camellia (RFC 3713), two rounds per instruction, one block in a pair of registers: CCM (SP 800-38C). The routines
// and their headers: common/ccm.inc.

        .include "block.inc"
        .include "../common/ccm.inc"

        ccm_routines camellia
