"""`make soc-demo`: a host boots signed firmware, encrypts a file by DMA, takes a patch, and encrypts it again."""
