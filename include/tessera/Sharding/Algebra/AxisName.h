//===- AxisName.h - Interned names of mesh axes ---------------------------===//
#ifndef TESSERA_SHARDING_ALGEBRA_AXISNAME_H
#define TESSERA_SHARDING_ALGEBRA_AXISNAME_H

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tessera {

/// The name of a mesh axis: one pointer into a pool that is shared by all
/// threads and lives as long as the process. Equal texts are equal pointers.
/// Order and hash depend on the text alone, so that nothing computed from axis
/// names depends on addresses.
class AxisName {
public:
  /// The empty name, which no mesh axis has.
  AxisName() = default;
  AxisName(llvm::StringRef text);
  AxisName(const char *text) : AxisName(llvm::StringRef(text)) {}

  /// The text of the name, valid as long as the process.
  llvm::StringRef str() const {
    return entry ? entry->getKey() : llvm::StringRef();
  }
  bool empty() const { return !entry; }

  friend bool operator==(AxisName a, AxisName b) { return a.entry == b.entry; }
  friend bool operator!=(AxisName a, AxisName b) { return a.entry != b.entry; }
  /// Alphabetical.
  friend bool operator<(AxisName a, AxisName b) {
    return a.entry != b.entry && a.str() < b.str();
  }
  friend llvm::hash_code hash_value(AxisName name) {
    return llvm::hash_value(name.str());
  }

private:
  const llvm::StringSet<>::value_type *entry = nullptr;
};

/// Prints the name in double quotes, with escapes where the text needs them.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, AxisName name);

} // namespace tessera

#endif // TESSERA_SHARDING_ALGEBRA_AXISNAME_H
