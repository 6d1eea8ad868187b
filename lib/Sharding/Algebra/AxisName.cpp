//===- AxisName.cpp - Interned names of mesh axes -------------------------===//
#include "tessera/Sharding/Algebra/AxisName.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace tessera;

AxisName::AxisName(llvm::StringRef text) {
  if (text.empty())
    return;
  // Never destroyed: names outlive every static object that holds one.
  static auto *mutex = new std::mutex;
  static auto *pool = new llvm::StringSet<>;
  std::lock_guard<std::mutex> lock(*mutex);
  entry = &*pool->insert(text).first;
}

llvm::raw_ostream &tessera::operator<<(llvm::raw_ostream &os, AxisName name) {
  os << '"';
  llvm::printEscapedString(name.str(), os);
  return os << '"';
}
