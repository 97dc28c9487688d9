-- The steps and expectations of neovim.py. Neovim runs them in the package's folder, with the settings loaded that `init --editor neovim` wrote.

local DEADLINE = 60000
local ROOT = assert(vim.uv.fs_realpath(vim.fn.getcwd()))
local CARD, BYLINE, SHELF = 'Sources/Books/Card.swift', 'Sources/Books/Byline.swift', 'Sources/Shelf/Shelf.swift'
local FIXES = 'Sources/Fixes/Card.swift'
-- With the four below .nvim.
local FOLDERS = 9

local start = vim.uv.hrtime()
local passed = {}

-- For a failure, the log has all messages.
vim.lsp.set_log_level('debug')

-- The version of each file for which diagnostics were published last.
local published = {}
local publish = vim.lsp.handlers['textDocument/publishDiagnostics']
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(failure, result, context)
  published[result.uri] = result.version
  return publish(failure, result, context)
end

local function write(...)
  io.stdout:write(table.concat({ ... }), '\n')
end

-- Returns the diagnostics of all buffers, sorted. Lines and columns begin at 1, and columns are bytes.
local function diagnostics()
  local lines = vim.tbl_map(function(item)
    local path = vim.fs.relpath(ROOT, vim.api.nvim_buf_get_name(item.bufnr))
    return ('%s:%d:%d: %s'):format(path, item.lnum + 1, item.col + 1, item.message)
  end, vim.diagnostic.get())
  table.sort(lines)
  return lines
end

local function clients()
  return vim.tbl_map(function(client)
    return client.name .. ' at ' .. (client.root_dir or 'no root')
  end, vim.lsp.get_clients())
end

local function print_log()
  local read, lines = pcall(vim.fn.readfile, vim.lsp.log.get_filename())
  if not read then return end
  write('the last lines of the log:')
  for _, line in ipairs(vim.list_slice(lines, math.max(1, #lines - 39))) do
    write('  ', line:sub(1, 400))
  end
end

local function fail(name, expected, seen)
  write('FAILED: ', name)
  write('expected: ', vim.inspect(expected))
  write('seen: ', vim.inspect(seen))
  write('diagnostics: ', vim.inspect(diagnostics()))
  write('clients: ', vim.inspect(clients()))
  print_log()
  io.stdout:flush()
  vim.cmd('cquit 1')
end

-- Waits until a function returns a value. Fails if it does not before the deadline.
local function await(name, expected, value)
  local function is_expected()
    return vim.deep_equal(value(), expected)
  end
  if not vim.wait(DEADLINE, is_expected, 20) then fail(name, expected, value()) end
end

local function expect(name, expected, value)
  await(name, expected, value)
  table.insert(passed, name)
end

-- The files whose diagnostics are not of the version that the server has.
local function outdated()
  local files = {}
  for buffer, version in pairs(vim.lsp.util.buf_versions) do
    local uri = vim.uri_from_bufnr(buffer)
    if published[uri] ~= version then files[uri] = published[uri] or 'never' end
  end
  return files
end

local function expect_diagnostics(name, expected)
  await(name .. ': published for the present text', {}, outdated)
  expect(name, expected, diagnostics)
end

-- Steps

local function open(path)
  vim.cmd.edit(path)
  return vim.api.nvim_get_current_buf()
end

-- Replaces the first occurrence of a string in an open file.
local function replace(buffer, old, new)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, true)) do
    local first, last = line:find(old, 1, true)
    if first then
      vim.api.nvim_buf_set_text(buffer, number - 1, first - 1, number - 1, last, { new })
      return
    end
  end
  error(('"%s" is not in buffer %d.'):format(old, buffer))
end

-- Writes a file as another program does.
local function write_beside(path, text)
  local result = vim.system({ 'tee', path }, { stdin = text }):wait()
  assert(result.code == 0, result.stderr)
end

-- Types text behind a pattern in the current file, opens the menu of completions and takes its first item. Returns the line.
local function complete(behind, text, trigger)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search(behind, 'e') > 0, behind)
  local deadline = vim.uv.now() + DEADLINE
  local timer = assert(vim.uv.new_timer())
  -- The call below ends with <Esc>, and the menu opens while it waits for more keys.
  timer:start(20, 20, vim.schedule_wrap(function()
    local is_open = vim.fn.pumvisible() == 1
    if timer:is_closing() or (not is_open and vim.uv.now() < deadline) then return end
    timer:close()
    vim.api.nvim_feedkeys(vim.keycode(is_open and '<C-n><C-y><Esc>' or '<Esc>'), 't', false)
  end))
  vim.api.nvim_feedkeys(vim.keycode('a' .. text .. trigger), 'tx!', false)
  return vim.api.nvim_get_current_line()
end

-- Returns how many folders the inotifywait of this Neovim watches by now.
local function watched_folders()
  local count = 0
  for _, id in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
    local process = vim.api.nvim_get_proc(id)
    local is_watcher = process and process.name == 'inotifywait'
    for _, path in ipairs(is_watcher and vim.fn.glob(('/proc/%d/fdinfo/*'):format(id), true, true) or {}) do
      local read, lines = pcall(vim.fn.readfile, path)
      count = count + (read and #vim.tbl_filter(function(line) return vim.startswith(line, 'inotify ') end, lines) or 0)
    end
  end
  return count
end

-- Checks

local function check_client(card, shelf)
  expect('one client at the package', { 'relay at ' .. ROOT }, clients)
  await('the client has both files', { 1, 1 }, function()
    return vim.tbl_map(function(buffer) return #vim.lsp.get_clients({ bufnr = buffer }) end, { card, shelf })
  end)
end

local function check_diagnostics(card)
  expect_diagnostics('no diagnostics at first', {})
  replace(card, 'title', 'titel')
  expect_diagnostics('a wrong field', {
    CARD .. ':5:5: Cannot query field "titel" on type "Book". Did you mean "title"?',
  })
  replace(card, 'Card_book on Book', 'Cart_book on Bok')
  expect_diagnostics('a mistake with errors in two targets', {
    CARD .. ':3:25: Unknown type "Bok". Did you mean "Book"?',
    SHELF .. ':4:16: Unknown fragment "Card_book". Did you mean "Cart_book"?',
  })
  replace(card, 'titel', 'title')
  replace(card, 'Cart_book on Bok', 'Card_book on Book')
  expect_diagnostics('none after the correction', {})
end

-- Another program removes a fragment from a file that is not open, and puts it back.
local function check_files()
  local is_linux = vim.fn.has('linux') == 1
  local is_watched = not is_linux or vim.fn.executable('inotifywait') == 1
  if is_linux and is_watched then await('watched folders', FOLDERS, watched_folders) end
  local function change(lines)
    write_beside(BYLINE, table.concat(lines, '\n') .. '\n')
    if not is_watched then vim.cmd('silent write') end
  end
  local how = is_watched and 'watched' or 'not watched without inotifywait, so read at a save'
  local lines = vim.fn.readfile(BYLINE)
  change({ 'import Foundation' })
  expect_diagnostics('a file that another program changed (' .. how .. ')', {
    SHELF .. ':4:38: Unknown fragment "Byline_author".',
  })
  change(lines)
  expect_diagnostics('none after it was changed back', {})
end

local function check_completion(shelf)
  vim.o.completeopt = 'menuone,noselect'
  local id = vim.lsp.get_clients({ bufnr = shelf, name = 'relay' })[1].id
  local line = '    book(id: "größte") { pages title }'
  -- What Neovim does without a setting, and with its completion of language servers.
  for _, trigger in ipairs({ '<C-x><C-o>', '<Cmd>lua vim.lsp.completion.get()<CR>' }) do
    vim.lsp.completion.enable(trigger ~= '<C-x><C-o>', id, shelf)
    local completed = complete('größte") { pages', ' tit', trigger)
    if completed ~= line then fail('completion of "tit" by ' .. trigger, line, completed) end
    await('no diagnostics after completion by ' .. trigger, {}, diagnostics)
    replace(shelf, ' title', '')
  end
  table.insert(passed, 'completion of "tit"')
end

-- The strings in which tree-sitter is told to find GraphQL.
local function check_injections()
  vim.treesitter.language.add('swift', { path = vim.env.SWIFT_PARSER })
  local text = table.concat({
    'private let a = graphql(', '  """', '  query A { me }', '  """)',
    'let b = graphql("fragment B on User { name(of: \\"x\\") }")', 'let c = graphql(#"query C { me(a: "b") }"#)',
    'let d = graphql(#"""', '  query D { me }', '  """#)', 'let e = other("query E { me }")',
  }, '\n')
  local query = assert(vim.treesitter.query.get('swift', 'injections'))
  local root = vim.treesitter.get_string_parser(text, 'swift'):parse()[1]:root()
  local found = {}
  for _, nodes, metadata in query:iter_matches(root, text) do
    for id, list in pairs(nodes) do
      if query.captures[id] == 'injection.content' and metadata['injection.language'] == 'graphql' then
        local range = vim.treesitter.get_range(list[1], text, metadata[id])
        table.insert(found, vim.trim(text:sub(range[3] + 1, range[6])))
      end
    end
  end
  table.sort(found)
  expect('GraphQL in Swift strings', {
    'fragment B on User { name(of: \\"x\\") }', 'query A { me }', 'query C { me(a: "b") }', 'query D { me }',
  }, function() return found end)
end

local function check_operation()
  local text = 'query ShelfQuery{books{id ...Card_book author{id ...Byline_author}} book(id:"größte"){id pages}}'
    .. 'fragment Card_book on Book{pages title}fragment Byline_author on Author{name}'
  vim.cmd('messages clear')
  vim.fn.cursor(1, 1)
  assert(vim.fn.search('ShelfQuery') > 0)
  vim.cmd('RelayOperation')
  expect(':RelayOperation', text, function()
    return vim.api.nvim_exec2('messages', { output = true }).output
  end)
end

-- Makes each mistake in a tag, and corrects it by the fix with the expected title.
local function check_fixes()
  local file = open(FIXES)
  local cases = vim.json.decode(table.concat(vim.fn.readfile(vim.env.FIXES), '\n')).mistakes
  local function lines(document)
    local tag = vim.tbl_map(function(line) return line == '' and '' or '    ' .. line end, document)
    return vim.list_extend(vim.list_extend({ 'enum Card {', '  let é = graphql(', '    """' }, tag), { '    """)', '}' })
  end
  local function rules()
    return vim.tbl_map(function(item) return item.code end, vim.diagnostic.get(file))
  end
  for _, case in ipairs(cases) do
    vim.api.nvim_buf_set_lines(file, 0, -1, true, lines(case.before))
    await(case.mistake .. ': published for the present text', {}, outdated)
    await(case.mistake, { case.rule }, rules)
    local item = vim.diagnostic.get(file)[1]
    vim.api.nvim_win_set_cursor(0, { item.lnum + 1, item.col })
    vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.title == case.fix end })
    await(case.mistake .. ': ' .. case.fix, lines(case.after), function()
      return vim.api.nvim_buf_get_lines(file, 0, -1, true)
    end)
    await(case.mistake .. ': published for the corrected text', {}, outdated)
    await(case.mistake .. ': no diagnostics', {}, rules)
  end
  table.insert(passed, #cases .. ' quick fixes')
end

local function check()
  local card, shelf = open(CARD), open(SHELF)
  check_client(card, shelf)
  check_diagnostics(card)
  check_files()
  check_completion(shelf)
  check_operation()
  check_injections()
  check_fixes()
  expect_diagnostics('none at the end', {})
  check_client(card, shelf)
end

local succeeded, message = xpcall(check, debug.traceback)
if succeeded then
  local version, seconds = vim.version(), (vim.uv.hrtime() - start) / 1e9
  write(('Neovim %d.%d.%d: '):format(version.major, version.minor, version.patch), table.concat(passed, '; '), ('; %.1f s'):format(seconds))
else
  write('FAILED: ', message)
  print_log()
end
io.stdout:flush()
vim.cmd(succeeded and 'qall!' or 'cquit 1')
