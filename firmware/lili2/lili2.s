// LILI-II (Clark, Dawson, Fuller, Golic, Lee, Millan, Moon and Simpson; ACISP 2002) of 128 streams.
//
// Calling convention: firmware/README.md.

lili2_lowest = 0

        .include "lili2.inc"

        lili2_jobs lili2
