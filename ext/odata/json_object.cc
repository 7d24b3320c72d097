// JSON objects: see json_object.h.
#include "odata/json_object.h"

#include <simdjson.h>

#include "base/encoding.h"
#include "odata/json_document.h"

namespace aztables {

Result<JsonObject> JsonObject::Read(std::string_view text) {
  JsonDocument json;
  json.CopyBody(text);
  simdjson::ondemand::document document;
  AZTABLES_RETURN_IF_ERROR(json.Parse(document));
  simdjson::ondemand::object root;
  if (document.get_object().get(root)) return JsonShapeError("it is not an object");
  JsonObject object;
  for (auto member : root) {
    simdjson::ondemand::field field;
    if (const auto error = std::move(member).get(field)) return JsonShapeError(error);
    std::string_view name;
    if (const auto error = json.Text(field.key()).get(name)) return JsonShapeError(error);
    simdjson::ondemand::value& value = field.value();
    simdjson::ondemand::json_type type{};
    if (const auto error = value.type().get(type)) return JsonShapeError(error);
    std::string_view shown;
    if (type == simdjson::ondemand::json_type::string) {
      if (const auto error = json.Text(value).get(shown)) return JsonShapeError(error);
    } else if (type == simdjson::ondemand::json_type::number ||
               type == simdjson::ondemand::json_type::boolean) {
      shown = TrimBlanks(value.raw_json_token());
    } else {
      continue;  // simdjson skips it
    }
    object.members_.emplace_back(name, shown);
  }
  AZTABLES_RETURN_IF_ERROR(JsonDocument::CheckEnd(document));
  return object;
}

std::string_view JsonObject::Get(std::string_view name) const {
  for (const auto& [key, text] : members_) {
    if (key == name) return text;
  }
  return {};
}

}  // namespace aztables
