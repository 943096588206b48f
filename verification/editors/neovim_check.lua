-- What a user does in Neovim, step by step; writes what the editor showed to $LUTRA_REPORT, or fails.
local shown = {}

local function fail(what)
  io.stderr:write(what .. "\n")
  vim.cmd("cquit 1")
end

local function wait_for(what, happened)
  if not vim.wait(120000, happened, 50) then
    fail("no " .. what .. " within two minutes")
  end
end

local function clients()
  return vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 }) or vim.lsp.buf_get_clients(0)
end

local function line_with(text)
  return vim.fn.search(text, "cw")
end

local function ask(method, more)
  local client = select(2, next(clients()))
  local position = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local answers = vim.lsp.buf_request_sync(0, method, vim.tbl_extend("force", position, more or {}), 30000)
  local answer = answers and select(2, next(answers))
  if not answer or not answer.result then
    fail(method .. ": " .. vim.inspect(answers))
  end
  return answer.result
end

wait_for("language server", function()
  local _, client = next(clients())
  return client and client.initialized ~= false
end)

-- A mistake is shown where it is, and goes when it is mended.
local text = vim.api.nvim_buf_get_lines(0, 0, -1, false)
vim.api.nvim_buf_set_lines(0, 7, 8, false, { "        xorr    m3[ar1++], m2[ar0++], v0" })
wait_for("diagnostic", function()
  return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) > 0
end)
local wrong = vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })[1]
shown.diagnostic = string.format("line %d: %s", wrong.lnum + 1, wrong.message)
vim.api.nvim_buf_set_lines(0, 0, -1, false, text)
wait_for("text without a mistake", function()
  return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) == 0
end)

line_with("xor  ")
local hover = ask("textDocument/hover").contents
shown.hover = type(hover) == "table" and hover.value or hover

line_with("m0.key")
vim.cmd("normal! 3l")
local place = ask("textDocument/definition")
shown.definition = "line " .. (place.range or place[1].range or place[1].targetSelectionRange).start.line + 1

vim.lsp.buf.rename("secret")
wait_for("rename", function()
  return line_with("m0.secret") ~= 0 and line_with("^secret:") ~= 0
end)
shown.rename = vim.api.nvim_buf_get_lines(0, 2, 3, false)[1]

local report = assert(io.open(os.getenv("LUTRA_REPORT"), "w"))
report:write(vim.fn.json_encode(shown))
report:close()
vim.cmd("qall!")
