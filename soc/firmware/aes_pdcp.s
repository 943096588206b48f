// Operations of the stream with AES for PDCP (FIPS 197): counter mode and CMAC, which are 128-NEA2, 128-NIA2 and
// 256-NEA5, 256-NIA5 (TS 35.244) and 256-NCA5 (TS 35.245); operations.toml lists them.

// Registers of the stream keep their values from routine to routine.
        .allow  "unset-register"

        .include "stream.inc"
        .include "aes_memory.inc"

// The S-box in all lanes of both banks.
        .section t0:t1.*
        .byte   aes_sbox

// Registers that aes_chain.inc takes.
        .alias  header, v5
        .alias  back, v6                // control vector that reverses bytes
        .alias  tag, ar7                // 1 + bytes of the tag in the last chunk

        .include "aes_key.inc"
        .include "aes_ctr.inc"
        .include "aes_chain.inc"

        .section m1
        .align  16
        .include "sst.inc"

        .section m0
        .org    constants
        .include "sst_aead.inc"

        .section m1
nia5_counter:                           // the IV has 12 bytes, the counter begins at 0
        .row    "ffffffffffffffffffffffff00000000"
nia5_hash:                              // distinguishes H, Q and P from keystream
        .row    "01000000000000000000000000000000"

        .section text

        .alias  iv, v0

// H, Q and P are the first three counter blocks, encrypted next to each other.
        .macro  aes256_masks
        and     iv, iv, m1[nia5_counter]
        mov     wk, m0[key++]
        xor     ctr, iv, m1[nia5_hash]
        aes256_three aesenc2, ctr++ ^ wk, ctr++ ^ wk, ctr++ ^ wk
        .rept   5
        aes256_three aesenc2, mask_h, mask_q, mask_p
        .endr
        aes256_three aesenc2l, mask_h, mask_q, mask_p
        .endm
        .macro  aes256_three rounds, h, q, p
        \rounds mask_h, \h, m0:m1[key]
        \rounds mask_q, \q, m0:m1[key]
        \rounds mask_p, \p, m0:m1[key++]
        .endm

// aes256_nia5: jobs with text of any length; the tag is made, up to 16 bytes.
//
// Inputs:   ar0, ar1, jobs; v4-v6 and the hash unit of the chunk before
// Outputs:  m3
// Clobbers: v0, v1, v3-v7, ctr, wk, ar0-ar7
// Time:     constant; depends on the length
        .global aes256_nia5
aes256_nia5:
        ctrw    32
        sst_mac aes256

// 256-NCA5: the loop of counter mode (aes_ctr.inc), in which a row of ciphertext is hashed in parallel. What is sealed
// is hashed a block later.

        .alias  sealed, v3              // ciphertext of the block before

        .macro  aes256_aead_begin
        aes256_masks
        mov     m0[sst_p], mask_p
        mov     ctr, iv
        sst_begin mask_h, mask_q
        vtoar   key, m0[sst_job], header_key
        aradd   key, key, 16
        aesenc2 begun, ctr++ ^ wk, m0:m1[key++]
        aesenc2 begun, begun, m0:m1[key++]
        aesenc2 begun, begun, m0:m1[key]
        .endm

        .macro  aes256_hash_begins
        mov     order, m1[reversed]
        .endm

        .macro  aes256_open_turn
        perm    absorbed, m2[in], order
        aesenc2 ended, begun, m0:m1[key-=s], gh_step
        aesenc2 begun, ctr++ ^ wk, m0:m1[key++], gh_step
        aesenc2 ended, ended, m0:m1[late++], gh_step
        aesenc2 begun, begun, m0:m1[key++]
        ghadd   absorbed, gh_step
        aesenc2 ended, ended, m0:m1[late++]
        aesenc2 begun, begun, m0:m1[key++]
        aesenc2l m3[out+=s%], ended, m0:m1[late-=s], m2[in+=s%]
        .endm

// hashed: 0 in the first turn, which no block comes before.
        .macro  aes256_seal_turn hashed
        aesenc2 ended, begun, m0:m1[key-=s], \hashed * gh_step
        aesenc2 begun, ctr++ ^ wk, m0:m1[key++], \hashed * gh_step
        .if     \hashed
        perm    absorbed, sealed, order
        .endif
        aesenc2 ended, ended, m0:m1[late++], \hashed * gh_step
        aesenc2 begun, begun, m0:m1[key++]
        .if     \hashed
        ghadd   absorbed, gh_step
        .endif
        aesenc2 ended, ended, m0:m1[late++]
        aesenc2 begun, begun, m0:m1[key++]
        aesenc2l {sealed, m3[out+=s%]}, ended, m0:m1[late-=s], m2[in+=s%]
        .endm

        .macro  aes256_aead_text opening
        vtoar   key, m0[sst_job], header_key
        sst_size
        aradd   late, key, 16 * 5
        aradd   key, key, 16 * 4
        bz      blocks, .L_partial\@
        .if     \opening
        repeat  blocks, .L_blocks\@
        aes256_open_turn
.L_blocks\@:
        .else
        aradd   blocks, blocks, -1
        aes256_seal_turn 0
        repeat  blocks, .L_blocks\@
        aes256_seal_turn 1
.L_blocks\@:
        perm    absorbed, sealed, order
        sst_absorb
        .endif
.L_partial\@:
        bz      bytes, .L_whole\@
        aesenc2 ended, begun, m0:m1[key]
        partial_mask kept
        aesenc2 ended, ended, m0:m1[late++]
        aesenc2 ended, ended, m0:m1[late++]
        .if     \opening
        perm    absorbed, m2[in], order
        aesenc2l m3[out+=s%], ended, m0:m1[late], m2[in+=s%]
        .else
        aesenc2l ended, ended, m0:m1[late], m2[in+=s%]
        and     {absorbed, m3[out+=s%]}, ended, kept
        perm    absorbed, absorbed, order
        .endif
        sst_absorb
.L_whole\@:
        .endm

// aes256_nca5_encrypt, aes256_nca5_decrypt: jobs with associated data and text of any lengths; the tag is made or
// checked.
//
// Inputs:   ar0, ar1, jobs; v0, ctr and the hash unit of the chunk before
// Outputs:  m3
// Clobbers: v0-v6, ctr, wk, ar0-ar7
// Memory:   m0
// Time:     constant; depends on the lengths, and on the outcome for a tag
        .global aes256_nca5_encrypt, aes256_nca5_decrypt
        .macro  aes256_nca5 opening
        arstep  key, 48
        arstep  late, 32
        ctrw    32
        sst_aead aes256, \opening
        .endm
aes256_nca5_encrypt:
        aes256_nca5 0
aes256_nca5_decrypt:
        aes256_nca5 1
