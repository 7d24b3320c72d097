// XML as a tree for small documents of known elements: names, texts and children. Attributes,
// comments and processing instructions are ignored; prefixes stay part of names.
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aztables {

struct XmlElement {
  std::string name;
  std::string text;  // without its children's
  std::vector<XmlElement> children;

  // The first child of that name, or null.
  const XmlElement* Find(std::string_view child) const;
  // The trimmed text of the first child of that name; empty if there is no such child.
  std::string_view TextOf(std::string_view child) const;
  // Whether every child is in `leaves` or `parents`, no name occurs twice, and `leaves` have no
  // children.
  using Names = std::initializer_list<std::string_view>;
  bool HasOnly(Names leaves, Names parents = {}) const;
};

// Limits of a document. They bound the work and memory that a client can cause.
inline constexpr size_t kMaxXmlSize = 64 * 1024;
inline constexpr size_t kMaxXmlDepth = 16;

// The root element of a document in UTF-8, with or without a byte order mark. Nothing if it is
// malformed, exceeds the limits, or has a DOCTYPE, since it could declare entities.
std::optional<XmlElement> ParseXml(std::string_view document);

// Every document of the service begins with a byte order mark and this declaration.
inline constexpr std::string_view kXmlBeginning =
    "\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"utf-8\"?>";

// Appends the text, escaped for the content of an element.
void AppendXmlText(std::string& out, std::string_view text);
// Appends <name>text</name> with the text escaped, or <name /> if it is empty.
void AppendXml(std::string& out, std::string_view name, std::string_view text);

}  // namespace aztables
