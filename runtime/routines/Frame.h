//===- Frame.h - What a call frame holds ----------------------------------===//
#ifndef TESSERA_RUNTIME_ROUTINES_FRAME_H
#define TESSERA_RUNTIME_ROUTINES_FRAME_H

#include "tessera/Support/CallFrame.h"

#include <complex>
#include <cstring>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tessera::routines {

/// The number of an element type in call frames.
template <typename T> inline constexpr int32_t kTypeNumber = 0;
template <> inline constexpr int32_t kTypeNumber<uint8_t> = TESSERA_CALL_U8;
template <> inline constexpr int32_t kTypeNumber<int32_t> = TESSERA_CALL_S32;
template <> inline constexpr int32_t kTypeNumber<int64_t> = TESSERA_CALL_S64;
template <> inline constexpr int32_t kTypeNumber<float> = TESSERA_CALL_F32;
template <> inline constexpr int32_t kTypeNumber<double> = TESSERA_CALL_F64;
template <>
inline constexpr int32_t kTypeNumber<std::complex<float>> = TESSERA_CALL_C64;
template <>
inline constexpr int32_t kTypeNumber<std::complex<double>> = TESSERA_CALL_C128;

/// Throws unless `T` is what `dtype` says.
template <typename T> void expectType(int32_t dtype) {
  static_assert(kTypeNumber<T> != 0, "expected an element type of call frames");
  if (dtype != kTypeNumber<T>)
    throw std::runtime_error("expected element type " +
                             std::to_string(kTypeNumber<T>) + ", got " +
                             std::to_string(dtype));
}

/// An operand or result: memory, and a batch of what stands in its last
/// dimensions.
template <typename T> struct Array {
  T *data;
  std::span<const int64_t> dims;

  int64_t rank() const { return int64_t(dims.size()); }
  /// The size of the dimension that is `fromEnd` before the last one.
  int64_t size(int64_t fromEnd = 0) const {
    if (fromEnd >= rank())
      throw std::runtime_error("expected more than " + std::to_string(fromEnd) +
                               " dimensions, got " + std::to_string(rank()));
    return dims[dims.size() - 1 - fromEnd];
  }
  /// The elements of the last `own` dimensions.
  int64_t elements(int64_t own) const {
    int64_t count = 1;
    for (int64_t i = rank() - own; i < rank(); ++i)
      count *= dims[i];
    return count;
  }
  /// How many of them there are.
  int64_t batch(int64_t own) const {
    int64_t count = 1;
    for (int64_t i = 0; i < rank() - own; ++i)
      count *= dims[i];
    return count;
  }
};

/// A call frame. What it does not hold as expected is thrown as
/// std::runtime_error.
class Frame {
public:
  explicit Frame(TesseraCallFrame *frame) : frame(frame) {}

  template <typename T> Array<T> operand(int64_t number) const {
    return array<T>(frame->operands, number);
  }
  template <typename T> Array<T> result(int64_t number) const {
    return array<T>(frame->results, number);
  }
  int64_t operands() const { return frame->operands.size; }

  /// The number, list or text that parameter `name` is.
  template <typename T> T scalar(std::string_view name) const {
    const auto *value =
        static_cast<const TesseraCallScalar *>(find(name, TESSERA_CALL_SCALAR));
    expectType<T>(value->dtype);
    T result;
    std::memcpy(&result, value->value, sizeof(T));
    return result;
  }
  std::span<const int64_t> list(std::string_view name) const {
    const auto *value =
        static_cast<const TesseraCallArray *>(find(name, TESSERA_CALL_ARRAY));
    expectType<int64_t>(value->dtype);
    return {static_cast<const int64_t *>(value->data), value->size};
  }
  std::string_view text(std::string_view name) const {
    const auto *value =
        static_cast<const TesseraCallText *>(find(name, TESSERA_CALL_STRING));
    return {value->data, value->size};
  }

private:
  template <typename T>
  static Array<T> array(const TesseraCallBuffers &buffers, int64_t number) {
    if (number >= buffers.size)
      throw std::runtime_error("expected more than " + std::to_string(number) +
                               " arrays, got " + std::to_string(buffers.size));
    const TesseraCallBuffer &buffer = *buffers.buffers[number];
    expectType<T>(buffer.dtype);
    return {static_cast<T *>(buffer.data),
            {buffer.dims, static_cast<size_t>(buffer.rank)}};
  }
  const void *find(std::string_view name, int32_t kind) const {
    const TesseraCallParameters &all = frame->parameters;
    for (int64_t i = 0; i < all.size; ++i)
      if (std::string_view(all.names[i]->data, all.names[i]->size) == name &&
          all.kinds[i] == kind)
        return all.values[i];
    throw std::runtime_error("expected a parameter '" + std::string(name) +
                             "' of another kind");
  }

  TesseraCallFrame *frame;
};

/// Runs `body` on the frame; what it throws is the routine's error.
template <typename Body>
TesseraRoutineError *runRoutine(TesseraCallFrame *frame, Body body) {
  std::string message;
  try {
    body(Frame(frame));
    return nullptr;
  } catch (const std::exception &error) {
    message = error.what();
  }
  TesseraRoutineErrorArguments arguments = {sizeof(arguments), nullptr,
                                            message.c_str(), 13};
  return frame->api->create_error(&arguments);
}

} // namespace tessera::routines

#define TESSERA_ROUTINE(name)                                                  \
  extern "C" __attribute__((visibility("default"))) TesseraRoutineError *name( \
      TesseraCallFrame *frame)

#endif // TESSERA_RUNTIME_ROUTINES_FRAME_H
