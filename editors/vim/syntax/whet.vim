" Colours for models of whet.
if exists("b:current_syntax")
  finish
endif
syntax case match
syntax iskeyword @,48-57,_,'

syntax keyword whetDeclaration action channel clock const control ctl ctlstar deadlockfree define domain fair flat include init invariant lemma lossy ltl mu predicates procedure
syntax keyword whetDeclaration process program record safe states sync terminates type unreachable var
syntax keyword whetWord assert assume at atomic break choose else end ensures exists fails for forall free goto havoc if in let new nu of old or requires return
syntax keyword whetWord rabin returns skip streett strong sum then unless when while
syntax keyword whetType array bool data freed int nat next node real
syntax keyword whetConstant false null true
syntax keyword whetFunction A AF AG AX E EF EG EX F G H O R S U W X Y abs inf max min to_int to_real
syntax match whetNumber "\<\d\+\(\.\d\+\)\?\>"
syntax match whetSign ":=\|->\|<=>\|=>\|&&\|||\|!="
syntax match whetQuoted "|[^|]\+|"
syntax match whetLineComment "//.*$" contains=@Spell
syntax region whetComment start="/\*" end="\*/" contains=@Spell

highlight default link whetDeclaration Keyword
highlight default link whetWord Statement
highlight default link whetType Type
highlight default link whetConstant Constant
highlight default link whetFunction Function
highlight default link whetNumber Number
highlight default link whetSign Operator
highlight default link whetQuoted Identifier
highlight default link whetLineComment Comment
highlight default link whetComment Comment

let b:current_syntax = "whet"
