-- Lutra's debugger in Neovim, by the plugin nvim-dap: copy to ~/.config/nvim/plugin/lutra-dap.lua.
local dap = require("dap")

-- Of a checkout: its lutra, with the whole path.
dap.adapters.lutra = { type = "executable", command = "lutra", args = { "dap" } }
dap.configurations.lutra = {
  { type = "lutra", request = "launch", name = "Debug this file", program = "${file}", stopOnEntry = true },
}

vim.keymap.set("n", "<F5>", dap.continue)
vim.keymap.set("n", "<F10>", dap.step_over)
vim.keymap.set("n", "<F11>", dap.step_into)
-- Many terminals send shift with F5 and F10 as F17 and F22.
vim.keymap.set("n", "<F17>", dap.reverse_continue)
vim.keymap.set("n", "<F22>", dap.step_back)
