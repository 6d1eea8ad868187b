//===- SharedTensors.cpp - what entry points of a program share -----------===//

#include "SharedTensors.h"

#include "Diagnostics.h"
#include "tessera/Dialect/Tessera/ComplexBoundary.h"
#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Dialect/Tessera/ShortTypeBoundary.h"

using namespace mlir;
using namespace tessera;

MeshOp EntryPointModule::mesh() const {
  auto meshes = ModuleOp(module).getOps<MeshOp>();
  return meshes.empty() ? MeshOp() : *meshes.begin();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

DictionaryAttr SharedTensors::Place::attributes() const {
  func::FuncOp main = entryPoint->main;
  DictionaryAttr found =
      isResult ? main.getResultAttrDict(index) : main.getArgAttrDict(index);
  return found ? found : DictionaryAttr::get(main.getContext());
}

std::optional<TensorSharding> SharedTensors::Place::sharding() const {
  auto found = attributes().getAs<ShardingAttr>(TesseraDialect::kShardingAttr);
  return found ? std::optional(found.getValue()) : std::nullopt;
}

void SharedTensors::Place::setSharding(const TensorSharding &sharding) const {
  func::FuncOp main = entryPoint->main;
  if (!entryPoint->mesh())
    return; // One device has all.
  auto mesh = FlatSymbolRefAttr::get(main.getContext(),
                                     entryPoint->mesh().getSymName());
  auto attribute = ShardingAttr::get(main.getContext(), mesh, sharding);
  if (isResult)
    main.setResultAttr(index, TesseraDialect::kShardingAttr, attribute);
  else
    main.setArgAttr(index, TesseraDialect::kShardingAttr, attribute);
}

/// The type of the whole tensor, with what else the outside world knows of it.
std::string SharedTensors::Place::type() const {
  func::FuncOp main = entryPoint->main;
  FunctionType signature = main.getFunctionType();
  Type local =
      isResult ? signature.getResult(index) : signature.getInput(index);
  auto global = attributes().getAs<TypeAttr>(TesseraDialect::kGlobalTypeAttr);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << (global ? global.getValue() : local);
  for (StringRef key : {StringRef(TesseraDialect::kUnsignedAttr),
                        StringRef(kComplexAttr), StringRef(kShortTypeAttr)})
    if (Attribute value = attributes().get(key)) {
      os << ' ' << key.split('.').second;
      if (auto name = dyn_cast<StringAttr>(value))
        os << ' ' << name.getValue();
    }
  return text;
}

/// `argument 'x'`; of what has no name, its number.
std::string SharedTensors::Place::describe() const {
  auto name = attributes().getAs<StringAttr>(TesseraDialect::kNameAttr);
  return (isResult ? "result " : "argument ") +
         (name ? "'" + name.getValue().str() + "'" : std::to_string(index));
}

Location SharedTensors::Place::location() const {
  func::FuncOp main = entryPoint->main;
  if (!isResult && !main.isExternal())
    if (Location own = main.getArgument(index).getLoc(); findFileLocation(own))
      return own;
  return main.getLoc();
}

/// `location` in a context that it is not of; unknown if it is of no file.
static Location carry(Location location, MLIRContext *context) {
  FileLineColLoc file = findFileLocation(location);
  if (!file)
    return UnknownLoc::get(context);
  return FileLineColLoc::get(context, file.getFilename().getValue(),
                             file.getLine(), file.getColumn());
}

InFlightDiagnostic SharedTensors::fail(const Place &place, const Place &other,
                                       const Twine &what) {
  InFlightDiagnostic error = emitError(place.location());
  error << "entry point '" << place.entryPoint->name << "': " << what;
  error.attachNote(carry(other.location(), place.location().getContext()))
      << "this is " << other.describe() << " of entry point '"
      << other.entryPoint->name
      << "': entry points share tensors by the names of arguments";
  return error;
}

//===----------------------------------------------------------------------===//
// Which tensors are shared
//===----------------------------------------------------------------------===//

/// Gives entry points without a mesh that of the others; fails where these
/// differ.
static LogicalResult shareMesh(MutableArrayRef<EntryPointModule> entryPoints) {
  const EntryPointModule *first = nullptr;
  for (const EntryPointModule &entryPoint : entryPoints) {
    MeshOp mesh = entryPoint.mesh();
    auto all = ModuleOp(entryPoint.module).getOps<MeshOp>();
    if (std::distance(all.begin(), all.end()) > 1)
      return emitError(mesh.getLoc())
             << "entry point '" << entryPoint.name
             << "': expected one mesh in a program with several entry points";
    if (mesh && !first)
      first = &entryPoint;
    if (!mesh || mesh.getMesh().getMesh() == first->mesh().getMesh().getMesh())
      continue;
    std::string expected, got;
    llvm::raw_string_ostream expectedText(expected), gotText(got);
    first->mesh().getMesh().getMesh().print(expectedText);
    mesh.getMesh().getMesh().print(gotText);
    return emitError(mesh.getLoc())
           << "entry point '" << entryPoint.name << "': expected the mesh "
           << expected << " of entry point '" << first->name << "', got "
           << got;
  }
  for (EntryPointModule &entryPoint : entryPoints) {
    if (!first || entryPoint.mesh())
      continue;
    OpBuilder builder = OpBuilder::atBlockBegin(entryPoint.module.getBody());
    MeshOp::create(
        builder, entryPoint.module.getLoc(), first->mesh().getSymName(),
        MeshAttr::get(builder.getContext(), first->mesh().getMesh().getMesh()));
  }
  return success();
}

/// Adds those results of an entry point that are the memory of shared
/// arguments, or have the name of one.
LogicalResult SharedTensors::addResults(const EntryPointModule &entryPoint) {
  func::FuncOp main = entryPoint.main;
  llvm::DenseMap<unsigned, unsigned> donors;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (std::optional<unsigned> result = getDonatedResult(main, i))
      donors[*result] = i;
  for (unsigned i = 0; i < main.getNumResults(); ++i) {
    Place place{&entryPoint, true, i};
    auto named =
        place.attributes().getAs<StringAttr>(TesseraDialect::kNameAttr);
    auto shared = named ? tensors.find(named.getValue()) : tensors.end();
    auto donor = donors.find(i);
    if (donor != donors.end()) {
      Place argument{&entryPoint, false, donor->second};
      auto name =
          argument.attributes().getAs<StringAttr>(TesseraDialect::kNameAttr);
      if (shared != tensors.end() && name != named)
        return fail(place, shared->second.front(),
                    place.describe() + " takes the memory of " +
                        argument.describe() + ", and cannot be that of '" +
                        named.getValue() + "'");
      if (name)
        tensors[name.getValue()].push_back(place);
      continue;
    }
    if (shared == tensors.end())
      continue;
    for (const Place &other : shared->second)
      if (other.entryPoint == &entryPoint && !other.isResult)
        return fail(place, other,
                    place.describe() +
                        " would overwrite the argument of that name: donate "
                        "that to it, or call it otherwise");
    shared->second.push_back(place);
  }
  return success();
}

LogicalResult SharedTensors::checkTypes() const {
  for (const auto &[name, places] : tensors)
    for (const Place &place : ArrayRef(places).drop_front())
      if (std::string expected = places.front().type(), got = place.type();
          expected != got)
        return fail(place, places.front(),
                    "expected " + place.describe() + " to have the type " +
                        expected + ", got " + got);
  return success();
}

FailureOr<SharedTensors>
SharedTensors::find(MutableArrayRef<EntryPointModule> entryPoints) {
  if (failed(shareMesh(entryPoints)))
    return failure();
  SharedTensors shared(entryPoints);
  for (const EntryPointModule &entryPoint : entryPoints)
    for (unsigned i = 0; i < func::FuncOp(entryPoint.main).getNumArguments();
         ++i) {
      Place place{&entryPoint, false, i};
      if (auto name =
              place.attributes().getAs<StringAttr>(TesseraDialect::kNameAttr))
        shared.tensors[name.getValue()].push_back(place);
    }
  for (const EntryPointModule &entryPoint : entryPoints)
    if (failed(shared.addResults(entryPoint)))
      return failure();
  if (failed(shared.checkTypes()))
    return failure();
  shared.tensors.remove_if([](const auto &tensor) {
    return llvm::all_of(tensor.second, [&](const Place &place) {
      return place.entryPoint == tensor.second.front().entryPoint;
    });
  });
  return shared;
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

static std::string textOf(const TensorSharding &sharding) {
  std::string text;
  llvm::raw_string_ostream(text) << sharding;
  return text;
}

LogicalResult SharedTensors::mergeAnnotations() {
  for (const auto &[name, places] : tensors) {
    const Place *annotated = nullptr;
    for (const Place &place : places) {
      std::optional<TensorSharding> sharding = place.sharding();
      if (!sharding)
        continue;
      if (!annotated)
        annotated = &place;
      if (*sharding != *annotated->sharding())
        return fail(place, *annotated,
                    "expected the sharding " + textOf(*annotated->sharding()) +
                        " of " + place.describe() + ", got " +
                        textOf(*sharding));
    }
    if (annotated)
      for (const Place &place : places)
        place.setSharding(*annotated->sharding());
  }
  return success();
}

LogicalResult SharedTensors::handOn(size_t number) {
  for (const auto &[name, places] : tensors) {
    const Place *chosen = nullptr;
    for (const Place &place : places) {
      std::optional<TensorSharding> sharding = place.sharding();
      bool isLater = place.entryPoint > &entryPoints[number];
      if (!sharding || isLater)
        continue;
      if (!chosen)
        chosen = &place;
      if (*sharding != *chosen->sharding())
        return fail(place, *chosen,
                    "expected the sharding " + textOf(*chosen->sharding()) +
                        " of " + place.describe() + ", got " +
                        textOf(*sharding));
    }
    for (const Place &place : places)
      if (chosen && place.entryPoint > &entryPoints[number])
        place.setSharding(*chosen->sharding());
  }
  return success();
}
