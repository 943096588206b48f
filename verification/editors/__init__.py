"""Lutra in real editors: VS Code, as code-server in headless Chromium, and Neovim (`python -m editors`)."""
