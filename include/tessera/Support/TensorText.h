//===- TensorText.h - Tensors for people to read --------------------------===//

#ifndef TESSERA_SUPPORT_TENSORTEXT_H
#define TESSERA_SUPPORT_TENSORTEXT_H

#include "tessera/Support/HostTensor.h"

namespace tessera {

/// `[[1, 2.5], [3, nan]]`: each float as the shortest text that reads back as
/// the same float (an f16 or bf16 as that of its value in f32), i1 as `true`
/// and `false`. Of a tensor of more than `limit` elements only the number of
/// elements and the smallest and largest.
std::string tensorText(const HostTensor &tensor, int64_t limit = 1024);

} // namespace tessera

#endif // TESSERA_SUPPORT_TENSORTEXT_H
