/* Task definitions: a C program, what to show of it, and what others say. */
#include "input/witness/task.h"

#include "library/inside.h"

struct whet_task {
  c_task task;
};

bool whet_task_is_named(const char *path) { return c_task_is_named(path); }

whet_task *whet_task_read(const char *path, char **error) {
  whet_task *t = MEMORY_NEW(whet_task);
  *error = c_task_read(&t->task, path);
  if (!*error) return t;
  whet_task_free(t);
  return NULL;
}

void whet_task_free(whet_task *t) {
  if (!t) return;
  c_task_clear(&t->task);
  memory_free(t);
}

const char *whet_task_file(const whet_task *t) { return t->task.file; }
const char *whet_task_machine(const whet_task *t) { return t->task.machine; }
size_t whet_task_property_count(const whet_task *t) { return t->task.properties.count; }

static const c_task_property *task_property(const whet_task *t, size_t i) {
  REQUIRE(i < t->task.properties.count, "an index below whet_task_property_count()");
  return &t->task.properties.at[i];
}

const char *whet_task_property(const whet_task *t, size_t i) { return task_property(t, i)->name; }
const char *whet_task_property_as_named(const whet_task *t, size_t i) { return task_property(t, i)->as_named; }
const char *whet_task_expected(const whet_task *t, size_t i) { return task_property(t, i)->expected; }
