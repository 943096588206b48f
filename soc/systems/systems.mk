# Targets of the systems and of the study. Included by soc.mk.
#
#   SOC_STUDY_ARGS=...   options of `python -m lutra.soc.study`: --only, --check, --fresh, --jobs
#   SOC_DEMO_ARGS=...    options of `python -m lutra.soc.demo`: --file, --host, --json, --record
SOC_STUDY_ARGS ?=
SOC_DEMO_ARGS ?=

.PHONY: soc-demo soc-study lint-soc-systems

soc-demo: build ## a RISC-V host on RTL: signed firmware, a file by DMA, a patch; compared with OpenSSL (SOC_DEMO_ARGS; two minutes)
	@$(WITH) python -m lutra.soc.demo $(SOC_DEMO_ARGS)

soc-study: build ## what an interface costs: hosts, attachments, ciphers; docs/interfaces.md (SOC_STUDY_ARGS; an hour if all is new)
	@$(WITH) python -m lutra.soc.study $(SOC_STUDY_ARGS)

lint-soc-systems: build
	$(SAY) "lint: systems on chip"
	@$(WITH) python -m lutra.soc.system

CPP_FILES += $(wildcard soc/systems/demo/*.[ch])
