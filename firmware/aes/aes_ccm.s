// AES (FIPS 197), two rounds per instruction: CCM (SP 800-38C). The routines and their headers: common/ccm.inc.

        .include "block.inc"
        .include "../common/ccm.inc"

        ccm_routines aes
