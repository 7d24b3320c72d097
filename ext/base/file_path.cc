// Paths: see include/aztables/base/file_path.h.
#include "aztables/base/file_path.h"

#include <filesystem>

namespace aztables {

std::string ResolvePath(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  // The working directory may be gone.
  if (error) return path.starts_with('/') ? path : "./" + path;
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(absolute, error);
  return error ? absolute.string() : canonical.string();
}

}  // namespace aztables
