/* Models and programs as SV-LIB (docs/svlib.md): a statement is written part by part. */
#ifndef WHET_MODEL_SVLIB_TEXT_H
#define WHET_MODEL_SVLIB_TEXT_H

#include "model/model.h"

/* The transition system as a script. What SV-LIB has no words for (temporal properties) is named in comments. False, and
 * nothing is written, if the model has a heap. */
bool model_print_svlib(const model *m, text *out);

/* The parts. Each begins a line of its own, `depth` levels deep. */
void svlib_line(text *out, unsigned depth);
void svlib_comment(text *out, unsigned depth, const char *words);
/* (x Int) */
void svlib_declaration(const terms *ts, variable v, text *out);
/* (havoc a b), with what their types say; nothing if there are none. */
void svlib_havoc(terms *ts, size_t count, const variable *inputs, unsigned depth, text *out);
void svlib_assume(const terms *ts, term t, unsigned depth, text *out); /* nothing if it is true */
void svlib_assign(const terms *ts, size_t count, const update *updates, unsigned depth, text *out);
/* (! (sequence) :tag NAME :check-true ..) */
void svlib_check(const terms *ts, const char *tag, term holds, unsigned depth, text *out);
void svlib_goto(const char *label, unsigned depth, text *out);
/* (! (label NAME) :tag |at NAME|) */
void svlib_label(const char *name, unsigned depth, text *out);

#endif
