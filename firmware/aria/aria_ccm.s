// ARIA (RFC 5794), two rounds per instruction: CCM (SP 800-38C). The routines and their headers: common/ccm.inc.

        .include "block.inc"
        .include "../common/ccm.inc"

        ccm_routines aria
