// SNOW 1.0 (Ekdahl, Johansson; NESSIE, 2000), four streams: word i of a row belongs to stream i.
//
// Calling convention: firmware/README.md. In standard mode each stream has a key of its own, in IV mode they have one
// key, and each an IV. s[n] is the oldest LFSR word, a16: s[n+16] = alpha (s[n] + s[n+3] + s[n+9]).

        .include "sbox.inc"

        .section m0
        .org    0x000
        .global snow1_x4_key, snow1_x4_iv, snow1_x4_length
snow1_x4_key:                           // parameter: four keys, or one
        .zero   128
snow1_x4_iv:                            // parameter: IV2 || IV1 of each stream
        .zero   32
snow1_x4_length:                        // parameter: firmware/README.md
        .zero   16
snow1_x4_alpha:                         // of multiplication by alpha
        .row    "20108403201084032010840320108403"
snow1_x4_ones:
        .row    "ffffffffffffffffffffffffffffffff"
snow1_x4_first:                         // control vector: word 0 to all words
        .row    "00010203000102030001020300010203"

        .section m1
        .org    0x000
snow1_x4_lfsr:                          // the LFSR, a circular buffer; its first row is the oldest one between jobs
        .zero   16 * 16
        .zero   16                      // what `gather` writes after a last row
snow1_x4_registers:                     // between jobs: R1, R2
        .zero   32
snow1_x4_ivs:                           // all IV2, all IV1
        .zero   32
        .zero   16

        .section t1                     // lane 4j + i: byte i of S for byte j
        .rept   256
        .byte   snow1_part(\+, 0, 0), snow1_part(\+, 0, 1), snow1_part(\+, 0, 2), snow1_part(\+, 0, 3)
        .byte   snow1_part(\+, 1, 0), snow1_part(\+, 1, 1), snow1_part(\+, 1, 2), snow1_part(\+, 1, 3)
        .byte   snow1_part(\+, 2, 0), snow1_part(\+, 2, 1), snow1_part(\+, 2, 2), snow1_part(\+, 2, 3)
        .byte   snow1_part(\+, 3, 0), snow1_part(\+, 3, 1), snow1_part(\+, 3, 2), snow1_part(\+, 3, 3)
        .endr

        .section text

// Registers: ctr, v0, wk, v1 the words s[n] to s[n+3], by turns; v2, v3 R1, by turns; v4 R2; v6 the newest word.
        .alias  r2, v4
        .alias  f, v5
        .alias  newest, v6
        .alias  none, v7
        .alias  three_on, ar2           // where s[n+3], s[n+9] and s[n+16] are
        .alias  nine_on, ar3
        .alias  newest_at, ar4

        .macro  window pointer, row
        arset   \pointer, snow1_x4_lfsr + 16 * \row
        arstep  \pointer, 16
        arwin   \pointer, snow1_x4_lfsr, snow1_x4_lfsr + 16 * 16
        .endm

        .macro  begin
        window  three_on, 3
        window  nine_on, 9
        window  newest_at, 0
        mov     ctr, m1[snow1_x4_lfsr]
        mov     v0, m1[snow1_x4_lfsr + 16]
        mov     wk, m1[snow1_x4_lfsr + 16 * 2]
        mov     newest, m1[snow1_x4_lfsr + 16 * 15]
        mov     none, zero
        .endm

// A clock: s0 is s[n], s3 becomes s[n+3], next becomes R1; mixing: F enters the LFSR, and there is no keystream. No
// instruction waits: m1 is read six and more after the store, ctr and wk are needed four after they have been written.
        .macro  clock s0, s3, r1, next, mixing
        addrot  f, newest, \r1, r2, 0
        mov     \s3, m1[three_on+=s%]
        addrot  \next, f, r2, \r1, 7
        .if     \mixing
        xor3    newest, m1[nine_on+=s%], \s0, f
        .else
        xor     newest, m1[nine_on+=s%], \s0
        xor3    m3[ar1++], m2[ar0++], \s0, f
        .endif
        mulx32  {newest, m1[newest_at+=s%]}, newest ^ \s3, m0[snow1_x4_alpha]
        tblw    r2, \r1, zero, none, word0
        tblw    r2, \r1, zero, r2, word1 + turn1
        tblw    r2, \r1, zero, r2, word2 + turn1
        tblw    r2, \r1, zero, r2, word3 + turn1
        .endm
        .macro  clocks mixing
        clock   ctr, v1, v2, v3, \mixing
        clock   v0, ctr, v3, v2, \mixing
        clock   wk, v0, v2, v3, \mixing
        clock   v1, wk, v3, v2, \mixing
        .endm

        .macro  save
        mov     m1[snow1_x4_registers], v2
        mov     m1[snow1_x4_registers + 16], r2
        halt
        .endm

// `words` rows of m1 from ar2 on, each of a word of every stream: that at ar0, which is at `apart` bytes from one stream
// to the next; then the word before it. A word comes in all words of its row, over which those of the next ones go.
        .macro  gather words, apart
        mov     v7, m0[snow1_x4_first]
        arstep  ar0, \apart
        arstep  ar2, 4
        repeat  \words, .L_words\@
        repeat  4, .L_word\@
        perm    m1[ar2+=s], m0[ar0+=s], v7
.L_word\@:
        aradd   ar0, ar0, -4 * \apart - 4
.L_words\@:
        .endm

// Key words, the last one first, to the newest rows, and complements and copies of them to the rows before.
        .macro  load words, apart
        arset   ar0, snow1_x4_key + 4 * \words - 4
        arset   ar2, snow1_x4_lfsr + 16 * (16 - \words)
        gather  \words, \apart
        .rept   \words
        mov     v0, m1[snow1_x4_lfsr + 16 * (16 - \words + \+)]
        xor     v1, v0, m0[snow1_x4_ones]
        mov     m1[snow1_x4_lfsr + 16 * \+], v1
        .if     \words == 4
        mov     m1[snow1_x4_lfsr + 16 * (4 + \+)], v0
        mov     m1[snow1_x4_lfsr + 16 * (8 + \+)], v1
        .endif
        .endr
        .endm
        .macro  add_ivs
        arset   ar0, snow1_x4_iv + 4
        arset   ar2, snow1_x4_ivs
        gather  2, 8
        mov     v0, m1[snow1_x4_ivs]
        mov     v1, m1[snow1_x4_ivs + 16]
        xor     v0, v0, m1[snow1_x4_lfsr + 16 * 15]
        xor     v1, v1, m1[snow1_x4_lfsr + 16 * 12]
        mov     m1[snow1_x4_lfsr + 16 * 15], v0
        mov     m1[snow1_x4_lfsr + 16 * 12], v1
        .endm
        .macro  mix count
        begin
        mov     v2, zero
        mov     r2, zero
        repeat  \count / 4, .L_mixed\@
        clocks  1
.L_mixed\@:
        save
        .endm

// snow1_x4_128_start, snow1_x4_256_start: initialisation with four keys, in standard mode.
//
// Inputs:   snow1_x4_key; t1
// Outputs:  snow1_x4_lfsr, snow1_x4_registers
// Clobbers: v0-v7, ctr, wk, ar0, ar2-ar4
// Time:     constant
// Cycles:   741 (128), 793 (256)
        .global snow1_x4_128_start
snow1_x4_128_start:
        load    4, 16
        mix     64
        .global snow1_x4_256_start
snow1_x4_256_start:
        load    8, 32
        mix     64

// snow1_x4_128_iv_start, snow1_x4_256_iv_start: initialisation with one key and four IVs, in IV mode.
//
// Inputs:   snow1_x4_key, snow1_x4_iv; t1
// Outputs:  snow1_x4_lfsr, snow1_x4_registers
// Clobbers: v0-v7, ctr, wk, ar0, ar2-ar4
// Memory:   snow1_x4_ivs
// Time:     constant
// Cycles:   452 (128), 504 (256)
        .global snow1_x4_128_iv_start
snow1_x4_128_iv_start:
        load    4, 0
        add_ivs
        mix     32
        .global snow1_x4_256_iv_start
snow1_x4_256_iv_start:
        load    8, 0
        add_ivs
        mix     32

// snow1_x4: C = P ^ z, n words, of the four streams by turns, either direction.
//
// Inputs:   snow1_x4_lfsr, snow1_x4_registers, snow1_x4_length; t1; P in m2 from row 0
// Outputs:  C in m3 from row 0, four rows at a time; snow1_x4_lfsr, snow1_x4_registers
// Clobbers: v0-v7, ctr, wk, ar0-ar4, ar6
// Time:     constant; depends on n
// Cycles:   5n/2 + 32, n a multiple of 16
        .global snow1_x4
snow1_x4:
        vtoar   ar6, m0[snow1_x4_length], 4
        begin
        mov     v2, m1[snow1_x4_registers]
        mov     r2, m1[snow1_x4_registers + 16]
        arset   ar0, 0
        arset   ar1, 0
        aradd   ar6, ar6, 3
        arshr   ar6, ar6, 2
        repeat  ar6, .L_rows
        clocks  0
.L_rows:
        save
