// Memory for libcurl that is wiped when it is freed: addresses with a SAS were in it.
//
// Thread rule: free functions; any thread.
#pragma once

#include <cstddef>

namespace aztables {

// free() and realloc() for blocks that malloc() gave. Of a block of more than 256 KiB the first
// 64 KiB are wiped: libcurl has only its receive buffer that large. It holds answers alone, and one
// that is an error and repeats an address is far smaller.
void WipeAndFree(void* block);
void* WipeAndResize(void* block, size_t size);

}  // namespace aztables
