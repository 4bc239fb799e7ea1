" Files of the model checker whet.
autocmd BufNewFile,BufRead *.whet setfiletype whet
