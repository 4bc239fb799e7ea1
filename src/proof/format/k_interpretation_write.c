/* Writes a k-inductive interpretation as SMT-LIB 2, with its obligations (check/check_k_interpretation.c) spelt out; docs/certificates.md
 * describes the file. Every check-sat is to answer unsat. */
#include "proof/clause_chain.h"
#include "proof/format/formats.h"
#include "proof/format/invariant_writer.h"

typedef struct chain_writer {
  invariant_writer base;
  clause_chain *chain;
  const evidence *evidence;
  size_t declared; /* how many variables of the chain */
} chain_writer;

static void assert_term(chain_writer *w, term t) {
  const variable_vector *all = clause_chain_variables(w->chain);
  for (; w->declared < all->count; w->declared++) writer_declare(&w->base, all->at[w->declared]);
  writer_assert(&w->base, t);
}

static term interpreted(const chain_writer *w, size_t time) {
  return clause_chain_at(w->chain, w->evidence->interpretation.at, time);
}

static void refute(chain_writer *w, const char *what, size_t number, term t) {
  char *by = text_format("%zu", number);
  writer_open_obligation(&w->base, what, by);
  assert_term(w, t);
  writer_close_obligation(&w->base);
  memory_free(by);
}

/* Variables that are declared after a push are gone after the pop, so both parts have a chain of their own. */
static void open_part(chain_writer *w, const char *title) {
  const model *m = w->base.model;
  clause_chain_free(w->chain);
  w->chain = clause_chain_new(m->terms, m->clauses);
  w->declared = 0;
  text_add(w->base.out, "\n; %s\n(push 1)\n", title);
}

static void close_part(const chain_writer *w) { writer_text(&w->base, "(pop 1)\n"); }

static void add_first_atoms(chain_writer *w) {
  open_part(w, "derivations from a fact");
  assert_term(w, clause_chain_start(w->chain));
  for (size_t i = 0; i < w->evidence->depth; i++) {
    term now = interpreted(w, i);
    assert_term(w, TERM_TRUE);
    refute(w, "clauses from a fact: ", i, term_not(now));
    if (i + 1 == w->evidence->depth) break;
    assert_term(w, now);
    assert_term(w, clause_chain_step(w->chain, i));
  }
  close_part(w);
}

static void add_step(chain_writer *w) {
  open_part(w, "derivations from any atom of which it holds");
  size_t depth = w->evidence->depth;
  for (size_t i = 0; i < depth; i++) {
    assert_term(w, interpreted(w, i));
    assert_term(w, clause_chain_step(w->chain, i));
  }
  term last = interpreted(w, depth);
  assert_term(w, TERM_TRUE);
  refute(w, "what is derived through as many atoms as its depth says: ", depth, term_not(last));
  close_part(w);
}

static void add_queries(chain_writer *w, size_t property) {
  const clauses *all = w->base.model->clauses;
  for (size_t i = 0; i < all->clauses.count; i++) {
    const clause *c = &all->clauses.at[i];
    if (c->head != NO_PREDICATE || c->property != property) continue;
    open_part(w, "a query");
    if (c->body.count) assert_term(w, interpreted(w, 0));
    term query = clause_chain_query(w->chain, i);
    assert_term(w, TERM_TRUE);
    refute(w, "excludes the query at line ", c->place.line, query);
    close_part(w);
  }
}

void k_interpretation_write(const model *m, size_t property, const evidence *e, text *out) {
  chain_writer w = {.base = {.model = m, .property = &m->properties.at[property], .ts = m->terms, .out = out},
                    .evidence = e};
  text_add(out,
           "%s\n; A k-inductive interpretation, and what must be shown of it: each check-sat below answers unsat.\n",
           evidence_row_of(EVIDENCE_K_INTERPRETATION)->first_words);
  text_add(out, "(set-info :whet-depth %zu)\n", e->depth);
  interpretation_write(m, property, e, out);
  if (clause_chain_refusal(m->clauses)) return; /* the checker says why it cannot be */
  add_first_atoms(&w);
  add_step(&w);
  add_queries(&w, property);
  clause_chain_free(w.chain);
}
