//===- Objects.h - What the handles of the interface stand for ------------===//

#ifndef TESSERA_RUNTIME_PJRT_OBJECTS_H
#define TESSERA_RUNTIME_PJRT_OBJECTS_H

#include "Interface.h"
#include "tessera/Support/HostTensor.h"
#include "tessera/runtime.h"

#include <atomic>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::pjrt {

struct Error {
  Code code;
  std::string message;
};

/// Why a function of the interface gives an error; thrown within this library
/// only.
struct Refusal : std::runtime_error {
  Refusal(Code code, const std::string &message)
      : std::runtime_error(message), code(code) {}
  Code code;
};

/// What has happened: everything here is done when a function returns.
struct Event {};

/// The memory of a device; here that of the host.
struct Memory {
  Client *client;
  Device *device;
  int32_t id;
  std::string text;
};

/// Stands for a rank. It is its own description.
struct Device {
  Client *client;
  int32_t id;
  std::string text;
  Memory memory;
  /// What lists of devices and memories point to.
  Device *self;
  Memory *ownMemory;
};

/// Programs whose ranks are alive. Ranks hold threads and memory, so that only
/// those stay that were called last.
class LiveJobs {
public:
  /// Says that `executable` has a job; ends that of the one that was not called
  /// for longest if there are too many.
  void touch(LoadedExecutable &executable);
  /// `executable` has no job any more.
  void forget(LoadedExecutable &executable);

private:
  std::mutex mutex;
  std::list<LoadedExecutable *> order; ///< The last called first.
};

/// All devices of a process.
struct Client {
  std::string backend = "local";
  int32_t threads = 0;
  std::vector<std::unique_ptr<Device>> devices;
  std::vector<Device *> deviceList;
  std::vector<Memory *> memoryList;
  std::string version;
  LiveJobs jobs;

  /// The device with that number; refuses others.
  Device &device(int32_t id) const;
};

/// Memory of a tensor, 64-byte aligned, which several buffers may share that
/// only read it.
class Storage {
public:
  /// Undefined content.
  explicit Storage(size_t bytes);
  /// Memory of somebody else's, who is told when it is no longer used.
  Storage(void *data, void (*release)(void *, void *), void *releaseData)
      : data(data), release(release), releaseData(releaseData) {}
  ~Storage();
  Storage(const Storage &) = delete;
  Storage &operator=(const Storage &) = delete;

  /// Whether results may be written here.
  bool isOwn() const { return !release; }

  void *data;

private:
  void (*release)(void *, void *) = nullptr;
  void *releaseData = nullptr;
};

/// A tensor on a device, or a device's shard of one: dense rows.
struct Buffer {
  Buffer(Device &device, Type type, Shape dims,
         std::shared_ptr<Storage> storage);

  Device *device;
  Type type;
  Shape dims;
  /// The order of dimensions from the innermost out, for callers that ask.
  std::vector<int64_t> minorToMajor;
  std::atomic<bool> isDeleted = false;

  size_t bytes() const;
  /// The memory, which stays while it is held although others delete the
  /// buffer meanwhile. Refuses a buffer that is deleted.
  std::shared_ptr<Storage> share() const;
  /// The same, and deletes the buffer.
  std::shared_ptr<Storage> take();
  void remove();
  /// Keeps the memory where it is until `release`, also of a buffer that is
  /// deleted.
  void hold();
  void release();

private:
  void checkIsThere() const;

  mutable std::mutex mutex;
  /// Null once it is deleted; kept while others look at it.
  std::shared_ptr<Storage> storage;
  int32_t holds = 0;
};

/// Bytes of an element in memory; refuses types that have none.
size_t bytesOf(Type type);
/// Bytes of a tensor.
size_t bytesOf(Type type, const Shape &dims);

/// An argument or result of a program, as JAX sees it.
struct Parameter {
  Type type;
  /// Of what one device has.
  Shape dims;
  /// Whether devices have the whole tensor although ranks have parts, which
  /// JAX has no word for.
  bool isWhole = false;
  /// A serialised OpSharding.
  std::string sharding;
  /// Of an argument the result that gets its memory, of a result the argument;
  /// -1 for none.
  int32_t donation = -1;
  int64_t bytes = 0;
};

/// What a compiled program is, loaded or not.
struct Description {
  std::string name, code;
  /// Of the program.
  std::vector<Parameter> arguments, results;
  /// Their places among those that JAX passes: tokens, which order effects, are
  /// none of the program's.
  std::vector<size_t> argumentPlaces, resultPlaces;
  size_t argumentCount = 0, resultCount = 0;
  /// Results of the program behind those, which stay in the job: how many
  /// effects it has had.
  int32_t hiddenResults = 0;
  std::vector<std::string> costNames;
  std::vector<NamedValue> costs;
  int64_t codeBytes = 0, arenaBytes = 0;
  /// Of the program, and JAX's devices: where nothing is divided, one rank
  /// computes for all devices.
  int32_t ranks = 1, devices = 1;
  // What queries point to.
  std::vector<int64_t> resultDims;
  std::vector<size_t> resultRanks, kindSizes, argumentProtoSizes,
      resultProtoSizes;
  std::vector<const char *> kinds, argumentProtos, resultProtos;
  std::vector<Type> resultTypes;
  /// The devices in a message of OpenXLA's, DeviceAssignmentProto.
  std::string assignment;

  /// Fills what queries point to.
  void finish();
};

/// A handle of a program that is not loaded.
struct Executable {
  std::shared_ptr<const Description> about;
};

/// A program with its ranks.
struct LoadedExecutable {
  ~LoadedExecutable();
  /// Ranks for one call, those of a former call or new ones; null with the
  /// runtime's message if there are none. Calls follow each other, except for
  /// those of programs with functions of Python: such a function may call the
  /// program again, and the call that it belongs to waits for it.
  TesseraJob *takeJob();
  /// After the call; ranks that have failed are not used again.
  void returnJob(TesseraJob *job, bool hasFailed);
  /// Ends the ranks, unless they are at work.
  bool tryClose();

  Client *client = nullptr;
  std::shared_ptr<Description> about;
  /// By rank; one that is not bound may run on any other.
  std::vector<Device *> devices;
  TesseraProgram *program = nullptr;
  /// Functions of Python that it calls; 0 for none.
  int64_t hostFunctions = 0;
  int32_t threads = 0;
  std::atomic<bool> isDeleted = false;

private:
  std::mutex mutex; ///< Of what follows.
  std::condition_variable isOver;
  size_t calls = 0; ///< Under way.
  TesseraJob *idle = nullptr;
};

} // namespace tessera::pjrt

#endif // TESSERA_RUNTIME_PJRT_OBJECTS_H
