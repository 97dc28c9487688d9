-- Loads .nvim/plugin and .nvim/queries of this folder, if 'exrc' is set and this file is trusted.
local source = debug.getinfo(1, 'S').source:gsub('^@', '')
local folder = vim.fs.joinpath(vim.fs.dirname(vim.fs.abspath(source)), '.nvim')
vim.opt.runtimepath:append(folder)
if vim.v.vim_did_enter == 1 then vim.cmd.runtime({ 'plugin/relay.lua', bang = true }) end
