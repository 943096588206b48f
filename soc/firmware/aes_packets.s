// Operations of the stream with AES for packets (FIPS 197): as in aes.s, and from packet to packet without a stop;
// operations.toml lists them.

// Registers of the stream keep their values from routine to routine.
        .allow  "unset-register"

packets = 1

        .include "stream.inc"
        .include "aes_memory.inc"

// The S-box in all lanes of both banks.
        .section t0:t1.*
        .byte   aes_sbox

        .include "aes_key.inc"
        .include "packets.inc"
        .include "aes_ctr_packets.inc"
        .include "aes_ctr.inc"
        .include "aes_gcm_packets.inc"
        .include "aes_gcm.inc"
