" Settings for models of whet: comments, layout by `gq`, errors by `:make`. The program is g:whet_program, or whet.
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1
let s:program = get(g:, "whet_program", "whet")
setlocal commentstring=//\ %s comments=s1:/*,mb:*,ex:*/,:// expandtab shiftwidth=2 softtabstop=2 iskeyword=@,48-57,_,'
let &l:formatprg = s:program . " format -"
compiler whet
let b:undo_ftplugin = "setlocal commentstring< comments< expandtab< shiftwidth< softtabstop< iskeyword< formatprg< makeprg< errorformat<"
