// Memory for libcurl that is wiped when it is freed, because it may have held addresses with a SAS.
//
// Thread rule: free functions; any thread.
#pragma once

#include <cstddef>

namespace aztables {

// free() and realloc() for blocks from malloc(). In a block of more than 256 KiB only the first 64
// KiB are wiped: only libcurl's receive buffer is that large. It holds only responses, and an error
// response that repeats an address is far smaller.
void WipeAndFree(void* block);
void* WipeAndResize(void* block, size_t size);

}  // namespace aztables
