/* A command in a process of its own, with pipes to and from it. It may die, hang, write without end or never read: none
 * of that blocks the caller beyond the limits. */
#ifndef WHET_PROCESS_COMMAND_H
#define WHET_PROCESS_COMMAND_H

#include "base/limits.h"
#include "base/text.h"

typedef struct external_command external_command;

/* `command` is run by the shell, in a process group of its own that does not outlive this process, with at most `memory` bytes (0: no limit). NULL if
 * the system has no room for it. */
GIVE external_command *command_start(const char *command, uint64_t memory);
/* The same for a program, looked for in PATH, and its arguments, the last of which is NULL: no shell sees them. */
GIVE external_command *command_start_program(const char *const *arguments, uint64_t memory);
/* Kills the whole group and leaves no zombie. */
void command_free(TAKE external_command *p);

/* Takes note of what is to be written; `command_receive` does it. */
void command_send(external_command *p, const char *bytes, size_t count);
/* Nothing more will be sent: the child sees the end of its input once all is written. */
void command_send_end(external_command *p);
typedef enum command_status { COMMAND_RECEIVED, COMMAND_ENDED, COMMAND_LIMIT } command_status;
/* Writes what is to be written and waits for output of the child, at least one byte of which is added to `out`. */
command_status command_receive(external_command *p, const limits *l, text *out);
/* After COMMAND_ENDED: how it ended and the first line it wrote to its standard error. */
void command_epitaph(external_command *p, text *out);
/* After COMMAND_ENDED: the status it ended with, -1 if a signal ended it; 127 if there is no such program. */
int command_exit_status(const external_command *p);
/* After COMMAND_ENDED: the beginning of what it wrote to its standard error. */
KEEP const char *command_complaint(const external_command *p);

#endif
