-- Lutra assembly in Neovim 0.8 to 0.10: copy to ~/.config/nvim/plugin/lutra.lua.
vim.filetype.add({ extension = { s = "lutra", inc = "lutra" } })

vim.api.nvim_create_autocmd("FileType", {
  pattern = "lutra",
  callback = function(event)
    vim.bo[event.buf].commentstring = "// %s"
    local found = vim.fs.find({ "firmware.toml", ".git" }, { upward = true, path = vim.fs.dirname(event.file) })[1]
    vim.lsp.start({
      name = "lutra",
      -- Of a checkout: its lutra, with the whole path.
      cmd = { "lutra", "lsp" },
      root_dir = found and vim.fs.dirname(found) or vim.fn.getcwd(),
      settings = { lutra = { drawing = "text" } },
    })
  end,
})
