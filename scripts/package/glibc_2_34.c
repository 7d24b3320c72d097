/* Lets static libraries of glibc 2.36 run on glibc 2.34: expat and libstdc++ call functions that only
** later versions have. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN void arc4random_buf(void *buffer, size_t size) {
  const size_t kMost = 256; /* of getentropy() */
  char *to = buffer;
  while (size > 0) {
    const size_t part = size < kMost ? size : kMost;
    if (getentropy(to, part) != 0) abort(); /* as glibc: there is no other source */
    to += part;
    size -= part;
  }
}

HIDDEN uint32_t arc4random(void) {
  uint32_t value;
  arc4random_buf(&value, sizeof value);
  return value;
}
