// The ids of batches and changesets in golden texts.
//
// Thread rule: constants.
#pragma once

namespace aztables {

inline constexpr const char* kBatchId = "11111111-1111-4111-8111-111111111111";
inline constexpr const char* kChangesetId = "22222222-2222-4222-8222-222222222222";

}  // namespace aztables
