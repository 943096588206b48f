// LILI-II (ACISP 2002) of 128 streams, as implemented by a public port: README.md.
//
// Calling convention: firmware/README.md.

lili2_lowest = -1

        .include "lili2.inc"

        lili2_jobs lili2_port
