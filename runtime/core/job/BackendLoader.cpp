//===- BackendLoader.cpp --------------------------------------------------===//

#include "BackendLoader.h"

#include "tessera/Support/NearestName.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <dlfcn.h>

using namespace tessera;
using namespace tessera::runtime;

/// The folder that holds the library this code is in.
static std::filesystem::path ownFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&loadBackend), &info) || !info.dli_fname)
    return ".";
  std::error_code error;
  auto path = std::filesystem::canonical(info.dli_fname, error);
  return error ? std::filesystem::path(".") : path.parent_path();
}

static const std::string kPrefix = "libtessera_backend_", kSuffix = ".so";

/// The names of the back ends in `folder`, sorted.
static std::vector<std::string>
backendsIn(const std::filesystem::path &folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto &entry : std::filesystem::directory_iterator(folder, error))
    if (std::string file = entry.path().filename();
        file.starts_with(kPrefix) && file.ends_with(kSuffix))
      names.push_back(file.substr(kPrefix.size(), file.size() - kPrefix.size() -
                                                      kSuffix.size()));
  std::sort(names.begin(), names.end());
  return names;
}

Fallible<const TesseraBackend *> runtime::loadBackend(const std::string &name) {
  static constexpr const char *letters =
      "abcdefghijklmnopqrstuvwxyz0123456789_";
  auto fail = [&](const std::string &what) {
    return Failure{"no back end '" + name + "': " + what};
  };
  auto failName = [&](const std::string &what) {
    return fail(what + didYouMean(name, backendsIn(ownFolder())));
  };
  if (name.empty() || name.find_first_not_of(letters) != std::string::npos)
    return failName("a back end's name has lower-case letters and digits only");
  std::string file = kPrefix + name + kSuffix;
  std::filesystem::path path = ownFolder() / file;
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    return failName("there is no " + file + " beside the runtime library");
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail(dlerror());
  auto entry =
      reinterpret_cast<TesseraBackendEntry>(dlsym(library, "tessera_backend"));
  if (!entry)
    return fail(file + " has no function tessera_backend");
  const TesseraBackend *backend = entry();
  if (backend->version != TESSERA_BACKEND_VERSION)
    return fail("expected back end version " +
                std::to_string(TESSERA_BACKEND_VERSION) + ", got " +
                std::to_string(backend->version));
  return backend;
}
