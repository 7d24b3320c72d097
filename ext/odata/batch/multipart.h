// Multipart bodies, read line by line in one pass, for both directions of a batch.
// Source: RFC 2046, section 5.1. Lines end with CRLF or LF. A boundary begins a line, and only
// blanks follow it. So text inside of a line is never mistaken for a boundary.
//
// Ownership: results point into the text.
// Thread rule: free functions, callable on any thread.
#pragma once

#include <initializer_list>
#include <string_view>

namespace aztables {

// Removes one line from the front of `text`, and returns it without its end.
std::string_view TakeLine(std::string_view& text);

// Removes one line of a head from `text` and splits it at its colon, without blanks around name and
// value. kEnd at the blank line after the head, which is removed too, and at the end of the text.
enum class HeadLine { kHeader, kOther, kEnd };
HeadLine TakeHeader(std::string_view& text, std::string_view& name, std::string_view& value);

// "multipart/mixed" of "multipart/mixed; boundary=x".
std::string_view MediaType(std::string_view content_type);
// "x" of the same, without quotes; empty if there is none.
std::string_view Boundary(std::string_view content_type);

// A line that is a boundary.
struct BoundaryLine {
  int which = -1;     // index of the boundary; -1: none was found
  bool last = false;  // with "--" at its end
};
// Removes everything up to and including the next line that is one of the boundaries from `text`.
// Without such a line, `before` is all of the text. The line end that belongs to the boundary is
// part of `before`.
BoundaryLine TakeToBoundary(std::string_view& text,
                            std::initializer_list<std::string_view> boundaries,
                            std::string_view& before);

}  // namespace aztables
