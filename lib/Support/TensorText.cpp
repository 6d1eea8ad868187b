//===- TensorText.cpp -----------------------------------------------------===//

#include "tessera/Support/TensorText.h"

#include "tessera/Support/ElementDispatch.h"

#include <algorithm>
#include <charconv>
#include <cmath>

using namespace tessera;

template <typename T> static std::string numberText(T element) {
  if constexpr (std::is_same_v<T, Boolean>) {
    return element.value ? "true" : "false";
  } else if constexpr (std::is_arithmetic_v<T>) {
    char buffer[64];
    auto end = std::to_chars(buffer, buffer + sizeof(buffer), element).ptr;
    return std::string(buffer, end);
  } else {
    return numberText(element.toFloat());
  }
}

/// Appends the elements of dimension `dim` and those inside it, from number
/// `next` on, which moves behind them.
template <typename T>
static void appendElements(std::span<const T> elements, const Shape &shape,
                           size_t dim, size_t &next, std::string &text) {
  if (dim == shape.size()) {
    text += numberText(elements[next++]);
    return;
  }
  text += '[';
  for (int64_t i = 0; i < shape[dim]; ++i) {
    if (i)
      text += ", ";
    appendElements(elements, shape, dim + 1, next, text);
  }
  text += ']';
}

std::string tessera::tensorText(const HostTensor &tensor, int64_t limit) {
  return dispatchElementType(tensor.type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    std::span<const T> elements = tensor.elements<T>();
    std::string text;
    if (tensor.elementCount() <= limit) {
      size_t next = 0;
      appendElements(elements, tensor.shape(), 0, next, text);
      return text;
    }
    auto less = [](T a, T b) {
      return elementToDouble(a) < elementToDouble(b);
    };
    auto [smallest, largest] =
        std::minmax_element(elements.begin(), elements.end(), less);
    return std::to_string(elements.size()) + " elements from " +
           numberText(*smallest) + " to " + numberText(*largest);
  });
}
