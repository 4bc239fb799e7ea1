/* The language server: JSON-RPC on standard input and output. All work on texts is done by this program again, in children with limits, so
 * that no text and no run keeps the server from answering. */
#ifndef WHET_LSP_LSP_H
#define WHET_LSP_LSP_H

#include <stdint.h>

typedef struct lsp_settings {
  double seconds;     /* for each run that is asked for; 0: 60 */
  uint64_t megabytes; /* for each engine of a run; 0: what the program takes by itself */
  const char *version;
} lsp_settings;

/* The exit status: 0 after `shutdown` and `exit`, else 1. */
int lsp_serve(const lsp_settings *s);

#endif
