// XML on expat: see xml_tree.h. No other file uses expat.
#include "service/xml/xml_tree.h"

#include <expat.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/encoding.h"

namespace aztables {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The state of expat's callbacks. `open` is the stack of open elements.
struct Builder {
  XML_Parser parser = nullptr;
  std::vector<XmlElement> open;
  std::optional<XmlElement> root;
};

void StopAt(Builder& builder) { XML_StopParser(builder.parser, XML_FALSE); }

void XMLCALL OnStart(void* data, const XML_Char* name, const XML_Char** /*attributes*/) {
  Builder& builder = *static_cast<Builder*>(data);
  if (builder.open.size() == kMaxXmlDepth) return StopAt(builder);
  builder.open.push_back({name, {}, {}});
}

void XMLCALL OnEnd(void* data, const XML_Char* /*name*/) {
  Builder& builder = *static_cast<Builder*>(data);
  if (builder.open.empty()) return;  // expat may end an element after it was stopped
  XmlElement closed = std::move(builder.open.back());
  builder.open.pop_back();
  if (builder.open.empty()) {
    builder.root = std::move(closed);
  } else {
    builder.open.back().children.push_back(std::move(closed));
  }
}

void XMLCALL OnText(void* data, const XML_Char* text, int size) {
  Builder& builder = *static_cast<Builder*>(data);
  if (!builder.open.empty()) builder.open.back().text.append(text, static_cast<size_t>(size));
}

void XMLCALL OnDoctype(void* data, const XML_Char* /*name*/, const XML_Char* /*system_id*/,
                       const XML_Char* /*public_id*/, int /*has_internal_subset*/) {
  StopAt(*static_cast<Builder*>(data));
}

}  // namespace

const XmlElement* XmlElement::Find(std::string_view child) const {
  const auto found =
      std::find_if(children.begin(), children.end(),
                   [child](const XmlElement& element) { return element.name == child; });
  return found == children.end() ? nullptr : &*found;
}

std::string_view XmlElement::TextOf(std::string_view child) const {
  const XmlElement* element = Find(child);
  return element ? TrimBlanks(element->text) : std::string_view();
}

bool XmlElement::HasOnly(Names leaves, Names parents) const {
  const auto has = [](Names names, std::string_view wanted) {
    return std::find(names.begin(), names.end(), wanted) != names.end();
  };
  return std::all_of(children.begin(), children.end(), [&](const XmlElement& child) {
    const bool known =
        has(parents, child.name) || (has(leaves, child.name) && child.children.empty());
    return known && Find(child.name) == &child;
  });
}

std::optional<XmlElement> ParseXml(std::string_view document) {
  if (document.size() > kMaxXmlSize || !IsValidUtf8(document)) return std::nullopt;
  if (document.starts_with(kByteOrderMark)) document.remove_prefix(kByteOrderMark.size());
  // Always UTF-8: the declaration was checked before.
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(
      XML_ParserCreate("UTF-8"), &XML_ParserFree);
  if (!parser) return std::nullopt;
  Builder builder;
  builder.parser = parser.get();
  XML_SetUserData(parser.get(), &builder);
  XML_SetElementHandler(parser.get(), OnStart, OnEnd);
  XML_SetCharacterDataHandler(parser.get(), OnText);
  XML_SetStartDoctypeDeclHandler(parser.get(), OnDoctype);
  if (XML_Parse(parser.get(), document.data(), static_cast<int>(document.size()), XML_TRUE) !=
      XML_STATUS_OK) {
    return std::nullopt;
  }
  return std::move(builder.root);
}

void AppendXmlText(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '\r':
        out += "&#xD;";  // a bare CR would be read as a line feed
        break;
      default:
        out += c;
    }
  }
}

void AppendXml(std::string& out, std::string_view name, std::string_view text) {
  out.append("<").append(name);
  if (text.empty()) {
    out += " />";
    return;
  }
  out += '>';
  AppendXmlText(out, text);
  out.append("</").append(name).append(">");
}

}  // namespace aztables
