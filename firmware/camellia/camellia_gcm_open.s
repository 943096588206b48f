// Camellia (RFC 3713), two rounds per instruction, one block in a pair of registers: GCM (SP 800-38D) whose plaintext a
// core with extension `close` gives out with a right tag only. The routines and their headers: common/gcm.inc,
// common/gcm_open.inc.

        .include "block.inc"
        .include "../common/gcm_open.inc"

        gcm_open_routines camellia
