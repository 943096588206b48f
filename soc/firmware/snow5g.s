// Operations of the stream with SNOW 5G: 256-NEA4, 256-NIA4 and 256-NCA4 (TS 35.240 to 35.242);
// operations.toml lists them.
//
// Register A of the LFSRs is a sequence of words in m1, as in firmware/snow5g/memory.inc, from snow5g_words on: a part
// of a text appends up to snow5g_part rows, then the last two rows are moved to the beginning. B and the FSM are in
// vector registers, also between chunks.

// Registers of the stream keep their values from routine to routine.
        .allow  "unset-register"

        .include "stream.inc"
        .include "aes_sbox.inc"

initial_rows = 16
snow5g_part  = 32                       // rows of text in a part

// The S-box in all lanes of both banks.
        .section t0:t1.*
        .byte   aes_sbox

        .section m0
        .org    constants
snow5g_sigma:                           // control vectors: sigma of bytes in pairs, to bytes in order
        .row    "0105090d0004080c03070b0f02060a0e"
snow5g_sigma_pairs:                     // to bytes in pairs
        .row    "05010d0904000c0807030f0b06020e0a"
snow5g_alpha:                           // added by the LFSRs' multiplications to a word that shifts out a one
        .row    "4a6d4a6d4a6d4a6d4a6d4a6d4a6d4a6d"
snow5g_beta:
        .row    "cc87cc87cc87cc87cc87cc87cc87cc87"

        .section m1
snow5g_sigma_key:                       // sigma of bytes in order, to bytes in pairs
        .row    "04000c0805010d0906020e0a07030f0b"
snow5g_words:
        .zero   16 * (2 + initial_rows + snow5g_part + 1)
        .org    16 * 250
        .zero   16                      // at snow5g_zero: round key of a second round
snow5g_key_row:                         // of the key, which enters R1
        .zero   16
snow5g_masks:                           // keystream that is H, Q and P; then a register while rows are hashed
        .zero   48

        .section text

        .alias  iv, v0
        .alias  a0, v0                  // words 0 to 7 of A, or 8 to 15 after an odd number of steps
        .alias  a1, v1                  // words 8 to 15
        .alias  b0, v2
        .alias  b1, v3
        .alias  c, v4                   // R1 before sigma, bytes in pairs
        .alias  d, v6                   // R2; after an odd number of steps c and d are swapped
        .alias  r1, v5
        .alias  sum, v7                 // R3 and words 8 to 15 of A, bytes in pairs
        .alias  r3_next, ctr            // R3 of the next row
        .alias  low, ar2                // words 0 to 7 of A; after `key` was used
        .alias  tap, ar4                // words 7 to 14; after `bytes` was used
        .alias  new, ar6                // the row after them; after `first` was looked at
        .alias  tagged, ar5             // lane `tag`: not 0 in the last chunk; before the next `more`
        .alias  pairs, ar7              // pairs of rows in a part

        .include "sst.inc"
        .include "sst_aead.inc"

        .section m0
        .org    16 * 250
snow5g_zero:                            // round key
        .zero   16

        .section text

// snow5g_set_key: a key to its context, or zeros if the job has no key. Row 0 has what of the key is loaded into A and
// B, row 1 what enters R1; the first half is in m0, the second in m1. Without a key, rows of A are cleared, too.
//
// Inputs:   ar0, a job: its text is the key
// Outputs:  m0, m1
// Clobbers: v0, v1, v5, ar0, ar2, ar3, ar5, ar6
// Memory:   m2: the key is cleared
// Time:     constant; depends on whether there is a key

        .alias  half0, v0
        .alias  half1, v1
        .alias  control, v5

        .global snow5g_set_key
snow5g_set_key:
        vtoar   key, m2[in], header_key
.L_set:
        repeat  jobs, .L_set_jobs
        vtoar   blocks, m2[in+=s%], header_blocks
        mov     half0, m2[in+=s%]
        mov     control, m1[snow5g_sigma_key]
        bz      blocks, .L_clear
        mov     half0, m2[in+=s%]
        mov     half0, m2[in]
        mov     m2[in+=s%], zero
        mov     half1, m2[in]
        mov     m2[in+=s%], zero
        rotx16  m0[key], half0, zero, 8
        rotx16  m1[key++], half1, zero, 8
        perm    m0[key], half0, control
        perm    m1[key], half1, control
.L_set_done:
        next_job .L_snow5g_stop
.L_set_jobs:
        jmp     .L_set
.L_clear:
        clear_context half0
        arset   low, snow5g_words
        repeat  2 + initial_rows + snow5g_part + 1, .L_words_cleared
        mov     m1[low++], zero
.L_words_cleared:
        mov     m1[snow5g_key_row], zero
        .rept   3
        mov     m1[snow5g_masks + 16 * \+], zero
        .endr
        jmp     .L_set_done

        .macro  snow5g_addresses
        arset   low, snow5g_words
        arset   tap, snow5g_words + 14
        arset   new, snow5g_words + 32
        .endm

// One row, and eight clocks of the LFSRs, as in firmware/snow5g/machine.inc: 12 instructions with text, 13 otherwise,
// none of which waits. use: what becomes of the keystream: it is 0 for initialisation, 1 for text, or 2 and more for
// row use - 2 of snow5g_masks.
        .macro  snow5g_step a_low, a_high, b_low, b_high, t, r2, use
        perm    r1, \t, m0[snow5g_sigma]
        perm    \t, \t, m0[snow5g_sigma_pairs]
        add16   \t, \t, \b_high
        rotx16  \t, \t, \r2, 8
        rotx16  \r2, \r2, zero, 8
        add16   \r2, \r2, sum
        mulxx16 \a_low, \a_low, m0[snow5g_alpha], \b_low, m1[tap++]
        mulxx16 \b_low, \b_low, m0[snow5g_beta], \b_high, m1[low++]
        .if     \use == 1
        rotx16  sum, r3_next, \a_low, 8
        aesenc2 r3_next, r1, m0:m1[snow5g_zero], {m3[out+=s%], \t ^ m2[in+=s%]}
        .else
        .if     \use == 0
        rotx16  \a_low, \t, \a_low, 8
        .else
        mov     m1[snow5g_masks + 16 * (\use - 2)], \t
        .endif
        rotx16  sum, r3_next, \a_low, 8
        aesenc2 r3_next, r1, m0:m1[snow5g_zero]
        .endif
        aesencm \t, r1, m0[snow5g_zero]
        mov     m1[new++], \a_low
        .endm
        .macro  even use
        snow5g_step a0, a1, b0, b1, c, d, \use
        .endm
        .macro  odd use
        snow5g_step a1, a0, b1, b0, d, c, \use
        .endm

// `iv` and the key context into the LFSRs, 16 rows.
        .macro  snow5g_initialise
        rotx16  {a0, m1[snow5g_words]}, iv, zero, 8
        mov     {a1, m1[snow5g_words + 16]}, m0[key]
        mov     b1, m1[key++]
        aesencm r3_next, zero, m0[snow5g_zero]
        mov     b0, zero
        mov     m1[snow5g_key_row], m0[key]
        mov     wk, m1[key]
        mov     c, zero
        mov     d, zero
        mov     sum, a1
        snow5g_addresses
        repeat  initial_rows / 2 - 1, .L_rows\@
        even    0
        odd     0
.L_rows\@:
        even    0
        xor     d, d, m1[snow5g_key_row]
        odd     0
        mov     c, c ^ wk
        .endm

        .macro  snow5g_swap x, y
        mov     r1, \x
        mov     \x, \y
        mov     \y, r1
        .endm
        .macro  snow5g_swap_all
        snow5g_swap a0, a1
        snow5g_swap b0, b1
        snow5g_swap c, d
        .endm

// Rows of a chunk, in parts: `blocks` of them. The next chunk begins with an even step.
        .macro  snow5g_text rows, done
.L_part\@:
        mov     m1[snow5g_words], a0
        mov     m1[snow5g_words + 16], a1
        snow5g_addresses
\rows:
        arshr   pairs, blocks, 5                // blocks / snow5g_part
        bnz     pairs, .L_full\@
        arshr   pairs, blocks, 1
        arand   blocks, blocks, 1
        jmp     .L_pairs\@
.L_full\@:
        arset   pairs, snow5g_part / 2
        aradd   blocks, blocks, -snow5g_part
.L_pairs\@:
        repeat  pairs, .L_rest\@
        even    1
        odd     1
.L_rest\@:
        arshr   pairs, blocks, 1
        bnz     pairs, .L_part\@
        bz      blocks, \done
        even    1
        bnz     tagged, \done
        snow5g_swap_all
\done:
        .endm

// snow5g_nea4: jobs with text of any length, either direction.
//
// Inputs:   ar0, ar1, jobs; v0-v4, v6, v7, ctr of the chunk before
// Outputs:  m3
// Clobbers: v0-v7, ctr, wk, ar0-ar7
// Memory:   m1
// Time:     constant; depends on the lengths
        .global snow5g_nea4
snow5g_nea4:
        vtoar   key, m2[in], header_key
        vtoar   first, m2[in], header_first
.L_nea4:
        repeat  jobs, .L_nea4_jobs
        vtoar   blocks, m2[in], header_blocks
        vtoar   tagged, m2[in], header_tag
        vtoar   bytes, m2[in+=s%], header_bytes
        bz      bytes, .L_nea4_whole
        aradd   blocks, blocks, 1
.L_nea4_whole:
        bnz     first, .L_nea4_first
        mov     r1, m2[in+=s%]
        mov     r1, m2[in+=s%]
        snow5g_text .L_nea4_rows, .L_nea4_done
        next_job .L_snow5g_stop
.L_nea4_jobs:
        jmp     .L_nea4
.L_nea4_first:
        mov     iv, m2[in+=s%]
        snow5g_initialise
        mov     r1, m2[in+=s%]
        jmp     .L_nea4_rows
.L_snow5g_stop:
        halt

        .macro  snow5g_mask_rows
        snow5g_initialise
        even    2
        odd     3
        even    4
        .endm

        .macro  snow5g_masks
        snow5g_mask_rows
        mov     mask_h, m1[snow5g_masks]
        mov     mask_q, m1[snow5g_masks + 16]
        mov     mask_p, m1[snow5g_masks + 32]
        .endm

// snow5g_nia4: jobs with text of any length; the tag is made, up to 16 bytes.
//
// Inputs:   ar0, ar1, jobs; v4-v6 and the hash unit of the chunk before
// Outputs:  m3
// Clobbers: v0-v7, ctr, wk, ar0-ar7
// Memory:   m1
// Time:     constant; depends on the length
        .global snow5g_nia4
snow5g_nia4:
        sst_mac snow5g

        .macro  snow5g_aead_begin
        snow5g_mask_rows
        mov     m0[sst_p], m1[snow5g_masks + 32]
        sst_begin m1[snow5g_masks], m1[snow5g_masks + 16]
        snow5g_swap_all
        .endm

        .macro  snow5g_hash_begins
        mov     m1[snow5g_masks], d
        mov     order, m1[reversed]
        .endm
        .macro  snow5g_hash_ends
        mov     d, m1[snow5g_masks]
        .endm

        .macro  snow5g_aead_rows
        vtoar   tagged, m0[sst_job], header_tag
        bz      bytes, .L_whole\@
        aradd   blocks, blocks, 1
.L_whole\@:
        bz      blocks, .L_empty\@
        snow5g_text .L_rows\@, .L_done\@
.L_empty\@:
        .endm

        .macro  snow5g_aead_text opening
        sst_two_passes snow5g, \opening
        .endm

// snow5g_nca4_encrypt, snow5g_nca4_decrypt: jobs with associated data and text of any lengths; the tag is made or
// checked.
//
// Inputs:   ar0, ar1, jobs; v0-v4, v6, v7, ctr and the hash unit of the chunk before
// Outputs:  m3
// Clobbers: v0-v7, ctr, wk, ar0-ar7
// Memory:   m0, m1
// Time:     constant; depends on the lengths, and on the outcome for a tag
        .global snow5g_nca4_encrypt, snow5g_nca4_decrypt
snow5g_nca4_encrypt:
        sst_aead snow5g, 0
snow5g_nca4_decrypt:
        sst_aead snow5g, 1
