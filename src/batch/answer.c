/* A file answers/QUESTION holds the key of the record that answers it. It says nothing about the answer, which only the record does. */
#include "batch/answer.h"

#include "base/files/atomic_file.h"
#include "batch/folder.h"

static GIVE char *path_of(const char *folder, const char *question) {
  return text_format("%s/" BATCH_ANSWERS "/%s", folder, question);
}

bool batch_record_decides(const batch_record *r) {
  for (size_t i = 0; i < r->answers.count; i++)
    if (r->answers.at[i].holds == HOLDS_UNKNOWN) return false;
  return r->end == BATCH_DONE && r->answers.count;
}

void batch_answer_leave(const char *folder, const batch_problem *p, const batch_record *r) {
  char *path = path_of(folder, p->question);
  if (batch_record_decides(r)) atomic_file_write(path, p->key);
  memory_free(path);
}

bool batch_answer_is_there(const char *folder, const char *question) {
  char *path = path_of(folder, question);
  text key = {0};
  batch_problem p = {0};
  bool is_there = text_add_file(&key, path, DIGEST_DIGITS + 1) && key.count == DIGEST_DIGITS &&
                  strspn(text_string(&key), "0123456789abcdef") == DIGEST_DIGITS;
  if (is_there) {
    arena *a = arena_new();
    batch_record r;
    memcpy(p.key, text_string(&key), DIGEST_DIGITS);
    char *result = batch_folder_result(folder, p.key);
    batch_record_read(&r, a, result, &p);
    is_there = batch_record_decides(&r);
    VECTOR_FREE(r.answers);
    memory_free(result);
    arena_free(a);
  }
  text_clear(&key);
  memory_free(path);
  return is_there;
}
