// Operations of the stream with ZUC-256 as 3GPP has it (TS 35.246 to 35.248): 256-NEA6, 256-NIA6 and 256-NCA6;
// operations.toml lists them.

// Registers of the stream keep their values from routine to routine.
        .allow  "unset-register"

initial_clocks = 48

        .include "stream.inc"
        .include "lte.inc"
        .include "zuc.inc"
        .include "sst.inc"

        .section m0
        .org    constants
        .include "sst_aead.inc"

// The LFSR words, from the most significant bit on: 8 bits of the key, 7 constant ones, 8 and 8 bits of key or IV.
// Each of these has control vectors for four words each.
        .section m1
zuc256_key_bytes:                       // k0 to k15, at the top of the words
        .row    "00808080018080800280808003808080"
        .row    "04808080058080800680808007808080"
        .row    "08808080098080800a8080800b808080"
        .row    "0c8080800d8080800e8080800f808080"
zuc256_more_key_bytes:                  // k16 to k31, counted from 0
        .row    "80800008808001098080020a8080030b"
        .row    "8080040c8080050d8080060e80808080"
        .row    "80808080808080808080808080808080"
        .row    "8080808080808080808080808080070f"
zuc256_iv_bytes:
        .row    "80808080808080808080808080808080"
        .row    "80808080808080808080808080800008"
        .row    "808001098080020a8080030b8080040c"
        .row    "8080050d8080060e8080070f80808080"
zuc256_d:
        .row    "0064000000430000007b0000002a0000"
        .row    "00110000000500000051000000420000"
        .row    "001a0000003100000018000000660000"
        .row    "00140000002e000000010000005c0000"

        .section text

        .alias  key_low, v0             // of a job that sets a key
        .alias  key_high, v3
        .alias  more_bytes, v4

        .macro  zuc256_read_key
        mov     key_low, m2[in]
        mov     m2[in+=s%], zero
        mov     key_high, m2[in]
        mov     m2[in+=s%], zero
        .endm

        .macro  zuc256_key_row n
        perm    scratch, key_low, m1[zuc256_key_bytes + 16 * \n]
        perm    more_bytes, key_high, m1[zuc256_more_key_bytes + 16 * \n]
        rotx    scratch, scratch, m1[zuc256_d + 16 * \n], 127
        xor     m0[key++], scratch, more_bytes
        .endm

// zuc256_set_key: a key to its context, or zeros if the job has no key. Rows 0 to 3 of m0 have the LFSR words without
// the IV.
//
// Inputs:   ar0, a job: its text is the key
// Outputs:  m0, m1
// Clobbers: v0, v2-v4, ar0, ar2, ar3, ar5, ar6
// Memory:   m2: the key is cleared
// Time:     constant; depends on whether there is a key
        .global zuc256_set_key
zuc256_set_key:
        zuc_set_keys zuc256

        .macro  zuc256_lanes
        .endm

        .macro  zuc256_load context
        zuc_load_words zuc256, \context
        .endm

// zuc256_nea6: jobs with text of any length, either direction.
//
// Inputs:   ar0, ar1, jobs; c0 of the chunk before
// Outputs:  m3
// Clobbers: v0-v2, v5-v7, c0, c1, ar0-ar7
// Time:     constant; depends on the lengths
        .global zuc256_nea6
zuc256_nea6:
        lte     zuc256, zuc

        .macro  zuc256_masks
        ctxld   c0, context_registers, zero
        zuc256_load c0
        lte_initialise c0, zuc
        zuc256_mask mask_h
        zuc256_mask mask_q
        zuc256_mask mask_p
        .endm
        .macro  zuc256_mask mask
        zuc     c0
        zuc     c0
        zuc     c0
        zucx    \mask, c0, c0
        .endm

// zuc256_nia6: jobs with text of any length; the tag is made, up to 16 bytes.
//
// Inputs:   ar0, ar1, jobs; v4-v6 and the hash unit of the chunk before
// Outputs:  m3
// Clobbers: v0-v7, c0, ar0-ar7
// Time:     constant; depends on the length
        .global zuc256_nia6
zuc256_nia6:
        sst_mac zuc256

        .macro  zuc256_aead_begin
        zuc256_masks
        mov     m0[sst_p], mask_p
        sst_begin mask_h, mask_q
        .endm

        .macro  zuc256_hash_begins
        mov     order, m1[reversed]
        .endm
        .macro  zuc256_hash_ends
        .endm

        .macro  zuc256_aead_rows
        bz      bytes, .L_whole\@
        aradd   blocks, blocks, 1
.L_whole\@:
        repeat  blocks, .L_rows\@
        lte_row zuc
.L_rows\@:
        .endm

        .macro  zuc256_aead_text opening
        sst_two_passes zuc256, \opening
        .endm

// zuc256_nca6_encrypt, zuc256_nca6_decrypt: jobs with associated data and text of any lengths; the tag is made or
// checked.
//
// Inputs:   ar0, ar1, jobs; c0 and the hash unit of the chunk before
// Outputs:  m3
// Clobbers: v0-v6, c0, ar0-ar7
// Memory:   m0
// Time:     constant; depends on the lengths, and on the outcome for a tag
        .global zuc256_nca6_encrypt, zuc256_nca6_decrypt
zuc256_nca6_encrypt:
        sst_aead zuc256, 0
zuc256_nca6_decrypt:
        sst_aead zuc256, 1
