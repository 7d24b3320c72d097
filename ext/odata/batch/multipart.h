// Multipart bodies, read line by line in one pass: what both directions of a batch need.
// Source: RFC 2046, section 5.1. Lines end with CRLF or LF; a boundary stands at the beginning of a
// line, with nothing behind it but blanks, so no text inside of a line is ever taken for one.
//
// Ownership: results point into the text.
// Thread rule: free functions, callable on any thread.
#pragma once

#include <initializer_list>
#include <string_view>

namespace aztables {

// Takes one line, without its end, off the front of `text`.
std::string_view TakeLine(std::string_view& text);

// Takes one line of a head off `text` and cuts it at its colon, without blanks around name and
// value. kEnd at the blank line behind the head, which is taken too, and at the end of the text.
enum class HeadLine { kHeader, kOther, kEnd };
HeadLine TakeHeader(std::string_view& text, std::string_view& name, std::string_view& value);

// "multipart/mixed" of "multipart/mixed; boundary=x".
std::string_view MediaType(std::string_view content_type);
// "x" of the same, without quotes; empty where there is none.
std::string_view Boundary(std::string_view content_type);

// A line that is a boundary.
struct BoundaryLine {
  int which = -1;     // of the boundaries looked for; -1: there was none
  bool last = false;  // with "--" at its end
};
// Takes everything in front of the next line that is one of the boundaries, and that line, off
// `text`. Without one, all of the text stands in front of it. The line end that belongs to the
// boundary is part of `before`.
BoundaryLine TakeToBoundary(std::string_view& text,
                            std::initializer_list<std::string_view> boundaries,
                            std::string_view& before);

}  // namespace aztables
