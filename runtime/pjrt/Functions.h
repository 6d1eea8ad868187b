//===- Functions.h - From functions of C++ to the table -------------------===//

#ifndef TESSERA_RUNTIME_PJRT_FUNCTIONS_H
#define TESSERA_RUNTIME_PJRT_FUNCTIONS_H

#include "Objects.h"
#include "plugin.h"

#include <new>

namespace tessera::pjrt {

/// Refuses arguments of a caller that knows fewer fields than `needed` bytes.
void checkSize(size_t got, size_t needed);

/// An error of the interface, the caller's.
Error *makeError(Code code, const std::string &message);

/// What stands in the table for `function`, which throws a Refusal for an
/// error.
template <auto function> struct Entry;
template <typename Args, void (*function)(Args &)> struct Entry<function> {
  static Error *call(Args *arguments) {
    try {
      // The last field may be shorter than what alignment makes of it.
      checkSize(arguments->size, sizeof(Args) - alignof(Args) + 1);
      function(*arguments);
      return nullptr;
    } catch (const Refusal &refusal) {
      return makeError(refusal.code, refusal.what());
    } catch (const std::bad_alloc &) {
      return makeError(Code::ResourceExhausted, "no memory left");
    } catch (const std::exception &error) {
      return makeError(Code::Internal, error.what());
    }
  }
};

/// Puts `function` into its place.
template <auto function> void put(Table &table, Slot slot) {
  table.functions[static_cast<size_t>(slot)] =
      reinterpret_cast<Function>(&Entry<function>::call);
}

/// Those of the Python package.
const TesseraPjrtCompiler &packageFunctions();

/// Those of one subject each.
void addEvents(Table &table);
void addClient(Table &table);
void addDevices(Table &table);
void addBuffers(Table &table);
void addTransfers(Table &table);
void addCompile(Table &table);
void addExecutable(Table &table);
void addExecute(Table &table);
/// The functions that tell shardings.
ShardingsExtension makeShardingsExtension();

} // namespace tessera::pjrt

#endif // TESSERA_RUNTIME_PJRT_FUNCTIONS_H
