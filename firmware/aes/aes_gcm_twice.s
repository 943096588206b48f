// AES (FIPS 197), each block computed twice as in aes_twice.s: encryption in GCM (SP 800-38D).

        .include "block.inc"
        .include "twice_schedule.inc"
        .include "../common/twice_gate.inc"
        .include "twice.inc"
        .include "gcm_twice.inc"

        twice_known enc
        gcm_known_schedule

        .section m1
known_hash:                                     // what `.L_known_hash` has to find
        .row    "1ec22cbd3b2fc90e632cf738f0cecc01"
        .row    "c0d1df7e68b35d200bc97d0285d21250" // the next block, which inverts it

        .section text

        tables  aes
        key_family aes, gcm_key_twice, aes_key_encrypt_twice, gcm_subkeys_twice
        gcm_starts_twice aes

// aes{bits}_gcm_encrypt_twice: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more; C is hashed.
//
// Inputs:   both sets of round keys of encryption, twice_h, gcm_mask, aes_length, twice_ctr, turned_ctr, aes_iv = X, Y;
//           tables; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero after its bytes; twice_ctr, turned_ctr, aes_iv
// Clobbers: v0-v7, ctr, wk, hold, ar0-ar6
// Memory:   aes_done; m2 rows 251, 252 and 255, m3 rows 251, 252 and 255 are scratch, zero at the end
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   (2b + 4)n + 181, even n
        .macro  gcm_encrypt_twice c, n
        close
        close
        call    .L_known
        gcm_text_twice \c, \n, m2, m3
        jmp     .L_text_end
        .endm

// aes{bits}_gcm_tag_twice: the tag.
//
// Inputs:   both sets of round keys of encryption, twice_h, gcm_mask, twice_start, turned_start, aes_iv = X, Y; tables;
//           bits of associated data and of text in m2 row 0
// Outputs:  the tag of 128 bits in m3 row 0
// Clobbers: v0-v4, v6, v7, wk, ar0
// Memory:   aes_done
// Time:     constant
// Cycles:   2b + 192
        .macro  gcm_tag_alone_twice c, n
        close
        close
        call    .L_known_hash
        gcm_tag_twice \c, \n, m2[0], m3[0]
        jmp     .L_open
        .endm

        family  aes, gcm_encrypt_twice, gcm_encrypt_twice
        family  aes, gcm_tag_twice, gcm_tag_alone_twice
// Blocks that are known, before each job of text: a gate that does the same to both computations.
.L_known:
        ghkey   m1[aes_ones]
        ghset   zero
        call    twice_known_enc
        mov     m3[last_row], zero
        twice_compared aes, .L_trap
        ret

// A hash that is known, before each tag, which alone depends on hashes: of the rows of the S-box but for the first one,
// each with the row before it as factor. A gate between bits of the factor shows with some factors only.
.L_known_hash:
        arset   in, aes_sbox
        ghset   zero
        repeat  15, .L_known_rows
        ghkey   m1[in++]
        ghadd   m1[in]
        gcm_product
.L_known_rows:
        ghout   first, zero
        cmp     first, m1[known_hash]
        bnf     .L_trap
        ghadd   m1[known_hash + 16]
        gcm_product
        ghout   first, m1[aes_ones]
        cmp     first, m1[known_hash]
        bnf     .L_trap
        ret
.L_subkeys:
        gcm_subkeys_called aes
.L_last_pair:
        gcm_last_pair m2, m3
.L_partial:
        gcm_partial_encrypt aes
.L_text_end:
        gcm_text_end_twice aes
.L_open:
        twice_open aes
