//===- QuantizationRequest.cpp - which collectives a user wants shorter ---===//

#include "Quantization/QuantizationRequest.h"

#include "tessera/Support/NearestName.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::communicate;

bool QuantizationRequest::matches(llvm::ArrayRef<AxisRef> group) const {
  return axes.empty() || llvm::all_of(group, [&](const AxisRef &axis) {
           return llvm::is_contained(axes, axis.name);
         });
}

Fallible<QuantizationRequest> QuantizationRequest::parse(llvm::StringRef text,
                                                         const Mesh &mesh) {
  auto [what, where] = text.split('@');
  QuantizationRequest request;
  request.isSum = what == "sum:int8";
  llvm::SmallVector<llvm::StringRef> names;
  if (what != text)
    where.split(names, '+');
  if ((!request.isSum && what != "gather:int8") ||
      llvm::is_contained(names, ""))
    return Failure{"--quantize-collectives: expected gather:int8 or sum:int8, "
                   "with the axes behind it if not all of them are meant "
                   "(sum:int8@data+node), got '" +
                   text.str() + "'"};
  std::vector<std::string> known;
  for (const MeshAxis &axis : mesh.axes)
    known.push_back(axis.name.str().str());
  for (llvm::StringRef name : names) {
    if (!llvm::is_contained(known, name))
      return Failure{"--quantize-collectives: the mesh has no axis '" +
                     name.str() + "'" + didYouMean(name.str(), known)};
    request.axes.push_back(AxisName(name));
  }
  return request;
}
