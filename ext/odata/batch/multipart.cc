// Multipart bodies: see multipart.h.
#include "odata/batch/multipart.h"

#include <algorithm>
#include <string>

#include "base/encoding.h"

namespace aztables {
namespace {

// Where "--" and the boundary begin, if `line` ends with them and they are all of it, or follow the
// last brace of a body, as Azure's client for C++ writes them. Otherwise npos. A body is one long
// line, so only its end is read.
size_t BoundaryBegin(std::string_view line, std::string_view boundary) {
  if (!line.ends_with(boundary)) return std::string_view::npos;
  line.remove_suffix(boundary.size());
  if (!line.ends_with("--")) return std::string_view::npos;
  line.remove_suffix(2);
  return line.empty() || line.ends_with('}') ? line.size() : std::string_view::npos;
}

// As BoundaryBegin(); blanks or "--" may follow the boundary. `last`: "--" does.
size_t BoundaryAt(std::string_view line, std::string_view boundary, bool& last) {
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  last = false;
  const size_t begin = BoundaryBegin(line, boundary);
  if (begin != std::string_view::npos || !line.ends_with("--")) return begin;
  last = true;
  line.remove_suffix(2);
  return BoundaryBegin(line, boundary);
}

}  // namespace

std::string_view TakeLine(std::string_view& text) {
  const size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

HeadLine TakeHeader(std::string_view& text, std::string_view& name, std::string_view& value) {
  if (text.empty()) return HeadLine::kEnd;
  const std::string_view line = TakeLine(text);
  if (line.empty()) return HeadLine::kEnd;
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return HeadLine::kOther;
  name = TrimBlanks(line.substr(0, colon));
  value = TrimBlanks(line.substr(colon + 1));
  return HeadLine::kHeader;
}

std::string_view MediaType(std::string_view content_type) {
  return TrimBlanks(content_type.substr(0, content_type.find(';')));
}

std::string_view Boundary(std::string_view content_type) {
  constexpr std::string_view kName = "boundary=";
  const size_t at = ToLowerAscii(content_type).find(kName);
  if (at == std::string_view::npos) return {};
  std::string_view value = content_type.substr(at + kName.size());
  value = TrimBlanks(value.substr(0, value.find(';')));
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
    value = value.substr(1, value.size() - 2);
  }
  return value;
}

BoundaryLine TakeToBoundary(std::string_view& text,
                            std::initializer_list<std::string_view> boundaries,
                            std::string_view& before) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    BoundaryLine found;
    for (const std::string_view boundary : boundaries) {
      ++found.which;
      const size_t at = BoundaryAt(text.substr(begin, end - begin), boundary, found.last);
      if (at == std::string_view::npos) continue;
      before = text.substr(0, begin + at);
      text.remove_prefix(std::min(end + 1, text.size()));
      return found;
    }
    begin = end + 1;
  }
  before = text;
  text = {};
  return {};
}

}  // namespace aztables
