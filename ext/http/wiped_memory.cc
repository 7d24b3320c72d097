// Wiped memory: see wiped_memory.h.
#include "http/wiped_memory.h"

#include <malloc.h>
#include <string.h>

#include <algorithm>
#include <cstdlib>

namespace aztables {
namespace {

constexpr size_t kMostWiped = 256 * 1024;
constexpr size_t kBeginning = 64 * 1024;  // of a larger block

}  // namespace

void WipeAndFree(void* block) {
  if (block == nullptr) return;
  const size_t size = malloc_usable_size(block);
  explicit_bzero(block, size <= kMostWiped ? size : kBeginning);
  std::free(block);
}

void* WipeAndResize(void* block, size_t size) {
  if (block == nullptr) return std::malloc(size);
  const size_t had = malloc_usable_size(block);
  if (size <= had && size > had / 2) return block;
  void* const resized = std::malloc(size);
  if (resized == nullptr) return nullptr;
  memcpy(resized, block, std::min(had, size));
  WipeAndFree(block);
  return resized;
}

}  // namespace aztables
