/* Running single steps of models on states written as text. */
#include "unit/step_helper.h"

#include <stdlib.h>

#include "model/semantics.h"

static bool read_value(const type *t, const char *at, size_t length, int64_t *out) {
  if (length == 4 && !strncmp(at, "true", 4))
    *out = 1;
  else if (length == 5 && !strncmp(at, "false", 5))
    *out = 0;
  else if (*at == '-' || (*at >= '0' && *at <= '9'))
    *out = strtoll(at, NULL, 10);
  else {
    for (size_t i = 0; i < t->name_count; i++)
      if (strlen(t->names[i]) == length && !strncmp(t->names[i], at, length)) {
        *out = (int64_t)i;
        return true;
      }
    return false;
  }
  return true;
}

static GIVE int64_t *read_state(const model *m, const char *state) {
  int64_t *values = MEMORY_ARRAY(int64_t, m->variables.count + 1);
  while (*state) {
    size_t name = strcspn(state, "="), value = strcspn(state + name + 1, " ");
    char *text = memory_copy_bytes(state, name);
    variable v;
    bool known = variable_find(m->terms, text, &v) && model_is_state_variable(m, v);
    bool fine = known && read_value(variable_type(m->terms, v), state + name + 1, value, &values[model_position(m, v)]);
    if (!fine) {
      printf("Bail out! `%s` is no state of the model\n", state);
      exit(1);
    }
    memory_free(text);
    state += name + 1 + value;
    state += *state == ' ';
  }
  return values;
}

static void print_value(const type *t, int64_t value, text *out) {
  if (t->sort == SORT_BOOL)
    text_add(out, value ? "true" : "false");
  else if (t->names)
    text_add(out, "%s", t->names[value]);
  else
    text_add(out, "%lld", (long long)value);
}

static size_t find_step(const model *m, const char *name) {
  size_t length = strcspn(name, "#"), wanted = name[length] ? (size_t)atoi(name + length + 1) : 1;
  for (size_t i = 0; i < m->transitions.count; i++) {
    const char *own = m->transitions.at[i].name;
    if (strlen(own) == length && !strncmp(own, name, length) && !--wanted) return i;
  }
  printf("Bail out! there is no step %s\n", name);
  exit(1);
}

GIVE char *step_text(const model *m, const char *name, const char *state, const char *inputs) {
  size_t index = find_step(m, name), count = 0, fault = 0;
  int64_t *before = read_state(m, state), *after = MEMORY_ARRAY(int64_t, m->variables.count + 1), given[8] = {0};
  for (char *end; *inputs && count < 8; inputs = end) given[count++] = strtoll(inputs, &end, 10);
  semantics *s = semantics_new(m);
  text out = {0};
  switch (semantics_step(s, index, before, given, after, &fault)) {
    case STEP_DISABLED: text_add(&out, "disabled"); break;
    case STEP_NO_NODES: text_add(&out, "no nodes"); break;
    case STEP_OVERFLOW: text_add(&out, "overflow"); break;
    case STEP_FAULT: text_add(&out, "fault: %s", m->transitions.at[index].faults.at[fault].what); break;
    case STEP_TAKEN:
      for (size_t i = 0; i < m->variables.count; i++) {
        if (before[i] == after[i]) continue;
        text_add(&out, "%s%s=", out.count ? " " : "", variable_name(m->terms, m->variables.at[i].var));
        print_value(variable_type(m->terms, m->variables.at[i].var), after[i], &out);
      }
      break;
  }
  semantics_free(s);
  memory_free(before);
  memory_free(after);
  return text_give(&out);
}

const char *condition_text(const model *m, term t, const char *state) {
  int64_t *values = read_state(m, state);
  state_condition *c = state_condition_new(m, t);
  int result = state_condition_holds(c, values);
  state_condition_free(c);
  memory_free(values);
  return result < 0 ? "overflow" : result ? "true" : "false";
}
