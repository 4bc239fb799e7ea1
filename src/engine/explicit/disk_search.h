/* Breadth-first search whose states are in files, with delayed duplicate detection: all successors of a level are
 * sorted, and then compared with the states found before in one go through both. Memory is needed for sorting and
 * for some blocks of each file, whatever the number of states.
 *
 * Levels stand in one file one after the other. A run is found by looking, level by level, for a state that has a step
 * to the one after it. */
#ifndef WHET_ENGINE_EXPLICIT_DISK_SEARCH_H
#define WHET_ENGINE_EXPLICIT_DISK_SEARCH_H

#include "engine/explicit/result.h"

typedef struct disk_search disk_search;

/* After search_begin_ranges; goes on with an earlier search if the options say so. */
GIVE disk_search *disk_search_new(KEEP search *s);
void disk_search_free(TAKE disk_search *d);
/* Takes the steps of all states of the level that was found last. False if there is no such level any more or the
 * search is over. */
bool disk_search_level(disk_search *d);
uint64_t disk_search_depth(const disk_search *d);
uint64_t disk_search_states(const disk_search *d);
/* The violation, or all states, as evidence; false if the budget was spent before, or a file could not be read. */
bool disk_search_trace(disk_search *d, evidence *out);
bool disk_search_all(disk_search *d, evidence *out);
/* Why files could not be read or written, or NULL. */
KEEP const char *disk_search_problem(const disk_search *d);
/* A verdict was found: what was kept for later is removed. */
void disk_search_decided(disk_search *d);

#endif
