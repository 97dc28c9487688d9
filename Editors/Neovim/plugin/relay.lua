-- Starts `relay-compiler lsp` for GraphQL tags in Swift and for GraphQL files.
if not vim.lsp.config then return vim.notify('RelayStore needs Neovim 0.11 or later.', vim.log.levels.WARN) end

vim.lsp.config('relay', {
  cmd = { 'relay-compiler', 'lsp' },
  filetypes = { 'swift', 'graphql' },
  -- The package comes first: one server has all of its targets.
  root_markers = { 'Package.swift', '.git', 'relay.config.json' },
  -- On Linux, Neovim watches files only if it is told to.
  capabilities = { workspace = { didChangeWatchedFiles = { dynamicRegistration = true } } },
})
vim.lsp.enable('relay')

-- Prints the operation under the cursor as it is sent.
vim.api.nvim_create_user_command('RelayOperation', function()
  local client = vim.lsp.get_clients({ bufnr = 0, name = 'relay' })[1]
  if not client then return vim.notify('relay-compiler does not run for this file.', vim.log.levels.WARN) end
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  client:request('relay/operationText', params, function(_, text) print(text or 'No operation.') end)
end, {})
