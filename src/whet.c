/* The public interface over the engines and the checker. */
#include "whet/whet.h"

const char *whet_version(void) { return WHET_VERSION; }
