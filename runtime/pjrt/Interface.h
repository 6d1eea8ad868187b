//===- Interface.h - The C interface that JAX calls (PJRT) ----------------===//
//
// What of OpenXLA's PJRT C API, version 0.91, this plugin speaks: the layout of
// the table and of the arguments of its functions, in words of our own. Every
// function takes one structure, which begins with its size: a caller that knows
// fewer fields passes a smaller one. Fields marked "out" are written.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_PJRT_INTERFACE_H
#define TESSERA_RUNTIME_PJRT_INTERFACE_H

#include <cstddef>
#include <cstdint>

namespace tessera::pjrt {

struct Buffer;
struct Client;
struct Device;
struct Error;
struct Event;
struct Executable;
struct LoadedExecutable;
struct Memory;

/// What an error is, as in absl and gRPC.
enum class Code : int32_t {
  Cancelled = 1,
  InvalidArgument = 3,
  ResourceExhausted = 8,
  FailedPrecondition = 9,
  Unimplemented = 12,
  Internal = 13,
};

/// Element types.
// clang-format off
enum class Type : int32_t {
  Invalid, Pred, S8, S16, S32, S64, U8, U16, U32, U64, F16, F32, F64, BF16,
  C64, C128, F8E5M2, F8E4M3FN, F8E4M3B11FNUZ, F8E5M2FNUZ, F8E4M3FNUZ, S4, U4,
  Token, S2, U2, F8E4M3, F8E3M4, F8E8M0FNU, F4E2M1FN,
};
// clang-format on

/// A list of further functions, or of further arguments.
struct Extension {
  size_t size;
  int32_t type;
  Extension *next;
};
/// The type of the extension that tells shardings.
inline constexpr int32_t kShardingsExtension = 19;

/// What all arguments begin with.
struct Arguments {
  size_t size;
  Extension *extensions;
};

/// A named value; `size` of a number is 1.
struct NamedValue : Arguments {
  const char *name;
  size_t nameSize;
  int32_t type;
  union {
    const char *text;
    int64_t integer;
    const int64_t *integers;
    float real;
    bool boolean;
  };
  size_t valueSize;
};
enum : int32_t { kTextValue, kIntegerValue, kIntegersValue, kRealValue };

//===----------------------------------------------------------------------===//
// Arguments: of functions that ask one thing of one object
//===----------------------------------------------------------------------===//

/// Only about an object.
template <typename Object> struct Of : Arguments { Object *object; };
/// A property of it (out).
template <typename Object, typename Value> struct Ask : Of<Object> {
  Value value;
};
/// A list of values (out), or text.
template <typename Object, typename Value> struct AskList : Of<Object> {
  const Value *values;
  size_t count;
};
template <typename Object> using AskText = AskList<Object, char>;
/// The same, where the number comes first.
template <typename Object, typename Value> struct AskCounted : Of<Object> {
  size_t count;
  Value values;
};

//===----------------------------------------------------------------------===//
// Arguments: of others
//===----------------------------------------------------------------------===//

struct EventOnReady : Of<Event> {
  /// Takes the error over; null for success.
  void (*callback)(Error *, void *);
  void *data;
};

struct PluginAttributes : Arguments {
  const NamedValue *values; // out
  size_t count;             // out
};

struct ClientCreate : Arguments {
  const NamedValue *options;
  size_t optionCount;
  /// Functions of a store of keys and values, for several processes.
  void *getValue, *getData, *putValue, *putData;
  Client *client; // out
};

struct ClientLookup : Of<Client> {
  int32_t id;
  Device *device; // out
};

struct ClientAssignment : Of<Client> {
  int32_t replicas, partitions;
  size_t size;
  int32_t *devices; // out: what it points to
};

/// A program; `code` may be out.
struct ProgramText : Arguments {
  char *code;
  size_t codeSize;
  const char *format;
  size_t formatSize;
};

struct ClientCompile : Of<Client> {
  const ProgramText *program;
  const char *options;
  size_t optionsSize;
  LoadedExecutable *executable; // out
};

/// How elements lie in memory: tiled (kind 0), or by strides (1).
struct MemoryLayout : Arguments {
  union {
    struct : Arguments {
      const int64_t *minorToMajor;
      size_t minorToMajorSize;
      const int64_t *tileDims;
      const size_t *tileDimSizes;
      size_t tileCount;
    } tiled;
    struct : Arguments {
      const int64_t *bytes;
      size_t count;
    } strides;
  };
  int32_t kind;
};

/// How long the caller's memory stays as it is.
enum class HostMemory : int32_t {
  DuringCall,
  UntilCopied,
  AsLongAsBuffer,
  AsLongAsBufferAndMutable,
};

struct BufferFromHost : Of<Client> {
  const void *data;
  Type type;
  const int64_t *dims;
  size_t rank;
  /// Null for dense rows.
  const int64_t *strides;
  size_t strideCount;
  HostMemory semantics;
  Device *device;
  Memory *memory;
  MemoryLayout *layout;
  Event *done;    // out
  Buffer *buffer; // out
};

struct BufferUninitialized : Of<Client> {
  const int64_t *dims;
  size_t rank;
  Type type;
  MemoryLayout *layout;
  Device *device;
  Memory *memory;
  Buffer *buffer; // out
};

struct BufferView : Of<Client> {
  void *data;
  const int64_t *dims;
  size_t rank;
  Type type;
  MemoryLayout *layout;
  Device *device;
  void (*onDelete)(void *memory, void *data);
  void *onDeleteData;
  intptr_t stream;
  Buffer *buffer; // out
  Memory *memory;
};

struct BufferToHost : Of<Buffer> {
  MemoryLayout *layout;
  /// Null asks for the size.
  void *target;
  size_t targetSize;
  Event *event; // out
};

struct BufferRawToHost : Of<Buffer> {
  void *target;
  int64_t offset, bytes;
  Event *event; // out
};

struct BufferToDevice : Of<Buffer> {
  Device *device;
  Buffer *copy; // out
};

struct BufferToMemory : Of<Buffer> {
  Memory *memory;
  Buffer *copy; // out
};

struct MemoryStatistics : Of<Device> {
  int64_t bytesInUse; // out; the others may be unknown
};

struct ExecutableProgram : Of<Executable> {
  ProgramText *program;
};

struct ExecutableDimensions : Of<Executable> {
  size_t count;
  const int64_t *dims; // out: of all results, one after the other
  const size_t *ranks; // out
};

struct ExecutableMemoryKinds : Of<Executable> {
  size_t count;
  const char *const *kinds; // out
  const size_t *sizes;      // out
};

struct ExecutableMemory : Of<Executable> {
  // out
  int64_t code, arguments, results, aliased, temporary;
  int64_t hostCode, hostArguments, hostResults, hostAliased, hostTemporary;
  int64_t peak; // Since 0.70, and the total since 0.90.
  int64_t total;
};

struct ExecutableAssignment : Of<LoadedExecutable> {
  const char *bytes;    // out
  size_t size;          // out
  void *owner;          // out
  void (*free)(void *); // out
};

struct ExecutableShardings : Of<Executable> {
  size_t count;              // out
  const char *const *protos; // out
  const size_t *sizes;       // out
};

struct ExecuteOptions : Arguments {
  void **sends, **receives;
  size_t sendCount, receiveCount;
  int32_t launch;
  /// Arguments that must not be donated, whatever the program says.
  const int64_t *kept;
  size_t keptCount;
};

struct Execute : Of<LoadedExecutable> {
  ExecuteOptions *options;
  /// By device and argument.
  Buffer *const *const *arguments;
  size_t devices, argumentCount;
  /// By device and result; what it points to is out.
  Buffer **const *results;
  /// By device; null, or what it points to is out.
  Event **events;
  /// Of a program for one device that runs on any; else null.
  Device *device;
};

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// The places of functions in the table.
// clang-format off
enum class Slot {
  ErrorDestroy = 0, ErrorMessage, ErrorCode,
  PluginInitialize, PluginAttributes,
  EventDestroy, EventIsReady, EventError, EventAwait, EventOnReady,
  ClientCreate, ClientDestroy, ClientPlatformName, ClientProcess,
  ClientPlatformVersion, ClientDevices, ClientAddressableDevices,
  ClientLookupDevice, ClientLookupAddressableDevice, ClientMemories,
  ClientCompile, ClientDefaultAssignment, ClientBufferFromHost,
  DescriptionId, DescriptionProcess, DescriptionAttributes, DescriptionKind,
  DescriptionDebugText, DescriptionText,
  DeviceDescription, DeviceIsAddressable, DeviceLocalId, DeviceMemories,
  DeviceDefaultMemory, DeviceMemoryStatistics,
  MemoryId, MemoryKind, MemoryDebugText, MemoryText, MemoryDevices,
  ExecutableDestroy, ExecutableName, ExecutableReplicas, ExecutablePartitions,
  ExecutableResultCount, ExecutableCodeSize, ExecutableCosts,
  ExecutableResultMemoryKinds, ExecutableProgram,
  LoadedDestroy = 50, LoadedExecutable, LoadedDevices, LoadedDelete,
  LoadedIsDeleted, LoadedExecute,
  BufferDestroy = 58, BufferType, BufferDims, BufferUnpaddedDims,
  BufferDynamicDims, BufferLayout, BufferBytes, BufferDevice, BufferMemory,
  BufferDelete, BufferIsDeleted, BufferToDevice, BufferToHost, BufferIsOnCpu,
  BufferReadyEvent, BufferPointer, BufferHold, BufferRelease, BufferData,
  TopologyDestroy = 83, TopologyPlatformName, TopologyPlatformVersion,
  TopologyDescriptions,
  TopologyAttributes = 88,
  ExecutableResultTypes = 90, ExecutableResultDims, BufferToMemory,
  ClientBufferView, ExecutableFingerprint, ClientTopology,
  ExecutableMemoryUse, MemoryKindId, ContextCreate, ContextDestroy,
  BufferRawToHost,
  ClientBufferUninitialized = 112,
  LoadedAssignment = 117,
  Count = 128, // Of version 0.91.
};
// clang-format on

using Function = void *;

/// What the plugin exports, `GetPjrtApi`.
struct Table {
  size_t size;
  Extension *extensions;
  size_t versionSize;
  Extension *versionExtensions;
  int32_t major, minor;
  Function functions[static_cast<size_t>(Slot::Count)];
  /// Not part of the table of that version: callers that look further than its
  /// size says find nothing.
  Function later[64];
};

/// The functions of the extension that tells shardings.
struct ShardingsExtension : Extension {
  Function ofArguments, ofResults;
};

} // namespace tessera::pjrt

#endif // TESSERA_RUNTIME_PJRT_INTERFACE_H
