// Operations of the stream with the inverse cipher of AES (FIPS 197 5.3.5); operations.toml lists them.

// Registers of the stream keep their values from routine to routine.
        .allow  "unset-register"

        .include "stream.inc"
        .include "aes_memory.inc"

// Both banks have the inverse S-box. The key schedule takes the S-box, so it is loaded for it.
        .section t0:t1.*
        .rept   256
        .byte   index(aes_sbox, \+)
        .endr

        .section m0
        .org    constants
sbox:   .byte   aes_sbox
inverse_sbox:
        .rept   256
        .byte   index(aes_sbox, \+)
        .endr

        .section text

        .alias  words0, v0              // the last four or eight words
        .alias  words1, v1
        .alias  product, v5             // SubWord(RotWord(w)) ^ Rcon in every word
        .alias  rot3, v6                // control vectors
        .alias  word3, v7
        .alias  rcon_row, ar7
        .alias  entry, ar7
        .alias  table_row, ar6

// An S-box to all lanes of both banks.
        .macro  load_tables box
        arset   entry, \box
        arstep  entry, 1
        arset   table_row, 0
        repeat  256, .L_loaded\@
        bcast   t0:t1[table_row++], m0[entry+=s], 0
.L_loaded\@:
        .endm

// Jobs that set keys, each at `begin`: with the S-box in the banks, then the inverse one again.
        .macro  set_keys schedule
        load_tables sbox
        mov     rot3, m1[aes_rot3]
        mov     word3, m1[aes_word3]
        vtoar   key, m2[in], header_key
.L_again\@:
        repeat  jobs, .L_jobs\@
        vtoar   blocks, m2[in+=s%], header_blocks
        mov     words0, m2[in+=s%]      // past the IV
        arset   rcon_row, aes_rcon
        bz      blocks, .L_clear\@
        mov     words0, m2[in+=s%]      // past the lengths
        \schedule
.L_done\@:
        next_job .L_restore
.L_jobs\@:
        jmp     .L_again\@
.L_clear\@:
        clear_context words0
        jmp     .L_done\@
        .endm

// Key 0 is the last one. Other keys go through InvMixColumns, from the last pair to the first; the keys of two rounds
// in sequence are the second and the first of a pair.
        .macro  schedule128
        arstep  key, 80
        aradd   key, key, 80                    // pair 5, row 5
        mov     {words0, m1[key]}, m2[in]
        mov     m2[in+=s%], zero
        mov     m2[in+=s%], zero
        round_key
        aesimc  m0[key++], words0
        round_key
        aesimc  m1[key], words0                 // pair 4, rows 6 and 1
        mov     words1, words0
        round_key
        aesimc  m0[key-=s], words0
        aesimc  m1[key], words1
        aesimc  m0[key], words0
        aradd   key, key, 48
        .rept   3
        round_key
        aesimc  m1[key], words0                 // pairs 3, 2, 1: rows 4, 3, 2
        round_key
        aesimc  m0[key--], words0
        .endr
        aradd   key, key, -16
        round_key
        mov     m0[key], words0
        .endm
        .macro  round_key
        tblp    product, words0, rot3, m1[rcon_row++]
        pxor32  words0, words0, product
        .endm

        .macro  schedule256
        aradd   key, key, 112                   // pair 7, row 7
        mov     {words0, m1[key]}, m2[in]
        mov     m2[in+=s%], zero
        mov     words1, m2[in]
        mov     m2[in+=s%], zero
        aesimc  m0[key--], words1
        .rept   6
        round_key_even
        aesimc  m1[key], words0
        tblp    product, words0, word3
        pxor32  words1, words1, product
        aesimc  m0[key--], words1
        .endr
        round_key_even
        mov     m0[key], words0
        .endm
        .macro  round_key_even
        tblp    product, words1, rot3, m1[rcon_row++]
        pxor32  words0, words0, product
        .endm

// aes128_inverse_set_key, aes256_inverse_set_key: a key to its context, or zeros if the job has no key.
//
// Inputs:   ar0, a job: its text is the key
// Outputs:  m0, m1
// Clobbers: v0, v1, v5-v7, ar0, ar2, ar3, ar5-ar7
// Memory:   t0, t1: the inverse S-box again at the end; m2: the key is cleared
// Time:     constant; depends on whether there is a key
        .global aes128_inverse_set_key, aes256_inverse_set_key
aes128_inverse_set_key:
        set_keys schedule128
aes256_inverse_set_key:
        set_keys schedule256
.L_restore:
        load_tables inverse_sbox
        halt

        .alias  begun, v0               // a block in its first rounds
        .alias  ended, v1               // a block in its last rounds
        .alias  chain, v2               // the last ciphertext block
        .alias  before, ar5             // the ciphertext block before; after `more` was looked at
        .alias  late, ar7               // keys of a block's last rounds

// CBC (SP 800-38A 6.2): P[i] = D(C[i]) ^ C[i-1]. The loop is that of counter mode (aes_ctr.inc). The row of lengths
// takes the block before the first. The loop reads a row too far.
        .macro  cbc_decrypt bits, step
        arstep  key, \step
        arstep  late, 32
        arstep  before, 16
        arwin   before, 0, memory
        vtoar   key, m2[in], header_key
        vtoar   first, m2[in], header_first
.L_again\@:
        repeat  jobs, .L_jobs\@
        vtoar   blocks, m2[in+=s%], header_blocks
        bz      first, .L_chunk\@
        mov     chain, m2[in]
.L_chunk\@:
        mov     ended, m2[in+=s%]
        aradd   before, in, 0
        mov     m2[in+=s%], chain
        cbc_begin\bits
        repeat  blocks, .L_blocks\@
        cbc_turn\bits
.L_blocks\@:
        mov     chain, m2[before]
        aradd   in, in, -16
        arand   in, in, 0xff0
        next_job .L_cbc_stop
.L_jobs\@:
        jmp     .L_again\@
        .endm

        .macro  cbc_begin128
        mov     wk, m0[key+=s]
        aesdec2 begun, m2[in+=s%] ^ wk, m0:m1[key++]
        aesdec2 begun, begun, m0:m1[key++]
        .endm
        .macro  cbc_turn128
        aesdec2 ended, begun, m0:m1[key-=s]
        aesdec2 begun, m2[in+=s%] ^ wk, m0:m1[key--]
        aesdec2 ended, ended, m0:m1[key+=s]
        aesdec2 begun, begun, m0:m1[key+=s]
        aesdec2l m3[out+=s%], ended, m0:m1[key--], m2[before+=s%]
        .endm

        .macro  cbc_begin256
        mov     wk, m0[key++]
        aesdec2 begun, m2[in+=s%] ^ wk, m0:m1[key++]
        aesdec2 begun, begun, m0:m1[key++]
        aradd   late, key, 32
        aesdec2 begun, begun, m0:m1[key++]
        .endm
        .macro  cbc_turn256
        aesdec2 ended, begun, m0:m1[key-=s]
        aesdec2 begun, m2[in+=s%] ^ wk, m0:m1[key++]
        aesdec2 ended, ended, m0:m1[late++]
        aesdec2 begun, begun, m0:m1[key++]
        aesdec2 ended, ended, m0:m1[late++]
        aesdec2 begun, begun, m0:m1[key++]
        aesdec2l m3[out+=s%], ended, m0:m1[late-=s], m2[before+=s%]
        .endm

// aes128_cbc_decrypt, aes256_cbc_decrypt: jobs with whole blocks of text.
//
// Inputs:   ar0, ar1, jobs; v2 of the chunk before
// Outputs:  m3
// Clobbers: v0-v2, wk, ar0-ar3, ar5-ar7
// Memory:   m2: the row of lengths
// Time:     constant; depends on the length
        .global aes128_cbc_decrypt, aes256_cbc_decrypt
aes128_cbc_decrypt:
        cbc_decrypt 128, 32
aes256_cbc_decrypt:
        cbc_decrypt 256, 48

.L_cbc_stop:
        halt
