// Camellia (RFC 3713), each block computed twice on different gates and tables, for a core with extension `close`: CTR
// (SP 800-38A). A single fault of the datapath gives no wrong output (docs/faults.md).

        .include "twice.inc"

        key_family camellia, key_encrypt_twice, key_encrypt_twice
        keys_twice_long encrypt
        family  camellia, ctr_twice, ctr_twice
        twice_end camellia
        camellia_known_layers
        camellia_known_schedule encrypt, camellia_known_text, camellia_known_code
