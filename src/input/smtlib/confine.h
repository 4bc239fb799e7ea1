/* What a child process loses before it reads hostile text with somebody else's parser. */
#ifndef WHET_INPUT_SMTLIB_CONFINE_H
#define WHET_INPUT_SMTLIB_CONFINE_H

/* For the rest of its life the calling process, which has one thread, can only compute and write to the descriptor that
 * is returned: `descriptor`, or a copy of it if it is one of the first three. Its standard output and error lead
 * nowhere, its other descriptors are closed, files that it writes stay empty, and on Linux with x86-64 or ARM64 the
 * kernel refuses every system call (EPERM) that computing and writing do not need. A kernel without such filters leaves
 * it at the rest. */
int confine(int descriptor);

#endif
