// CellDecoder: makes cells of the values of a JSON document. A text without escapes stays in the
// document. A date or GUID in its canonical form is checked, not formatted again.
//
// Ownership: cells point into the document or into the arena. The decoder points to both.
// Thread rule: one thread at a time.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "model/edm.h"
#include "odata/arena.h"
#include "odata/json_tokens.h"

namespace aztables {

class CellDecoder {
 public:
  CellDecoder(const JsonTokens& tokens, Arena& arena) : tokens_(tokens), arena_(arena) {}

  // Stores the value at `token`, whose annotation is a raw text such as Edm.Int64 or empty. If the
  // value is not of that type, the cell is malformed. An error: it is not JSON.
  Status Decode(size_t token, std::string_view annotation, Cell& cell);
  // Lets the cell outlive the document.
  void Keep(Cell& cell);

 private:
  Status Unescape(std::string_view& text);
  bool DecodeText(std::string_view text, EdmType type, Cell& cell);

  const JsonTokens& tokens_;
  Arena& arena_;
  std::string unescaped_;
};

}  // namespace aztables
