// Operations of the stream with AES (FIPS 197) in counter mode and GCM, whose long messages can be authenticated before
// they are decrypted; operations.toml lists them.

// Registers of the stream keep their values from routine to routine.
        .allow  "unset-register"

        .include "stream.inc"
        .include "aes_memory.inc"

// The S-box in all lanes of both banks.
        .section t0:t1.*
        .byte   aes_sbox

        .include "aes_key.inc"
        .include "aes_ctr.inc"
        .include "aes_gcm.inc"
        .include "aes_gcm_verify.inc"
