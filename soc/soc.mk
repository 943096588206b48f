# Targets of the system on chip. Included by the Makefile.
