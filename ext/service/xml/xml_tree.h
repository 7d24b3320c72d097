// XML as a tree, as far as small documents of known elements need it: names, texts and children.
// Attributes, comments and processing instructions are passed over, prefixes stay part of names.
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
  std::string text;  // of the element itself, not of its children
  std::vector<XmlElement> children;

  // The first child of that name, or null.
  const XmlElement* Find(std::string_view child) const;
  // The text of the first child of that name without the blanks around it; empty where there is no
  // such child.
  std::string_view TextOf(std::string_view child) const;
  // Whether every child is one of these, none stands twice, and `leaves` have no children.
  using Names = std::initializer_list<std::string_view>;
  bool HasOnly(Names leaves, Names parents = {}) const;
};

// What a document may have at most, so that nobody can make the service work or store for nothing.
inline constexpr size_t kMaxXmlSize = 64 * 1024;
inline constexpr size_t kMaxXmlDepth = 16;

// The root element of a document in UTF-8, with or without a byte order mark. Nothing where it is
// not well-formed, beyond the limits, or has a DOCTYPE: there are no entities but the five of XML.
std::optional<XmlElement> ParseXml(std::string_view document);

// What every document of the service begins with: byte order mark and declaration.
inline constexpr std::string_view kXmlBeginning =
    "\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"utf-8\"?>";

// Appends <name>text</name>, with the text escaped; <name /> where it is empty.
void AppendXml(std::string& out, std::string_view name, std::string_view text);

}  // namespace aztables
