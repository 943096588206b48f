// Camellia (RFC 3713), each block computed twice on different gates and tables, for a core with extension `close`: ECB
// and CBC (SP 800-38A). A single fault of the datapath gives no wrong output (docs/faults.md).

        .include "twice.inc"

        key_family camellia, key_encrypt_twice, key_encrypt_twice
        keys_twice_long encrypt
        key_family camellia, key_decrypt_twice, key_decrypt_twice
        keys_twice_long decrypt
        family  camellia, ecb_twice, ecb_twice
        family  camellia, cbc_encrypt_twice, cbc_encrypt_twice
        family  camellia, cbc_decrypt_twice, cbc_decrypt_twice
        cbc_decrypt_twice_end camellia
        twice_end camellia
        camellia_known_layers
        camellia_known_schedule encrypt, camellia_known_text, camellia_known_code
        camellia_known_schedule decrypt, camellia_known_code, camellia_known_text
