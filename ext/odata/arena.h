// Arena: text that lives as long as one page. Reset() keeps the memory for the next page.
//
// Thread rule: one thread at a time.
#pragma once

#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace aztables {

class Arena {
 public:
  std::string_view Keep(std::string_view text) {
    if (text.empty()) return {};
    if (block_ == blocks_.size() || blocks_[block_].size - used_ < text.size())
      NextBlock(text.size());
    char* const place = blocks_[block_].bytes.get() + used_;
    std::memcpy(place, text.data(), text.size());
    used_ += text.size();
    return {place, text.size()};
  }
  void Reset() {
    block_ = 0;
    used_ = 0;
  }

 private:
  static constexpr size_t kBlockSize = 64 * 1024;
  struct Block {
    std::unique_ptr<char[]> bytes;
    size_t size;
  };

  void NextBlock(size_t wanted) {
    if (block_ < blocks_.size()) ++block_;
    used_ = 0;
    while (block_ < blocks_.size() && blocks_[block_].size < wanted) ++block_;
    if (block_ == blocks_.size()) {
      const size_t size = wanted > kBlockSize ? wanted : kBlockSize;
      blocks_.push_back({std::make_unique<char[]>(size), size});
    }
  }

  std::vector<Block> blocks_;
  size_t block_ = 0;  // the block that is being filled
  size_t used_ = 0;   // used bytes of that block
};

}  // namespace aztables
