// ARIA (RFC 5794), two rounds per instruction: CCM (SP 800-38C) whose plaintext a core with extension `close` gives out
// with a right tag only. The routines and their headers: common/ccm.inc, common/ccm_open.inc.

        .include "block.inc"
        .include "../common/ccm_open.inc"

        ccm_open_routines aria
