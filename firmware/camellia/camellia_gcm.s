// Camellia (RFC 3713), two rounds per instruction, one block in a pair of registers: GCM (SP 800-38D). The routines
// and their headers: common/gcm.inc.

        .include "block.inc"
        .include "../common/gcm.inc"

        gcm_routines camellia
