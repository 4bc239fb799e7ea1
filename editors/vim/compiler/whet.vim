" `:make` verifies the model of the buffer; errors of the text are in the quickfix list.
if exists("current_compiler")
  finish
endif
let current_compiler = "whet"
let &l:makeprg = get(g:, "whet_program", "whet") . " verify --quiet --timeout 60 %:S"
setlocal errorformat=%E%f:%l:%c:\ error:\ %m,%-C\ %.%#,%Chint:\ %m,%+G%.%#
