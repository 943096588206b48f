// Operations of the stream with AES (FIPS 197); operations.toml lists them.

// Registers of the stream keep their values from routine to routine.
        .allow  "unset-register"

        .include "stream.inc"
        .include "aes_memory.inc"
        .include "aes_key.inc"
        .include "aes_ctr.inc"
        .include "aes_gcm.inc"
