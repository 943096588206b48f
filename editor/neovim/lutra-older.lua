-- Lutra assembly in Neovim 0.7 to 0.10: copy to ~/.config/nvim/plugin/lutra.lua.
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = { "*.s", "*.inc" },
  callback = function(event)
    vim.bo[event.buf].filetype = "lutra"
  end,
})

-- One server per project, by the project's folder.
local servers = {}

local function project_of(file)
  local folder = vim.fn.fnamemodify(file, ":p:h")
  local manifest = vim.fn.findfile("firmware.toml", folder .. ";")
  local repository = vim.fn.finddir(".git", folder .. ";")
  if manifest ~= "" then
    return vim.fn.fnamemodify(manifest, ":p:h")
  elseif repository ~= "" then
    return vim.fn.fnamemodify(repository, ":p:h:h")
  end
  return vim.fn.getcwd()
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = "lutra",
  callback = function(event)
    vim.bo[event.buf].commentstring = "// %s"
    local root = project_of(event.file)
    servers[root] = servers[root]
      or vim.lsp.start_client({
        name = "lutra",
        -- Of a checkout: its lutra, with the whole path.
        cmd = { "lutra", "lsp" },
        root_dir = root,
        settings = { lutra = { drawing = "text" } },
        on_exit = function()
          servers[root] = nil
        end,
      })
    vim.lsp.buf_attach_client(event.buf, servers[root])
  end,
})
