# Targets of the systems and of the study. Included by soc.mk.
#
#   SOC_STUDY_ARGS=...   options of `python -m lutra.soc.study`: --only, --check, --fresh, --jobs
SOC_STUDY_ARGS ?=

.PHONY: soc-study lint-soc-systems

soc-study: build ## what an interface costs: hosts, attachments, ciphers; docs/interfaces.md (SOC_STUDY_ARGS; an hour if all is new)
	@$(WITH) python -m lutra.soc.study $(SOC_STUDY_ARGS)

lint-soc-systems: build
	$(SAY) "lint: systems on chip"
	@$(WITH) python -m lutra.soc.system
