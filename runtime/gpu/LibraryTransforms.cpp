//===- LibraryTransforms.cpp ----------------------------------------------===//

#include "LibraryTransforms.h"

#include <string_view>
#include <utility>

using namespace tessera;
using namespace tessera::gpu;

LibraryTransforms::LibraryTransforms(Device &device, CufftLoader load)
    : device(device), loader(std::move(load)) {}

LibraryTransforms::~LibraryTransforms() {
  for (const auto &[form, plan] : plans)
    library->destroy(plan);
  if (module)
    device.driver().moduleUnload(module);
}

bool LibraryTransforms::isThere() {
  if (library || isMissing)
    return library;
  if (Fallible<const Cufft *> loaded = loader(); loaded)
    library = *loaded;
  isMissing = !library;
  return library;
}

//===----------------------------------------------------------------------===//
// The kernels
//===----------------------------------------------------------------------===//

/// A thread for each element: `join` makes pairs of two arrays, `part` two
/// arrays of pairs, multiplied by `scale`, and `scale` multiplies in place. The
/// words in capitals are those of the element type.
static constexpr const char *kernelPattern = R"(
.visible .entry join_TYPE(.param .u64 count, .param .u64 re, .param .u64 im,
                          .param .u64 pairs) {
  INDEX
  PLACE(re)
  ld.global.TYPE %x, [%at];
  PLACE(im)
  ld.global.TYPE %y, [%at];
  PAIR(pairs)
  st.global.v2.TYPE [%at], {%x, %y};
end:
  ret;
}
.visible .entry part_TYPE(.param .u64 count, .param .u64 pairs, .param .u64 re,
                          .param .u64 im, .param .TYPE scale) {
  INDEX
  PAIR(pairs)
  ld.global.v2.TYPE {%x, %y}, [%at];
  ld.param.TYPE %scale, [scale];
  mul.rn.TYPE %x, %x, %scale;
  mul.rn.TYPE %y, %y, %scale;
  PLACE(re)
  st.global.TYPE [%at], %x;
  PLACE(im)
  st.global.TYPE [%at], %y;
end:
  ret;
}
.visible .entry scale_TYPE(.param .u64 count, .param .u64 data,
                           .param .TYPE scale) {
  INDEX
  PLACE(data)
  ld.global.TYPE %x, [%at];
  ld.param.TYPE %scale, [scale];
  mul.rn.TYPE %x, %x, %scale;
  st.global.TYPE [%at], %x;
end:
  ret;
}
)";

/// Finds the thread's element, `%i`, and ends where there is none.
static constexpr const char *indexPattern = R"(
  .reg .pred %done;
  .reg .b32 %block, %threads, %thread;
  .reg .b64 %from, %count, %i, %at;
  .reg .TYPE %x, %y, %scale;
  mov.u32 %block, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %thread, %tid.x;
  cvt.u64.u32 %at, %thread;
  mul.wide.u32 %i, %block, %threads;
  add.s64 %i, %i, %at;
  ld.param.u64 %count, [count];
  setp.ge.u64 %done, %i, %count;
  @%done bra end;
)";

/// Where it lies in an array of elements of `bytes`.
static std::string placeIn(std::string_view array, int bytes) {
  return "ld.param.u64 %from, [" + std::string(array) +
         "];\n  cvta.to.global.u64 %from, %from;\n  mad.lo.s64 %at, %i, " +
         std::to_string(bytes) + ", %from;";
}

static void replaceAll(std::string &text, std::string_view word,
                       std::string_view by) {
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos;)
    text.replace(at, word.size(), by);
}

std::string LibraryTransforms::kernelText() {
  std::string all = ".version 8.0\n.target sm_80\n.address_size 64\n";
  for (auto [type, bytes] : {std::pair("f32", 4), std::pair("f64", 8)}) {
    std::string text = kernelPattern;
    replaceAll(text, "INDEX", indexPattern);
    for (const char *array : {"re", "im", "data", "pairs"}) {
      replaceAll(text, "PLACE(" + std::string(array) + ")",
                 placeIn(array, bytes));
      replaceAll(text, "PAIR(" + std::string(array) + ")",
                 placeIn(array, 2 * bytes));
    }
    replaceAll(text, "TYPE", type);
    all += text;
  }
  return all;
}

Fallible<void> LibraryTransforms::load() {
  if (module)
    return {};
  std::string text = kernelText();
  if (CudaResult result = device.driver().moduleLoad(&module, text.c_str(), 0,
                                                     nullptr, nullptr))
    return Failure{describe(device.driver(), result)};
  return {};
}

Fallible<void> LibraryTransforms::launch(std::string kernel, const Form &form,
                                         int64_t count,
                                         std::vector<void *> parameters,
                                         CudaStream stream) {
  constexpr unsigned threads = 256;
  const CudaDriver &driver = device.driver();
  CudaFunction function = nullptr;
  kernel += form.isDouble ? "_f64" : "_f32";
  parameters.insert(parameters.begin(), &count);
  CudaResult result = driver.moduleFunction(&function, module, kernel.c_str());
  if (!result)
    result = driver.launchKernel(
        function, static_cast<unsigned>((count + threads - 1) / threads), 1, 1,
        threads, 1, 1, 0, stream, parameters.data(), nullptr);
  if (result)
    return Failure{"function '" + kernel + "': " + describe(driver, result)};
  return {};
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

long long LibraryTransforms::Form::points() const {
  long long product = 1;
  for (long long length : lengths)
    product *= length;
  return product;
}

long long LibraryTransforms::Form::pairs() const {
  bool isHalf = kind.starts_with("R") || kind.starts_with("IR");
  long long last = lengths.back();
  return batch * (points() / last) * (isHalf ? last / 2 + 1 : last);
}

/// Parameters and arrays are those that the routine's signature asks for.
LibraryTransforms::Form
LibraryTransforms::formOf(const TesseraCallFrame &frame) {
  Form form;
  const TesseraCallParameters &parameters = frame.parameters;
  for (int64_t i = 0; i < parameters.size; ++i) {
    if (parameters.kinds[i] == TESSERA_CALL_STRING) {
      auto *text = static_cast<const TesseraCallText *>(parameters.values[i]);
      form.kind.assign(text->data, text->size);
    } else if (parameters.kinds[i] == TESSERA_CALL_ARRAY) {
      auto *list = static_cast<const TesseraCallArray *>(parameters.values[i]);
      auto *lengths = static_cast<const int64_t *>(list->data);
      form.lengths.assign(lengths, lengths + list->size);
    }
  }
  const TesseraCallBuffer &first = *frame.operands.buffers[0];
  form.isDouble = first.dtype == TESSERA_CALL_F64;
  form.batch = 1;
  for (int64_t i = 0; i + int64_t(form.lengths.size()) < first.rank; ++i)
    form.batch *= first.dims[i];
  return form;
}

static Failure failureOf(const char *what, FftResult result) {
  return Failure{std::string("cuFFT: ") + what + " (" + std::to_string(result) +
                 ")"};
}

Fallible<FftPlan> LibraryTransforms::find(const Form &form, CudaStream stream) {
  if (auto known = plans.find(form); known != plans.end())
    return known->second;
  FftPlan plan = 0;
  if (FftResult result = library->create(&plan))
    return failureOf("cannot be started", result);
  plans[form] = plan;
  int type = form.kind == "RFFT"
                 ? (form.isDouble ? fftRealToComplexF64 : fftRealToComplexF32)
             : form.kind == "IRFFT"
                 ? (form.isDouble ? fftComplexToRealF64 : fftComplexToRealF32)
             : form.isDouble ? fftComplexF64
                             : fftComplexF32;
  size_t bytes = 0;
  // Arrays of a batch lie one behind the other, as without sizes of storage.
  std::vector<long long> lengths = form.lengths;
  if (FftResult result = library->makePlan(
          plan, static_cast<int>(lengths.size()), lengths.data(), nullptr, 1, 0,
          nullptr, 1, 0, type, form.batch, &bytes))
    return failureOf("a plan", result);
  if (FftResult result = library->setStream(plan, stream))
    return failureOf("a stream", result);
  return plan;
}

Fallible<void> LibraryTransforms::reserve(int64_t bytes) {
  if (bytes <= reserved)
    return {};
  work = device.allocate(bytes);
  reserved = work ? bytes : 0;
  if (!work)
    return Failure{"no memory is left on the device"};
  return {};
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

/// `real` is the array of real numbers of a transform that has one.
Fallible<void> LibraryTransforms::transform(const Form &form, FftPlan plan,
                                            void *real) {
  auto *pairs = reinterpret_cast<void *>(work);
  auto *f32 = static_cast<float *>(real);
  auto *f64 = static_cast<double *>(real);
  int direction = form.kind == "FFT" ? fftForward : fftBackward;
  FftResult result =
      form.kind == "RFFT"
          ? (form.isDouble ? library->realToComplexF64(plan, f64, pairs)
                           : library->realToComplexF32(plan, f32, pairs))
      : form.kind == "IRFFT"
          ? (form.isDouble ? library->complexToRealF64(plan, pairs, f64)
                           : library->complexToRealF32(plan, pairs, f32))
      : form.isDouble ? library->complexF64(plan, pairs, pairs, direction)
                      : library->complexF32(plan, pairs, pairs, direction);
  return result ? Fallible<void>(failureOf("a transform", result))
                : Fallible<void>();
}

Fallible<void> LibraryTransforms::run(const TesseraCallFrame &frame,
                                      CudaStream stream) {
  Form form = formOf(frame);
  Fallible<FftPlan> plan = find(form, stream);
  if (!plan)
    return plan.failure();
  Fallible<void> done = load();
  if (done)
    done = reserve(form.pairs() * form.pairBytes());
  auto **in = frame.operands.buffers, **out = frame.results.buffers;
  bool isBackward = form.kind.starts_with("I");
  if (done && form.kind != "RFFT")
    done = launch("join", form, form.pairs(),
                  {&in[0]->data, &in[1]->data, &work}, stream);
  if (done)
    done = transform(form, *plan,
                     form.kind == "RFFT" ? in[0]->data : out[0]->data);
  double scale = isBackward ? 1.0 / double(form.points()) : 1;
  auto narrow = static_cast<float>(scale);
  void *factor = form.isDouble ? static_cast<void *>(&scale) : &narrow;
  if (done && form.kind == "IRFFT")
    return launch("scale", form, form.batch * form.points(),
                  {&out[0]->data, factor}, stream);
  if (done)
    done = launch("part", form, form.pairs(),
                  {&work, &out[0]->data, &out[1]->data, factor}, stream);
  return done;
}
