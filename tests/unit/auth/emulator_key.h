// The account key of Azurite and of the Storage Emulator, which Microsoft documents.
//
// Thread rule: a constant.
#pragma once

namespace aztables {

inline constexpr const char* kEmulatorKey =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

}  // namespace aztables
