//===- StandIn.cpp - The exported functions -------------------------------===//

#include "StandIn.h"

#include "../../../runtime/emulated/device/EmulatedDevice.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

using namespace tessera;
using namespace tessera::standin;

void standin::log(const std::string &line) {
  if (const char *path = std::getenv("TESSERA_STANDIN_LOG"))
    std::ofstream(path, std::ios::app) << line << "\n";
}

/// The number behind `<function><mark>` in the variable; 0 if it does not begin
/// with that.
static double numberIn(const char *variable, const std::string &function,
                       char mark) {
  const char *asked = std::getenv(variable);
  std::string text = asked ? asked : "";
  return text.starts_with(function + mark)
             ? std::atof(text.c_str() + function.size() + 1)
             : 0;
}

int standin::injectedResult(const std::string &function) {
  return static_cast<int>(numberIn("TESSERA_STANDIN_FAIL", function, '='));
}

bool standin::hangs(const std::string &function, int n) {
  const char *asked = std::getenv("TESSERA_STANDIN_HANG");
  double first = numberIn("TESSERA_STANDIN_HANG", function, '@');
  return asked && (function == asked || (first > 0 && n >= first));
}

bool standin::spoils(const std::string &function) {
  const char *asked = std::getenv("TESSERA_STANDIN_SPOIL");
  return asked && function == asked;
}

double standin::delayOf(const std::string &function) {
  return numberIn("TESSERA_STANDIN_DELAY", function, '=');
}

/// The emulator's driver, with as many devices as asked for.
static const gpu::CudaDriver &driver() {
  static const gpu::CudaDriver &table = []() -> const gpu::CudaDriver & {
    const char *count = std::getenv("TESSERA_STANDIN_DEVICES");
    emulated::Machine::get().addDevices(count ? std::atoi(count) : 1);
    return emulated::emulatedDriver();
  }();
  return table;
}

namespace {
/// A function that calls one of a table.
template <auto Table, auto Field, typename Type> struct Forward;
template <auto Table, auto Field, typename Result, typename... Arguments>
struct Forward<Table, Field, Result(Arguments...)> {
  static const char *name;
  static Result call(Arguments... arguments) {
    // What is asked a thousand times while waiting says nothing.
    if (!std::strstr(name, "Query") && !std::strstr(name, "AsyncError"))
      log(name);
    if (double seconds = delayOf(name); seconds > 0)
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    if constexpr (std::is_same_v<Result, int>)
      if (int result = injectedResult(name))
        return result;
    return (Table().*Field)(arguments...);
  }
};
template <auto Table, auto Field, typename Result, typename... Arguments>
const char *Forward<Table, Field, Result(Arguments...)>::name = "";
} // namespace

// Exports `symbol`, which jumps to the forwarding function.
#define TESSERA_EXPORT_SYMBOL(table, type, field, symbol)                      \
  using symbol##Forward = Forward<table, &type::field, type::field##_type>;    \
  static const bool symbol##Named = ((symbol##Forward::name = #symbol), true); \
  extern "C" {                                                                 \
  [[gnu::visibility("hidden"), gnu::used]] void *symbol##Slot =                \
      reinterpret_cast<void *>(&symbol##Forward::call);                        \
  }                                                                            \
  asm(".text\n.globl " #symbol "\n.type " #symbol ",@function\n" #symbol       \
      ":\n  jmp *" #symbol "Slot(%rip)\n.size " #symbol ", . - " #symbol       \
      "\n");

#define TESSERA_EXPORT_CUDA(field, symbol, ...)                                \
  TESSERA_EXPORT_SYMBOL(driver, gpu::CudaDriver, field, symbol)
#define TESSERA_EXPORT_NCCL(field, symbol, ...)                                \
  TESSERA_EXPORT_SYMBOL(fileNccl, gpu::Nccl, field, symbol)
#define TESSERA_EXPORT_CUBLASLT(field, symbol, ...)                            \
  TESSERA_EXPORT_SYMBOL(loggedCublasLt, gpu::CublasLt, field, symbol)

TESSERA_CUDA_FUNCTIONS(TESSERA_EXPORT_CUDA)
TESSERA_NCCL_FUNCTIONS(TESSERA_EXPORT_NCCL)
TESSERA_CUBLASLT_FUNCTIONS(TESSERA_EXPORT_CUBLASLT)
