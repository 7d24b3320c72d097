// JSON in a growing string: see json_text.h.
#include "service/handlers/json_text.h"

#include <algorithm>

#include "odata/json_writer.h"

namespace aztables {

void JsonText::String(std::string_view text) {
  if (IsPlainAscii(text)) {
    char* const out = Room(text.size() + 2);
    out[0] = '"';
    std::memcpy(out + 1, text.data(), text.size());
    out[text.size() + 1] = '"';
    end_ += text.size() + 2;
    return;
  }
  out_.resize(end_);
  AppendAsciiJsonString(out_, text);
  end_ = out_.size();
}

// The new bytes are written twice, first as zeros: so a large string grows by steps that stay in
// the processor's cache.
void JsonText::Grow(size_t size) {
  constexpr size_t kStep = 16 * 1024;
  const size_t step = std::min(kStep, std::max<size_t>(end_, kSpare));
  if (out_.capacity() < end_ + size + kSpare)
    out_.reserve(std::max(2 * end_, end_ + size + kSpare));
  out_.resize(std::max(end_ + size, std::min(end_ + step, out_.capacity() - kSpare)));
}

}  // namespace aztables
