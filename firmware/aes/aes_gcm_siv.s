// AES (FIPS 197), two rounds per instruction: GCM-SIV (RFC 8452). The routines and their headers: common/gcm_siv.inc.

        .include "block.inc"
        .include "two_keys.inc"
        .include "../common/gcm_siv.inc"

aes_second_iv     = aes_iv
aes_second_length = aes_length
aes_second_ones   = aes_ones
aes_second_top    = aes_top

        .section text

// aes{bits}_gcmsiv_key: round keys, from which a message derives its own.
//
// Inputs:   aes_key; tables
// Outputs:  key pairs in m0 and m1 from row 0, whitening key in m0 (aes_wk)
// Clobbers: v0, v1, v2 (256), v5 (256), v6, ar0, ar1
// Memory:   m3 rows 0-15 are scratch, zero at the end
// Time:     constant
// Cycles:   69 (128), 83 (256)
        key_member aes, 128, gcmsiv_key, aes_key, done
        key_member aes, 256, gcmsiv_key, aes_key, done

// aes{bits}_gcmsiv_start: begins a message: its keys (4), their round keys, and for decryption its counter.
//
// Inputs:   round keys; tables; the nonce of 12 bytes in m2 row 0; for decryption the tag in row 2
// Outputs:  polyval_h, message_key, message_nonce, message_counter; key pairs in m0 and m1 from aes_second_keys,
//           whitening key in m0 (aes_second_wk); aes_iv = 0
// Clobbers: v0-v2, v4-v7, wk, ar0, ar1
// Memory:   m3 rows 0-15 are scratch, zero at the end
// Time:     constant
// Cycles:   126 (128), 169 (256)
        .macro  aes_gcmsiv_start bits, end
        gcm_siv_begin aes, \bits, aes\bits\()_steps
        aes_linear_\bits message_key
        aes_pairs_encrypt aes\bits\()_rounds, aes_second_keys, aes_second_wk
        aes_wipe_linear
        halt
        .endm
        key_member aes, 128, gcmsiv_start, aes_gcmsiv_start, done
        key_member aes, 256, gcmsiv_start, aes_gcmsiv_start, done

        gcm_siv_routines aes
