//===- RoutineCall.cpp - Calls of routines of shared objects --------------===//

#include "tessera/Support/RoutineCall.h"
#include "tessera/Support/CallFrame.h"
#include "tessera/Support/RoutineSignatures.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <vector>

#include <dlfcn.h>

using namespace tessera;
using CallJson = nlohmann::json;

/// What a routine has to say; the text that `create_error` got.
struct TesseraRoutineError {
  std::string message;
};

//===----------------------------------------------------------------------===//
// What routines may call
//===----------------------------------------------------------------------===//

static TesseraRoutineError *makeError(const char *message) {
  return new TesseraRoutineError{message ? message : ""};
}

static TesseraRoutineError *
createError(TesseraRoutineErrorArguments *arguments) {
  return makeError(arguments->message);
}

namespace {
struct ErrorArguments {
  size_t structSize;
  void *extension;
  TesseraRoutineError *error;
  const char *message;
};
struct MemoryArguments {
  size_t structSize;
  void *extension, *context;
  size_t size, alignment;
  void *data;
};
struct FreedArguments {
  size_t structSize;
  void *extension, *context;
  size_t size;
  void *data;
};
struct TaskArguments {
  size_t structSize;
  void *extension, *context;
  void (*task)(void *);
  void *data;
};
struct NumberArguments {
  size_t structSize;
  void *extension, *context;
  int64_t *number;
};
struct OrdinalArguments {
  size_t structSize;
  void *extension, *context;
  int64_t value;
};
} // namespace

static void getMessage(ErrorArguments *arguments) {
  arguments->message = arguments->error->message.c_str();
}
static void destroyError(ErrorArguments *arguments) { delete arguments->error; }

static TesseraRoutineError *allocate(MemoryArguments *arguments) {
  size_t alignment = std::max<size_t>(arguments->alignment, 64);
  size_t size = (arguments->size + alignment - 1) / alignment * alignment;
  arguments->data = std::aligned_alloc(alignment, size);
  return arguments->data || size == 0
             ? nullptr
             : makeError("no memory for what the routine asks for");
}
static TesseraRoutineError *release(FreedArguments *arguments) {
  std::free(arguments->data);
  return nullptr;
}
/// Ranks have their threads already: tasks run where they are scheduled.
static TesseraRoutineError *schedule(TaskArguments *arguments) {
  arguments->task(arguments->data);
  return nullptr;
}
static TesseraRoutineError *countThreads(NumberArguments *arguments) {
  *arguments->number = 1;
  return nullptr;
}
static TesseraRoutineError *getZero(OrdinalArguments *arguments) {
  std::memset(&arguments->value, 0, sizeof(int32_t));
  return nullptr;
}
static TesseraRoutineError *refuse(void *) {
  return makeError("asks for what only XLA's runtime has");
}

/// The table that all frames name. The order of `others` is that of
/// XLA_FFI_Api.
static const TesseraCallApi *callApi() {
  auto pointer = [](auto *function) {
    return reinterpret_cast<void *>(function);
  };
  static const TesseraCallApi api = {
      sizeof(TesseraCallApi),
      nullptr,
      {sizeof(TesseraCallApi::version), nullptr, 0, 3},
      nullptr,
      createError,
      {pointer(getMessage), pointer(destroyError), pointer(refuse),
       pointer(refuse), pointer(refuse), pointer(refuse), pointer(refuse),
       pointer(refuse), pointer(allocate), pointer(release), pointer(schedule),
       pointer(countThreads), pointer(refuse), pointer(refuse), pointer(refuse),
       pointer(getZero), pointer(getZero)}};
  return &api;
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

/// The library of routines that comes with the project: beside this code, or
/// beside its folder in `lib`.
static std::filesystem::path ownLibrary() {
  Dl_info info;
  std::error_code error;
  if (!dladdr(reinterpret_cast<void *>(&callApi), &info) || !info.dli_fname)
    return kRoutineLibrary;
  std::filesystem::path program = info.dli_fname;
  // The path of a program is what it was called by.
  if (program.filename() == program || !std::filesystem::exists(program, error))
    program = "/proc/self/exe";
  program = std::filesystem::canonical(program, error);
  for (std::filesystem::path folder :
       {program.parent_path(), program.parent_path().parent_path() / "lib"})
    if (std::filesystem::exists(folder / kRoutineLibrary, error))
      return folder / kRoutineLibrary;
  return kRoutineLibrary;
}

/// The function `routine` that the shared object at `path` itself has; null if
/// it has none. It stays loaded.
static Fallible<TesseraRoutine> findIn(const std::string &path,
                                       const std::string &routine) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Failure{"cannot load routines: " + std::string(dlerror())};
  void *function = dlsym(library, routine.c_str());
  // Found are also functions of the libraries that it needs, as all of libc.
  Dl_info info;
  link_map *own = nullptr, *owner = nullptr;
  if (!function || dlinfo(library, RTLD_DI_LINKMAP, &own) != 0 ||
      dladdr1(function, &info, reinterpret_cast<void **>(&owner),
              RTLD_DL_LINKMAP) == 0 ||
      own != owner)
    return nullptr;
  return reinterpret_cast<TesseraRoutine>(function);
}

Fallible<bool> tessera::suppliesRoutine(const std::string &path,
                                        const std::string &routine) {
  Fallible<TesseraRoutine> found = findIn(path, routine);
  if (!found)
    return found.failure();
  return *found != nullptr;
}

static Fallible<TesseraRoutine> findRoutine(const CallJson &libraries,
                                            const std::string &routine) {
  std::vector<std::string> paths;
  for (const CallJson &path : libraries)
    paths.push_back(path.get<std::string>());
  paths.push_back(ownLibrary());
  for (const std::string &path : paths) {
    Fallible<TesseraRoutine> found = findIn(path, routine);
    if (!found || *found)
      return found;
  }
  return Failure{"no library supplies routine '" + routine + "'"};
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

/// The number of an element type in call frames, and its bytes.
static std::pair<int32_t, size_t> typeOf(const std::string &name) {
  static const std::map<std::string, std::pair<int32_t, size_t>> types = {
      {"i1", {TESSERA_CALL_BOOL, 1}},
      {"i8", {TESSERA_CALL_S8, 1}},
      {"i16", {TESSERA_CALL_S16, 2}},
      {"i32", {TESSERA_CALL_S32, 4}},
      {"i64", {TESSERA_CALL_S64, 8}},
      {"ui8", {TESSERA_CALL_U8, 1}},
      {"ui16", {TESSERA_CALL_U16, 2}},
      {"ui32", {TESSERA_CALL_U32, 4}},
      {"ui64", {TESSERA_CALL_U64, 8}},
      {"f16", {TESSERA_CALL_F16, 2}},
      {"bf16", {TESSERA_CALL_BF16, 2}},
      {"f32", {TESSERA_CALL_F32, 4}},
      {"f64", {TESSERA_CALL_F64, 8}},
      {"complex<f32>", {TESSERA_CALL_C64, 8}},
      {"complex<f64>", {TESSERA_CALL_C128, 16}}};
  auto found = types.find(name);
  return found == types.end() ? std::pair<int32_t, size_t>() : found->second;
}

/// The parts of a call frame. Deques keep what is pointed to in its place.
struct RoutineCall::Contents {
  /// Everything, with `hostCallback` as of `prepare`.
  Fallible<void> read(const CallJson &description, TesseraRoutine hostCallback);
  Fallible<void> readArray(const CallJson &description);
  /// `members` as a list of parameters that stays where it is.
  Fallible<TesseraCallParameters *> readParameters(const CallJson &members);
  Fallible<void> readParameter(const CallJson &description, int32_t &kind,
                               void *&value);
  Fallible<void> readNumbers(const CallJson &description, int32_t &kind,
                             void *&value);

  TesseraRoutine routine = nullptr;
  std::string name;
  size_t inputs = 0;
  std::vector<TesseraCallBuffer> buffers;
  std::vector<size_t> bytes;
  std::deque<std::vector<int64_t>> dims;
  TesseraCallParameters *parameters = nullptr;

  struct Members {
    TesseraCallParameters list;
    std::vector<int32_t> kinds;
    std::vector<TesseraCallText *> names;
    std::vector<void *> values;
  };
  std::deque<Members> members;
  std::deque<std::string> texts;
  std::deque<std::vector<uint64_t>> numbers;
  std::deque<TesseraCallText> textViews;
  std::deque<TesseraCallScalar> scalars;
  std::deque<TesseraCallArray> arrays;
};

Fallible<void> RoutineCall::Contents::readArray(const CallJson &description) {
  std::string type = description.at("type");
  auto [dtype, size] = typeOf(type);
  if (size == 0)
    return Failure{"routines have no arrays of " + type};
  dims.push_back(description.at("dims").get<std::vector<int64_t>>());
  for (int64_t dim : dims.back())
    size *= dim;
  bytes.push_back(size);
  buffers.push_back({sizeof(TesseraCallBuffer), nullptr, dtype, nullptr,
                     int64_t(dims.back().size()), dims.back().data()});
  return {};
}

/// A number, or several one behind the other, from their bits.
Fallible<void> RoutineCall::Contents::readNumbers(const CallJson &description,
                                                  int32_t &kind, void *&value) {
  std::string type = description.at("type");
  auto [dtype, bytes] = typeOf(type);
  if (bytes == 0 || bytes > sizeof(uint64_t))
    return Failure{"routines have no parameters of " + type};
  bool isList = description.contains("values");
  std::vector<uint64_t> bits;
  if (isList)
    bits = description.at("values").get<std::vector<uint64_t>>();
  else
    bits.push_back(description.at("value").get<uint64_t>());
  std::vector<uint64_t> &packed = numbers.emplace_back(bits.size());
  for (size_t i = 0; i < bits.size(); ++i)
    std::memcpy(reinterpret_cast<char *>(packed.data()) + i * bytes, &bits[i],
                bytes);
  if (isList) {
    kind = TESSERA_CALL_ARRAY;
    value = &arrays.emplace_back(
        TesseraCallArray{dtype, bits.size(), packed.data()});
  } else {
    kind = TESSERA_CALL_SCALAR;
    value = &scalars.emplace_back(TesseraCallScalar{dtype, packed.data()});
  }
  return {};
}

Fallible<void> RoutineCall::Contents::readParameter(const CallJson &description,
                                                    int32_t &kind,
                                                    void *&value) {
  if (auto text = description.find("text"); text != description.end()) {
    const std::string &held = texts.emplace_back(text->get<std::string>());
    kind = TESSERA_CALL_STRING;
    value = &textViews.emplace_back(TesseraCallText{held.data(), held.size()});
    return {};
  }
  auto inner = description.find("members");
  if (inner == description.end())
    return readNumbers(description, kind, value);
  Fallible<TesseraCallParameters *> list = readParameters(*inner);
  if (!list)
    return list.failure();
  kind = TESSERA_CALL_DICTIONARY;
  value = *list;
  return {};
}

Fallible<TesseraCallParameters *>
RoutineCall::Contents::readParameters(const CallJson &described) {
  Members &own = members.emplace_back();
  for (const auto &[key, description] : described.items()) {
    int32_t kind = 0;
    void *value = nullptr;
    if (Fallible<void> read = readParameter(description, kind, value); !read)
      return read.failure();
    const std::string &held = texts.emplace_back(key);
    own.kinds.push_back(kind);
    own.values.push_back(value);
    own.names.push_back(
        &textViews.emplace_back(TesseraCallText{held.data(), held.size()}));
  }
  own.list = {sizeof(TesseraCallParameters),
              nullptr,
              int64_t(own.values.size()),
              own.kinds.data(),
              own.names.data(),
              own.values.data()};
  return &own.list;
}

Fallible<void> RoutineCall::Contents::read(const CallJson &description,
                                           TesseraRoutine hostCallback) {
  name = description.at("routine");
  inputs = description.at("inputs");
  for (const CallJson &array : description.at("arrays"))
    if (Fallible<void> read = readArray(array); !read)
      return read;
  Fallible<TesseraCallParameters *> list =
      readParameters(description.at("parameters"));
  if (!list)
    return list.failure();
  parameters = *list;
  if (name == kHostCallback && hostCallback) {
    routine = hostCallback;
    return {};
  }
  Fallible<TesseraRoutine> found =
      findRoutine(description.at("libraries"), name);
  if (!found)
    return found.failure();
  routine = *found;
  return {};
}

RoutineCall::RoutineCall(std::unique_ptr<Contents> contents)
    : contents(std::move(contents)) {}
RoutineCall::~RoutineCall() = default;

Fallible<std::unique_ptr<RoutineCall>>
RoutineCall::prepare(const std::string &description,
                     TesseraRoutine hostCallback) {
  if (Fallible<void> checked = checkRoutineCall(description); !checked)
    return checked.failure();
  auto contents = std::make_unique<Contents>();
  CallJson json =
      CallJson::parse(description, nullptr, /*allow_exceptions=*/false);
  if (Fallible<void> read = contents->read(json, hostCallback); !read)
    return read.failure();
  return std::unique_ptr<RoutineCall>(new RoutineCall(std::move(contents)));
}

size_t RoutineCall::operands() const { return contents->inputs; }
std::span<const size_t> RoutineCall::bytes() const { return contents->bytes; }

const std::string &RoutineCall::name() const { return contents->name; }

void RoutineCall::visitFrame(
    void *const *memory, const void *context,
    const std::function<void(TesseraCallFrame *)> &visit) const {
  std::vector<TesseraCallBuffer> buffers = contents->buffers;
  std::vector<TesseraCallBuffer *> pointers;
  for (size_t i = 0; i < buffers.size(); ++i) {
    buffers[i].data = memory[i];
    pointers.push_back(&buffers[i]);
  }
  std::vector<int32_t> kinds(buffers.size(), 1);
  size_t inputs = contents->inputs;
  TesseraCallFrame frame = {};
  frame.struct_size = offsetof(TesseraCallFrame, future);
  frame.api = callApi();
  frame.context = const_cast<void *>(context);
  frame.stage = 3;
  frame.operands = {sizeof(TesseraCallBuffers), nullptr, int64_t(inputs),
                    kinds.data(), pointers.data()};
  frame.results = {sizeof(TesseraCallBuffers), nullptr,
                   int64_t(buffers.size() - inputs), kinds.data() + inputs,
                   pointers.data() + inputs};
  frame.parameters = *contents->parameters;
  visit(&frame);
}

Fallible<void> RoutineCall::run(void *const *memory,
                                const void *context) const {
  TesseraRoutineError *error = nullptr;
  visitFrame(memory, context, [&](TesseraCallFrame *frame) {
    error = contents->routine(frame);
  });
  if (!error)
    return {};
  std::string message = error->message;
  delete error;
  return Failure{"routine '" + contents->name + "': " + message};
}
