/* What procedures require and ensure. */
#include "input/whet/calls/lower_procedures.h"

char *procedures_contract_name(const process_tree *p, bool is_ensured) {
  return text_format("%s.%s", p->name.word->text, is_ensured ? "ensures" : "requires");
}

bool procedures_has_contract(const process_tree *p, bool is_ensured) {
  for (size_t i = 0; i < p->contract_count; i++)
    if (p->contracts[i].is_ensured == is_ensured) return true;
  return false;
}

variable procedures_old_variable(const procedures *k, size_t cell) {
  terms *ts = k->l->terms;
  variable v = k->l->cells.at[cell];
  char *name = text_format("%s at first", variable_name(ts, v));
  type of = *variable_type(ts, v);
  variable made = variable_fresh(ts, name, &of);
  memory_free(name);
  return made;
}

static variable old_of(procedures *k, size_t cell) {
  lowered_body *b = k->body;
  for (size_t i = 0; i < b->olds.count; i++)
    if (b->olds.at[i].cell == cell) return b->olds.at[i].var;
  VECTOR_PUSH(b->olds, (old_value){cell, procedures_old_variable(k, cell)});
  return VECTOR_LAST(b->olds).var;
}

/* In clauses, each cell that is asked for gets a variable for what it held. */
static void set_olds_of_clauses(procedures *k, term now, substitution *by) {
  terms *ts = k->l->terms;
  variable_vector all = {0};
  uint64_t cell;
  quantifiers_variables_of(&k->l->quantifiers, ts, now, &all);
  for (size_t i = 0; i < all.count; i++)
    if (map_get(k->cells, all.at[i].x, &cell) && bits_has(&k->shared, cell))
      substitution_set(by, all.at[i], term_of_variable(ts, old_of(k, cell)));
  VECTOR_FREE(all);
}

static void set_olds_in_place(const lowering *l, substitution *by) {
  const family *f = l->in_place;
  size_t next = f->first_old + f->copy * f->old_cells;
  for (size_t i = 0; i < f->olds.count; i++) {
    const symbol *s = f->olds.at[i];
    size_t count = (s->family ? s->family->copies : 1) * s->type->cells;
    for (size_t j = 0; j < count; j++) substitution_set(by, l->cells.at[s->first_cell + j], cell_term(l, next++));
  }
}

term lower_old(lowering *l, const expression *e) {
  term now = lower_expression(l, e);
  substitution *by = substitution_new(l->terms);
  if (l->in_place)
    set_olds_in_place(l, by);
  else
    set_olds_of_clauses(l->procedures, now, by);
  term then = quantifiers_apply(&l->quantifiers, l->terms, by, now);
  substitution_free(by);
  return then;
}

term procedures_add_contracts(procedures *k, lowered_body *b, bool is_ensured) {
  term all = TERM_TRUE;
  const process_tree *p = b->tree;
  const char *word = is_ensured ? "ensures" : "requires";
  for (size_t i = 0; i < p->contract_count; i++) {
    const contract *c = &p->contracts[i];
    for (size_t j = 0; c->is_ensured == is_ensured && j < c->conditions.count; j++) {
      char *name = procedures_contract_name(p, is_ensured), *what = text_format("%s ", word);
      uint32_t property = procedures_property(k, name, p->name.at);
      term holds = lower_condition(k->l, c->conditions.at[j]);
      procedures_check(k, b, is_ensured ? b->end : b->entry, term_not(holds), property, c->conditions.at[j], what);
      all = term_and(k->l->terms, all, holds);
      memory_free(name);
      memory_free(what);
    }
  }
  return all;
}

void procedures_set_reliance(model *whole, const module *m) {
  for (size_t i = 0; i < whole->properties.count; i++) {
    property *of = &whole->properties.at[i];
    text names = {0};
    for (size_t j = 0; j < m->declarations.count; j++)
      for (int is_ensured = 0; is_ensured < 2 && m->declarations.at[j]->kind == DECLARATION_PROCEDURE; is_ensured++) {
        const process_tree *p = m->declarations.at[j]->process;
        if (!procedures_has_contract(p, is_ensured)) continue;
        char *name = procedures_contract_name(p, is_ensured);
        if (strcmp(name, of->name)) text_add(&names, "%s%s", names.count ? "\n" : "", name);
        memory_free(name);
      }
    if (names.count) of->relies_on = model_string(whole, text_string(&names));
    text_clear(&names);
  }
}
