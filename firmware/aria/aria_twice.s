// ARIA (RFC 5794), each block computed twice on different gates and tables, for a core with extension `close`: ECB and
// CBC (SP 800-38A). A single fault of the datapath gives no wrong output (docs/faults.md).

        .include "twice.inc"

        key_family aria, key_encrypt_twice, key_encrypt_twice, twice_done
        key_family aria, key_decrypt_twice, key_decrypt_twice, twice_done
        family  aria, ecb_twice, ecb_twice
        family  aria, cbc_encrypt_twice, cbc_encrypt_twice
        family  aria, cbc_decrypt_twice, cbc_decrypt_twice
        cbc_decrypt_twice_end aria
        twice_end aria
        again_called 128
        again_called 192
        again_called 256
        aria_known_schedule encrypt, aria_known_text, aria_known_code
        aria_known_schedule decrypt, aria_known_code, aria_known_text
