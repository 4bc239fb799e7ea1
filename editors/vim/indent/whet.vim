" Two blanks for each brace that is open.
if exists("b:did_indent")
  finish
endif
let b:did_indent = 1
setlocal indentexpr=WhetIndent(v:lnum) indentkeys=0},o,O nosmartindent
let b:undo_indent = "setlocal indentexpr< indentkeys< smartindent<"
if exists("*WhetIndent")
  finish
endif

function s:Braces(line, sign)
  return count(substitute(a:line, "//.*$", "", ""), a:sign)
endfunction

function WhetIndent(number)
  let before = prevnonblank(a:number - 1)
  if before == 0
    return 0
  endif
  let line = getline(before)
  let opened = s:Braces(line, "{") - s:Braces(line, "}")
  let depth = indent(before) + shiftwidth() * (opened > 0 ? 1 : 0)
  if opened < 0 && line !~ '^\s*}'
    let depth -= shiftwidth()
  endif
  return getline(a:number) =~ '^\s*}' ? max([0, depth - shiftwidth()]) : max([0, depth])
endfunction
