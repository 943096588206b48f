// AES (FIPS 197), each block computed twice as in aes_twice.s: decryption in GCM (SP 800-38D), whose plaintext the host
// sees with a right tag only, and if both computations agree.

        .include "block.inc"
        .include "twice_schedule.inc"
        .include "../common/twice_gate.inc"
        .include "twice.inc"
        .include "gcm_twice.inc"
        .include "../common/open_twice.inc"

        .section m1
computed_tag:
        .zero   16

        .section text

        tables  aes
        key_family aes, gcm_key_twice, aes_key_encrypt_twice, gcm_subkeys_twice
        gcm_starts_twice aes

// aes{bits}_gcm_open_twice: P[i] = C[i] ^ E(counter + i), n blocks and up to 15 bytes more, and the check of the tag.
// The message is one job.
//
// Inputs:   both sets of round keys of encryption, twice_h, gcm_mask, aes_length, twice_start, turned_start, twice_ctr,
//           turned_ctr, aes_iv = X, Y; tables; C in m2 from row 0; the last rows of m2: bits of associated data and of
//           text; the tag; ones in its bits
// Outputs:  P in m3 from row 0, and ones in its last row, if the tag is right
// Clobbers: v0-v7, ctr, wk, hold, ar0-ar6
// Memory:   aes_done; aes_iv, twice_ctr, turned_ctr, computed_tag; m2 rows 251 and 252, m3 rows 251 and 252 are
//           scratch, zero at the end
// Time:     constant, whether the tag is right or wrong; depends on n and on the bytes of a last block
// Cycles:   (2b + 4)n + 2b + 183, even n
        .macro  gcm_open_twice c, n
        call    .L_text_\n
        gcm_states \c
        arset   in, open_lengths
        call    .L_tag_\n
        jmp     .L_opened
        .endm

// aes{bits}_gcm_decrypt_twice: P[i] = C[i] ^ E(counter + i), n blocks and up to 15 bytes more; C is hashed. Of a
// message that is longer than a job, whose tag has been found right before.
//
// Inputs:   both sets of round keys of encryption, twice_h, gcm_mask, aes_length, twice_ctr, turned_ctr, aes_iv = X, Y;
//           tables; C in m2 from row 0
// Outputs:  P in m3 from row 0, a last block zero after its bytes; twice_ctr, turned_ctr, aes_iv
// Clobbers: v0-v7, ctr, wk, hold, ar0-ar6
// Memory:   aes_done; m2 rows 251 and 252, m3 rows 251 and 252 are scratch, zero at the end
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   (2b + 4)n + 126, even n
        .macro  gcm_decrypt_twice c, n
        call    .L_text_\n
        jmp     .L_decrypted
        .endm

// aes{bits}_gcm_verify_twice: checks a tag.
//
// Inputs:   both sets of round keys of encryption, twice_h, gcm_mask, twice_start, turned_start, aes_iv = X, Y; tables;
//           bits of associated data and of text in m2 row 0; the tag in m2 row 1, ones in its bits in m2 row 2
// Outputs:  m3 row 0: ones if it is correct, else zero
// Clobbers: v0-v4, v6, v7, wk, ar0
// Memory:   aes_done; computed_tag
// Time:     constant, whether it is right or wrong
// Cycles:   2b + 103
        .macro  gcm_verify_twice c, n
        close
        close
        arset   in, 0
        call    .L_tag_\n
        jmp     .L_verified
        .endm

// Text and tag, which the routines above call.
        .macro  gcm_called c, n
.L_text_\n:
        close
        close
        gcm_text_twice \c, \n, m3, m2
        ret
.L_tag_\n:
        gcm_tag_twice \c, \n, m2[in], m1[computed_tag]
        ret
        .endm
        gcm_known_schedule
        gcm_called aes, aes128_steps
        gcm_called aes, aes192_steps
        gcm_called aes, aes256_steps
.L_subkeys:
        gcm_subkeys_called aes
.L_last_pair:
        gcm_last_pair m3, m2
.L_partial:
        gcm_partial_decrypt aes
.L_decrypted:
        gcm_text_end_twice aes
        twice_open aes
        twice_opens aes, out, bytes

        family  aes, gcm_open_twice, gcm_open_twice
        family  aes, gcm_decrypt_twice, gcm_decrypt_twice
        family  aes, gcm_verify_twice, gcm_verify_twice
