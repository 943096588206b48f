// AES-128-GCM whose plaintext the core gives out with a right tag only (common/gcm_open.inc).

        .include "../../firmware/aes/block.inc"
        .include "../../firmware/common/gcm_open.inc"

        gcm_routines aes
        .global aes128_gcm_open
aes128_gcm_open:
        gcm_open aes, aes128_steps
