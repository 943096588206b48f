# Targets of the system on chip. Included by the Makefile.
include soc/systems/systems.mk
