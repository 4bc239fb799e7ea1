/* Commands, then Z3's parser. */
#include "input/smtlib/script.h"

#include "input/smtlib/parse.h"

bool script_open(script *s, source *from, bool is_vmt, diagnostics *d) {
  *s = (script){.source = from, .diagnostics = d, .names = arena_new()};
  reporter_open(&s->reporter, from, d);
  if (!commands_read(from, is_vmt, s->names, &s->commands, &s->reporter)) return false;
  if (!is_vmt && !s->commands.count) {
    report_file_error(d, from->path, "the file has no clauses");
    return false;
  }
  return smtlib_parse(&s->commands, &s->nodes, &s->reporter);
}

void script_close(script *s) {
  nodes_free(&s->nodes);
  commands_clear(&s->commands);
  arena_free(s->names);
  reporter_close(&s->reporter);
}
