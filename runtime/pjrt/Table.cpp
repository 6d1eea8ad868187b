//===- Table.cpp - The table that JAX loads, errors and events ------------===//

#include "Functions.h"

#include <string>

using namespace tessera::pjrt;

void tessera::pjrt::checkSize(size_t got, size_t needed) {
  if (got < needed)
    throw Refusal(Code::InvalidArgument,
                  "expected arguments of at least " + std::to_string(needed) +
                      " bytes, got " + std::to_string(got) +
                      ": a caller of an older interface");
}

Error *tessera::pjrt::makeError(Code code, const std::string &message) {
  return new Error{code, message};
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static void destroyError(Of<Error> *arguments) { delete arguments->object; }

static void tellMessage(AskText<const Error> *arguments) {
  arguments->values = arguments->object->message.c_str();
  arguments->count = arguments->object->message.size();
}

static void tellCode(Ask<const Error, Code> &arguments) {
  arguments.value = arguments.object->code;
}

//===----------------------------------------------------------------------===//
// Events: all of them have happened
//===----------------------------------------------------------------------===//

static void destroyEvent(Of<Event> &arguments) { delete arguments.object; }
static void isReady(Ask<Event, bool> &arguments) { arguments.value = true; }
static void succeed(Of<Event> &) {}
static void onReady(EventOnReady &arguments) {
  arguments.callback(nullptr, arguments.data);
}

void tessera::pjrt::addEvents(Table &table) {
  put<destroyEvent>(table, Slot::EventDestroy);
  put<isReady>(table, Slot::EventIsReady);
  put<succeed>(table, Slot::EventError);
  put<succeed>(table, Slot::EventAwait);
  put<onReady>(table, Slot::EventOnReady);
}

//===----------------------------------------------------------------------===//
// The plugin
//===----------------------------------------------------------------------===//

static void initialize(Arguments &) {}

static void tellAttributes(PluginAttributes &arguments) {
  arguments.values = nullptr;
  arguments.count = 0;
}

/// What stands where a function is that the plugin lacks.
static Error *lacksFunction(void *) {
  return makeError(Code::Unimplemented,
                   "this function of PJRT is not supported by Tessera");
}

static Table *makeTable() {
  static ShardingsExtension shardings = makeShardingsExtension();
  static Table table = {};
  table.size = offsetof(Table, later);
  table.extensions = &shardings;
  table.versionSize = sizeof table.versionSize +
                      sizeof table.versionExtensions + 2 * sizeof(int32_t);
  table.major = 0;
  table.minor = 91;
  for (Function &function : table.functions)
    function = reinterpret_cast<Function>(&lacksFunction);
  table.functions[static_cast<size_t>(Slot::ErrorDestroy)] =
      reinterpret_cast<Function>(&destroyError);
  table.functions[static_cast<size_t>(Slot::ErrorMessage)] =
      reinterpret_cast<Function>(&tellMessage);
  put<tellCode>(table, Slot::ErrorCode);
  put<initialize>(table, Slot::PluginInitialize);
  put<tellAttributes>(table, Slot::PluginAttributes);
  addEvents(table);
  addClient(table);
  addDevices(table);
  addBuffers(table);
  addTransfers(table);
  addCompile(table);
  addExecutable(table);
  addExecute(table);
  return &table;
}

/// What a framework asks the plugin for.
extern "C" TESSERA_EXPORT const Table *GetPjrtApi(void) {
  static const Table *table = makeTable();
  return table;
}
