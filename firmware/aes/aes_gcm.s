// AES (FIPS 197), two rounds per instruction: GCM (SP 800-38D). The routines and their headers: common/gcm.inc.

        .include "block.inc"
        .include "../common/gcm.inc"

        gcm_routines aes
