//===- Shards.h - Whole tensors and the parts that devices hold -----------===//

#ifndef TESSERA_INTERPRETER_SHARDS_H
#define TESSERA_INTERPRETER_SHARDS_H

#include "tessera/Sharding/Algebra/TensorSharding.h"
#include "tessera/Support/HostTensor.h"

namespace tessera {

/// The part of `whole` that `device` holds. Where a block reaches beyond the
/// tensor the elements are NaNs (or a conspicuous integer), so that a program
/// which uses them shows it. Over unreduced axes each element's value lies on
/// one device, which one varies with `seed`, and the others hold the neutral
/// element.
HostTensor shardOf(const HostTensor &whole, const TensorSharding &sharding,
                   const Mesh &mesh, int64_t device, uint64_t seed);

/// The whole tensor of shape `shape` that the devices hold parts of, one for
/// every device number. Fails where two devices that should hold the same part
/// differ in any bit.
Fallible<HostTensor> assemble(const std::vector<HostTensor> &parts,
                              const Shape &shape,
                              const TensorSharding &sharding, const Mesh &mesh);

} // namespace tessera

#endif // TESSERA_INTERPRETER_SHARDS_H
