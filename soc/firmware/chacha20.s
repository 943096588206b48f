// Operations of the stream with ChaCha20 (RFC 8439); operations.toml lists them.

// Registers of the stream keep their values from routine to routine.
        .allow  "unset-register"

        .include "stream.inc"

        .section m0
        .org    constants
chacha20_sigma:                         // "expand 32-byte k", as words (RFC 8439 2.3)
        .row    "61707865 3320646e 79622d32 6b206574"
chacha20_swap:                          // control vectors: bytes of a word turned around
        .rept   16
        .byte   \+ / 4 * 4 + 3 - \+ % 4
        .endr
// The last row of a state is rotated by two words, as a diagonal round has it: words 2, 3, 0 and 1.
chacha20_turned_swap:                   // from that row to bytes
        .row    "0b0a0908 0f0e0d0c 03020100 07060504"
// ctr counts in its last words: it holds words 2, 3, 1 and 0 of the row.
chacha20_to_ctr:                        // from bytes as in the IV
        .row    "0b0a0908 0f0e0d0c 07060504 03020100"
chacha20_from_ctr:                      // to that row
        .row    "00010203 04050607 0c0d0e0f 08090a0b"
chacha20_words:                         // the key of a job, as words
        .zero   32

        .section m1
chacha20_counters:                      // last rows of the initial states of two blocks, as words
        .zero   32
keystream:                              // of two blocks
        .zero   128

        .include "../../firmware/chacha20/rounds.inc"

        .section text

        .alias  word_row, v0            // of the key
        .alias  swap, v1
        .alias  unused, v7              // a row that does not count

// chacha20_set_key: a key to its context, or zeros if the job has no key. Rows 0 and 1 of m0 have it as words.
//
// Inputs:   ar0, a job: its text is the key
// Outputs:  m0, m1
// Clobbers: v0, v1, v7, ar0, ar2, ar3, ar5, ar6
// Memory:   m2: the key is cleared
// Time:     constant; depends on whether there is a key
        .global chacha20_set_key
chacha20_set_key:
        vtoar   key, m2[in], header_key
.L_set:
        repeat  jobs, .L_set_jobs
        vtoar   blocks, m2[in+=s%], header_blocks
        mov     unused, m2[in+=s%]      // past the IV
        mov     swap, m0[chacha20_swap]
        bz      blocks, .L_clear
        mov     unused, m2[in+=s%]      // past the lengths
        .rept   2
        mov     word_row, m2[in]
        mov     m2[in+=s%], zero
        perm    m0[key++], word_row, swap
        .endr
.L_set_done:
        next_job .L_set_stop
.L_set_jobs:
        jmp     .L_set
.L_clear:
        clear_context unused
        jmp     .L_set_done
.L_set_stop:
        halt

        .alias  iv, v0
        .alias  pairs, ar5              // of blocks with whole rows; after `more` was looked at
        .alias  loose, ar3              // whole rows after them
        .alias  row, ar7                // of the keystream
        .alias  line, v0                // a row of text
        .alias  mask, v1

// Two states to keystream: last rows to memory; of the others, halves of words are exchanged along with the addition of
// the initial state, and bytes of halves along with the XOR that follows. dx: zero.
        .macro  leave
        add32   dx, dx, m1[chacha20_counters]
        add32   dy, dy, m1[chacha20_counters + 16]
        perm    m1[keystream + 48], dx, m0[chacha20_turned_swap]
        perm    m1[keystream + 112], dy, m0[chacha20_turned_swap]
        mov     dx, zero
        addrot  ax, ax, m0[chacha20_sigma], dx, 16
        addrot  bx, bx, m0[chacha20_words], dx, 16
        addrot  cx, cx, m0[chacha20_words + 16], dx, 16
        addrot  ay, ay, m0[chacha20_sigma], dx, 16
        addrot  by, by, m0[chacha20_words], dx, 16
        addrot  cy, cy, m0[chacha20_words + 16], dx, 16
        .endm

// Two blocks of keystream to memory.
        .macro  keystream_pair
        chacha20_enter
        chacha20_mix
        leave
        rotx16  m1[keystream], ax, dx, 8
        rotx16  m1[keystream + 16], bx, dx, 8
        rotx16  m1[keystream + 32], cx, dx, 8
        rotx16  m1[keystream + 64], ay, dx, 8
        rotx16  m1[keystream + 80], by, dx, 8
        rotx16  m1[keystream + 96], cy, dx, 8
        .endm

// chacha20_stream: jobs, either direction; the IV row is the counter, 32 bits little-endian, and the nonce. A chunk has
// a multiple of eight rows.
//
// Inputs:   ar0, ar1, jobs; ctr of the chunk before
// Outputs:  m3
// Clobbers: v0-v7, ctr, ar0-ar7
// Memory:   chacha20_words, chacha20_counters, keystream
// Time:     constant; depends on the length
        .global chacha20_stream
chacha20_stream:
        ctrw    32
        vtoar   key, m2[in], header_key
        vtoar   first, m2[in], header_first
.L_stream:
        repeat  jobs, .L_stream_jobs
        vtoar   blocks, m2[in], header_blocks
        vtoar   bytes, m2[in+=s%], header_bytes
        mov     word_row, m0[key++]
        mov     unused, m0[key]
        mov     m0[chacha20_words], word_row
        mov     m0[chacha20_words + 16], unused
        bz      first, .L_chunk
        mov     iv, m2[in]
        perm    ctr, iv, m0[chacha20_to_ctr]
.L_chunk:
        mov     unused, m2[in+=s%]
        mov     unused, m2[in+=s%]
        arshr   pairs, blocks, 3
        arand   loose, blocks, 7

        repeat  pairs, .L_pairs
        chacha20_enter
        chacha20_mix
        leave
        rotx16  m3[out+=s%], ax, m2[in+=s%], 8
        rotx16  m3[out+=s%], bx, m2[in+=s%], 8
        rotx16  m3[out+=s%], cx, m2[in+=s%], 8
        mov     ax, m1[keystream + 48]
        xor     m3[out+=s%], ax, m2[in+=s%]
        rotx16  m3[out+=s%], ay, m2[in+=s%], 8
        rotx16  m3[out+=s%], by, m2[in+=s%], 8
        rotx16  m3[out+=s%], cy, m2[in+=s%], 8
        mov     ay, m1[keystream + 112]
        xor     m3[out+=s%], ay, m2[in+=s%]
.L_pairs:
        bnz     loose, .L_rest
        bnz     bytes, .L_rest
.L_done:
        next_job .L_stream_stop
.L_stream_jobs:
        jmp     .L_stream

// Fewer than eight rows, the last of them partial: the keystream goes to memory.
.L_rest:
        keystream_pair
        arset   row, keystream
        repeat  loose, .L_rows
        mov     line, m2[in+=s%]
        xor     m3[out+=s%], line, m1[row++]
.L_rows:
        bz      bytes, .L_done
        mov     line, m2[in+=s%]
        xor     line, line, m1[row]
        partial_mask mask
        and     m3[out+=s%], line, mask
        jmp     .L_done
.L_stream_stop:
        halt

        .include "chacha20_poly1305.inc"
