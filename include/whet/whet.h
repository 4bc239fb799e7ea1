/* whet: model checking of infinite-state integer systems by abstraction refinement. */
#ifndef WHET_WHET_H
#define WHET_WHET_H
#ifdef __cplusplus
extern "C" {
#endif

#define WHET_API __attribute__((visibility("default")))

WHET_API const char *whet_version(void);

#ifdef __cplusplus
}
#endif
#endif
