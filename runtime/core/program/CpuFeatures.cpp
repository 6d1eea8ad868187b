//===- CpuFeatures.cpp ----------------------------------------------------===//
//
// The system lists the features under /proc/cpuinfo, with the operating
// system's support taken into account (a kernel that does not save AVX-512
// registers does not list AVX-512). Its names are LLVM's but for underscores
// and a few exceptions.
//
//===----------------------------------------------------------------------===//

#include "CpuFeatures.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

using namespace tessera::runtime;

/// The rest of the first line of /proc/cpuinfo that begins with `key`.
static std::string cpuInfo(const std::string &key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key))
      if (size_t colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return "";
}

std::string tessera::runtime::cpuName() {
  std::string name = cpuInfo("model name");
  return name.empty() ? "unknown" : name;
}

/// Without the characters in which the spellings differ.
static std::string normalize(std::string name) {
  std::erase_if(name, [](char c) { return c == '_' || c == '-' || c == '.'; });
  return name;
}

/// The system's name for a feature of LLVM's.
static std::string systemName(const std::string &feature) {
  static const std::pair<const char *, const char *> exceptions[] = {
      {"bmi", "bmi1"},     {"lzcnt", "abm"},    {"pclmul", "pclmulqdq"},
      {"sse3", "pni"},     {"sha", "sha_ni"},   {"rdrnd", "rdrand"},
      {"sahf", "lahf_lm"}, {"crc32", "sse4_2"}, {"sse4a", "sse4a"}};
  for (auto [ours, systems] : exceptions)
    if (feature == ours)
      return normalize(systems);
  return normalize(feature);
}

/// Whether code generation may have used the feature's instructions.
static bool mattersToCode(const std::string &feature) {
  static const char *families[] = {
      "sse",  "ssse", "avx", "amx", "fma", "f16c",   "bmi",  "lzcnt", "popcnt",
      "gfni", "vaes", "aes", "sha", "adx", "pclmul", "vpcl", "movbe", "xop"};
  return std::any_of(
      std::begin(families), std::end(families),
      [&](const char *family) { return feature.starts_with(family); });
}

std::vector<std::string>
tessera::runtime::missingCpuFeatures(const std::vector<std::string> &features) {
  std::istringstream flags(cpuInfo("flags"));
  std::set<std::string> present;
  for (std::string flag; flags >> flag;)
    present.insert(normalize(flag));
  std::vector<std::string> missing;
  for (const std::string &feature : features)
    if (mattersToCode(feature) && !present.contains(systemName(feature)))
      missing.push_back(feature);
  return missing;
}
