/* Puts the given value in place of the one in the tree; a parameter becomes a constant. */
#include "input/whet/set_constants.h"

#include "base/text.h"

typedef struct setting {
  char *name, *value;
} setting;

static variables_tree *find_constant(const module *tree, const char *name) {
  for (size_t i = 0; i < tree->declarations.count; i++) {
    const declaration *d = tree->declarations.at[i];
    for (size_t j = 0; d->kind == DECLARATION_CONST && j < d->variables->names.count; j++)
      if (!strcmp(d->variables->names.at[j].word->text, name)) return d->variables;
  }
  return NULL;
}

static expression *value_of(const setting *s, span at, arena *a, words *w) {
  expression *e = arena_alloc(a, sizeof(expression));
  number n;
  bool is_truth = !strcmp(s->value, "true") || !strcmp(s->value, "false");
  e->at = at;
  if (is_truth) {
    e->kind = EXPRESSION_BOOL;
    e->truth = s->value[0] == 't';
  } else if (number_parse_fraction(s->value, strlen(s->value), &n)) {
    e->kind = EXPRESSION_NUMBER;
    e->number = n;
    e->is_decimal = strpbrk(s->value, "./");
  } else {
    e->kind = EXPRESSION_NAME;
    e->word = words_make(w, s->value);
  }
  return e;
}

static void set_constant(module *tree, const setting *s, arena *a, words *w, const char *path, diagnostics *d) {
  variables_tree *v = find_constant(tree, s->name);
  text wrong = {0};
  if (!*s->value)
    text_add(&wrong, "-D %s: there is no value; write -D %s=5", s->name, s->name);
  else if (!v)
    text_add(&wrong, "-D %s=%s: the model has no constant `%s`", s->name, s->value, s->name);
  else if (v->names.count > 1)
    text_add(&wrong, "-D %s=%s: `%s` is declared together with others; give it a `const` of its own", s->name, s->value,
             s->name);
  else
    v->value = value_of(s, v->names.at[0].at, a, w);
  if (wrong.count) report_file_error(d, path, "%s", text_string(&wrong));
  text_clear(&wrong);
}

void set_constants(module *tree, const char *defines, arena *a, words *w, const char *path, diagnostics *d) {
  while (defines && *defines) {
    size_t length = strcspn(defines, "\n"), name = strcspn(defines, "=\n");
    setting s = {
        .name = memory_copy_bytes(defines, name),
        .value = name < length ? memory_copy_bytes(defines + name + 1, length - name - 1) : memory_copy_string("")};
    set_constant(tree, &s, a, w, path, d);
    memory_free(s.name);
    memory_free(s.value);
    defines += length + (defines[length] == '\n');
  }
}
