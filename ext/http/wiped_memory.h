// Memory for libcurl that is wiped when it is freed: addresses with a SAS were in it.
//
// Thread rule: free functions; any thread.
#pragma once

#include <cstddef>

namespace aztables {

// free() and realloc() for blocks that malloc() gave. Blocks of more than 256 KiB are not wiped:
// libcurl has only its receive buffer that large, which holds answers alone.
void WipeAndFree(void* block);
void* WipeAndResize(void* block, size_t size);

}  // namespace aztables
