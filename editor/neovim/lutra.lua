-- Lutra assembly in Neovim 0.11 and later: copy to ~/.config/nvim/plugin/lutra.lua.
vim.filetype.add({ extension = { s = "lutra", inc = "lutra" } })

vim.lsp.config("lutra", {
  -- Of a checkout: its lutra, with the whole path.
  cmd = { "lutra", "lsp" },
  filetypes = { "lutra" },
  root_markers = { "firmware.toml", ".git" },
  settings = { lutra = { drawing = "text" } },
})
vim.lsp.enable("lutra")

vim.api.nvim_create_autocmd("FileType", {
  pattern = "lutra",
  callback = function(event)
    vim.bo[event.buf].commentstring = "// %s"
    vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
  end,
})
