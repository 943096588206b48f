// AES (FIPS 197), each block computed twice as in aes_twice.s: decryption in CCM (SP 800-38C), whose plaintext the host
// sees with a right tag only, and if both computations agree.

        .include "block.inc"
        .include "twice_schedule.inc"
        .include "../common/twice_gate.inc"
        .include "twice.inc"
        .include "ctr_twice.inc"
        .include "ccm_twice.inc"
        .include "../common/open_twice.inc"
        twice_known enc, 0xfd0                  // behind it a decryption has the tag
        twice_known_schedule

        .section m0
found_tag:
        .zero   16

        .section text

        tables  aes
        key_family aes, key_encrypt_twice, aes_key_encrypt_twice, twice_done
        ccm_begin_twice aes

// aes{bits}_ccm_open_twice: P[i] = C[i] ^ E(counter + i), n blocks and up to 15 bytes more, and the check of the tag.
// The message is one job.
//
// Inputs:   both sets of round keys of encryption, aes_length, ccm_start, again_start, ccm_ctr, again_ctr, aes_iv = both
//           MACs; tables; C in m2 from row 0; the last rows of m2: nothing; the tag; ones in its bits
// Outputs:  P in m2 and m3 from row 0, and ones in the last row of m3, if the tag is right
// Clobbers: v0-v7, ctr, wk, hold, ar0-ar7
// Memory:   aes_done; aes_iv, ccm_ctr, again_ctr, found_tag; m2 rows 252 and 253, m3 rows 252-255 are scratch, zero at
//           the end
// Time:     constant, whether the tag is right or wrong; depends on n and on the bytes of a last block
// Cycles:   (4b + 3)n + 2b + 262
        .macro  ccm_open_twice c, n
        call    .L_job
        call    .L_text_\n
        call    .L_tag_\n
        jmp     .L_found
        .endm

// aes{bits}_ccm_hash_twice: n blocks and up to 15 bytes of C, whose P goes into the MAC and nowhere else: of a message
// that is longer than a job, before it is decrypted.
//
// Inputs:   as for decryption
// Outputs:  ccm_ctr, again_ctr, aes_iv; m2 and m3 are zero up to the last row of the job
// Clobbers: v0-v7, ctr, wk, hold, ar0-ar7
// Memory:   aes_done; m2 rows 252 and 253, m3 rows 252-255 are scratch, zero at the end
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   (4b + 7)n + 216
        .macro  ccm_hash_twice c, n
        call    .L_job
        call    .L_text_\n
        jmp     .L_hashed
        .endm

// aes{bits}_ccm_decrypt_twice: P[i] = C[i] ^ E(counter + i), n blocks and up to 15 bytes more, P into the MAC. Of a
// message that is longer than a job, whose tag has been found right before.
//
// Inputs:   both sets of round keys of encryption, aes_length, ccm_ctr, again_ctr, aes_iv = both MACs; tables; C in m2
//           from row 0
// Outputs:  P in m2 and m3 from row 0, a last block zero after its bytes; ccm_ctr, again_ctr, aes_iv
// Clobbers: v0-v7, ctr, wk, hold, ar0-ar7
// Memory:   aes_done; m2 rows 252 and 253, m3 rows 252-255 are scratch, zero at the end
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   (4b + 3)n + 206
        .macro  ccm_decrypt_twice c, n
        call    .L_job
        call    .L_text_\n
        jmp     .L_text_end
        .endm

// aes{bits}_ccm_verify_twice: checks a tag.
//
// Inputs:   both sets of round keys of encryption, ccm_start, again_start, aes_iv = both MACs; tables; the tag in m2 row
//           1, ones in its bits in m2 row 2
// Outputs:  m3 row 0: ones if it is correct, else zero
// Clobbers: v1-v4, v6, v7, wk
// Memory:   aes_done; found_tag
// Time:     constant, whether it is right or wrong
// Cycles:   2b + 80
        .macro  ccm_verify_twice c, n
        close
        close
        ghkey   m1[\c\()_ones]
        ghset   zero
        call    .L_tag_\n
        jmp     .L_verified
        .endm

// Text and tag, which the routines above call.
        .macro  ccm_called c, n
.L_text_\n:
        ccm_text_twice \c, \n
        call    .L_moved
        jmp     .L_mac_\n
.L_tag_\n:
        ccm_tag_twice \c, \n, m0[found_tag]
        ret
        .endm
        ccm_called aes, aes128_steps
        ccm_called aes, aes192_steps
        ccm_called aes, aes256_steps
        ccm_called_twice aes
// P to where the MAC reads it.
.L_moved:
        ccm_counters_twice aes
        twice_rows aes, out
        arset   in, 0
        arset   out, 0
        repeat  blocks, .L_moves
        mov     m2[in++], m3[out++]
.L_moves:
        mov     m2[in], m3[out]
        ret

        family  aes, ccm_absorb_twice, ccm_absorb_twice
        family  aes, ccm_open_twice, ccm_open_twice
        family  aes, ccm_hash_twice, ccm_hash_twice
        family  aes, ccm_decrypt_twice, ccm_decrypt_twice
        family  aes, ccm_verify_twice, ccm_verify_twice
// Each row is wiped twice: one instruction that is left out leaves nothing.
.L_hashed:
        .rept   2
        arset   in, 0
        arset   out, 0
        repeat  blocks, .L_wiped\+
        mov     m2[in++], zero
        mov     m3[out++], zero
.L_wiped\+:
        mov     m2[in], zero
        mov     m3[out], zero
        .endr
.L_text_end:
        mov     m2[before_text], zero
.L_open:
        twice_wipe
        twice_open aes
.L_found:
        mov     m2[before_text], zero
        twice_wipe
        jmp     .L_opened
        twice_opens aes, out, bytes
