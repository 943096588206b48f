// Camellia (RFC 3713), two rounds per instruction, one block in a pair of registers: CCM (SP 800-38C) whose plaintext a
// core with extension `close` gives out with a right tag only. The routines and their headers: common/ccm.inc,
// common/ccm_open.inc.

        .include "block.inc"
        .include "../common/ccm_open.inc"

        ccm_open_routines camellia
