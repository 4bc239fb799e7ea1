/* Messages to the user: what is wrong with a text, and where.
 *
 * A `source` is a text and the files that it includes, one behind the other, so that an offset is a place in one of them. It turns offsets into lines and columns. A `reporter` collects up to 20 messages; it drops repetitions of the
 * same message at the same place, which arise if one piece of text is expanded several times. */
#ifndef WHET_INPUT_DIAGNOSTIC_H
#define WHET_INPUT_DIAGNOSTIC_H

#include "base/map.h"
#include "input/input.h"

enum { DIAGNOSTIC_LIMIT = 20 };

/* Part of a source: offsets of the first byte and of the one after the last. */
typedef struct span {
  uint32_t start, end;
} span;

/* A file that the text includes: where it stands behind the text, and the offset of what includes it. */
typedef struct included_file {
  char *path; /* from where whet runs, for messages; owned */
  uint32_t start, end;
  uint32_t from;
  size_t first_line;
} included_file;

typedef struct source {
  const char *path; /* for messages */
  const char *text;
  uint32_t length; /* with all that it includes */
  uint32_t own;    /* of the text alone */
  VECTOR(included_file) files;
  text joined;                         /* the text with what it includes, once that is something */
  VECTOR(uint32_t) lines;              /* where each line starts */
  VECTOR(uint32_t) continued;          /* how many bytes before each block of the text start no character */
  const struct c_settings *c_settings; /* for C programs; NULL: those by default */
} source;

void source_open(source *s, KEEP const char *path, KEEP const char *content, size_t length); /* length < 2^32 */
void source_close(source *s);
/* Adds a file that is included at offset `from`. The whole must be shorter than 2^32. */
void source_add_file(source *s, KEEP const char *path, const char *content, size_t length, uint32_t from);
/* The file that `offset` is in; NULL: the text itself. */
KEEP const included_file *source_file(const source *s, uint32_t offset);
KEEP const char *source_path(const source *s, uint32_t offset);
/* The same offset if it is in the text itself, else where the text includes what it is in. */
uint32_t source_own_offset(const source *s, uint32_t offset);
/* The path without folders. */
KEEP const char *source_name(const source *s);
/* Columns count characters, not bytes. */
place source_place(const source *s, uint32_t offset);
/* The offset of a place in it; 0 if it is nowhere. */
uint32_t source_offset(const source *s, place at);
/* The text of `at` on one line, white space and comments reduced to single blanks, cut after `most` bytes. */
GIVE char *source_excerpt(const source *s, span at, size_t most);

/* A message by itself. */
typedef struct finding {
  uint32_t offset; /* 0 if it is about the whole file */
  char *message;
  text hints; /* a line each */
} finding;

/* Messages for a program that shows them in its own way. */
typedef struct findings {
  size_t most; /* instead of DIAGNOSTIC_LIMIT */
  VECTOR(finding) list;
} findings;

void findings_clear(findings *f);

typedef struct reporter {
  source *source;
  diagnostics *out;
  map *seen;
  bool hinting;  /* the last message was printed, so a hint to it is too */
  uint32_t file; /* that the last message is about, as a place has it */
} reporter;

void reporter_open(reporter *r, KEEP source *s, KEEP diagnostics *out);
void reporter_close(reporter *r);
/* No further message will be printed: whoever reports may as well stop. */
bool reporter_is_full(const reporter *r);

void report_error(reporter *r, uint32_t offset, const char *format, ...) PRINTF_LIKE(3, 4);
/* A line of advice below the last message. */
void report_hint(reporter *r, const char *format, ...) PRINTF_LIKE(2, 3);
/* Like report_hint; says where something else stands: "first declared at line 3, column 5". */
void report_first_place(reporter *r, const char *what, uint32_t offset);
/* For what is wrong with a file as a whole: no place, no source line. */
void report_file_error(diagnostics *d, const char *path, const char *format, ...) PRINTF_LIKE(3, 4);

#endif
