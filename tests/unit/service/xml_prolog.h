// The beginning of each XML document that the service returns.
//
// Thread rule: a constant.
#pragma once

#include <string>

namespace aztables {

inline const std::string kXmlProlog = "\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"utf-8\"?>";

}  // namespace aztables
