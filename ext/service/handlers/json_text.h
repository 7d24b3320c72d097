// JsonText: writes JSON to the end of a string, in the form of the service's responses.
//
// Ownership: refers to the string, which has its final size once the JsonText is destroyed.
// Thread rule: one thread.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

namespace aztables {

class JsonText {
 public:
  explicit JsonText(std::string& out) : out_(out), end_(out.size()) {}
  ~JsonText() { out_.resize(end_); }
  JsonText(const JsonText&) = delete;
  JsonText& operator=(const JsonText&) = delete;

  // The size of the string so far.
  size_t size() const { return end_; }
  // Expects a string of that size in the end.
  void Expect(size_t size) { out_.reserve(size + kSpare); }

  void Raw(std::string_view text) {
    std::memcpy(Room(text.size()), text.data(), text.size());
    end_ += text.size();
  }
  void Raw(char c) { Raw(std::string_view(&c, 1)); }
  // With quotes and escapes, in ASCII alone.
  void String(std::string_view text);
  // What `write(char* out)` writes, which are at most `most` bytes. It returns their end.
  template <typename Write>
  void Written(size_t most, const Write& write) {
    const char* const end = write(Room(most));
    end_ = static_cast<size_t>(end - out_.data());
  }

 private:
  // Readers add some bytes after the text. If there is room for them, they need not copy it.
  static constexpr size_t kSpare = 256;

  // The end of the text, with room for `size` more bytes.
  char* Room(size_t size) {
    if (out_.size() - end_ < size) Grow(size);
    return out_.data() + end_;
  }
  void Grow(size_t size);

  std::string& out_;  // longer than the text, as room for the next ones
  size_t end_;        // of the text
};

}  // namespace aztables
