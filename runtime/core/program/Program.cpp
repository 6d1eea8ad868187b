//===- Program.cpp --------------------------------------------------------===//

#include "Program.h"

#include "CpuFeatures.h"
#include "ElfFile.h"
#include "tessera/Support/Checksum.h"

#include <cstdlib>
#include <fstream>

#include <dlfcn.h>

using namespace tessera;
using namespace tessera::runtime;

static std::vector<TesseraTensor>
viewsOf(const std::vector<ManifestTensor> &tensors) {
  std::vector<TesseraTensor> views;
  for (const ManifestTensor &tensor : tensors) {
    const Shape &shape = tensor.layout.globalShape();
    views.push_back({tensor.name.c_str(), static_cast<int32_t>(tensor.type),
                     static_cast<int32_t>(shape.size()), shape.data(),
                     tensor.globalBytes(), tensor.donation.value_or(-1),
                     tensor.shardingText.c_str()});
  }
  return views;
}

static std::string describeRanks(const Manifest &manifest) {
  std::string mesh = manifest.mesh.describe();
  return manifest.pipelineRanks() == 1
             ? mesh
             : std::to_string(manifest.pipelineRanks()) + " x " + mesh;
}

Program::Program(Manifest manifest)
    : contents(std::move(manifest)), meshDescription(describeRanks(contents)),
      argumentViews(viewsOf(contents.arguments)),
      resultViews(viewsOf(contents.results)) {}

Program::~Program() {
  if (library)
    dlclose(library);
}

/// Whether this machine can execute the code; if not, names what it needs and
/// what there is.
static Fallible<void> checkMachine(const Manifest &manifest) {
  if (manifest.target != "cpu" && manifest.target != "cuda")
    return Failure{"compiled for target '" + manifest.target +
                   "', this runtime executes 'cpu' and 'cuda'"};
  std::vector<std::string> missing = missingCpuFeatures(manifest.cpuFeatures);
  if (missing.empty())
    return {};
  std::string list;
  for (const std::string &feature : missing)
    list += (list.empty() ? "" : ", ") + feature;
  return Failure{"compiled for CPU '" + manifest.cpuName + "', which has " +
                 list + "; this CPU, '" + cpuName() + "', has not"};
}

/// Makes the functions that models call visible to them, whichever way this
/// library was loaded (Python, for one, loads libraries so that others do not
/// see them).
static void exposeRuntime() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(&tessera_rt_launch), &info) &&
      info.dli_fname)
    dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

/// Checks that the file, whose manifest is `text`, is as it was written.
static Fallible<void> checkIntact(const std::string &path,
                                  const std::string &text) {
  Fallible<InputFile> file = InputFile::open(path);
  if (!file)
    return file.failure();
  Fallible<void> intact = checkSeal(*file);
  // A file of another version may have no seal, or another one.
  if (!intact)
    if (Fallible<void> same = checkAbi(text, TESSERA_ABI_VERSION); !same)
      return file->failure(same.message());
  return intact;
}

/// The checksum of the manifest, and behind it that of the file, which its seal
/// holds.
static uint64_t checksumOf(const std::string &path, uint32_t ofManifest) {
  std::ifstream file(path, std::ios::binary);
  uint32_t ofFile = 0;
  file.seekg(-int64_t(sizeof ofFile), std::ios::end);
  file.read(reinterpret_cast<char *>(&ofFile), sizeof ofFile);
  return uint64_t(ofManifest) << 32 | ofFile;
}

std::vector<const Program *> Program::entryPoints() const {
  if (parts.empty())
    return {this};
  std::vector<const Program *> all;
  all.reserve(parts.size());
  for (const std::unique_ptr<Program> &part : parts)
    all.push_back(part.get());
  return all;
}

/// Finds what the manifest names in `code`, a loaded library.
Fallible<void> Program::findCode(void *code) {
  for (const ManifestProgram &part : contents.programs) {
    entries.push_back(
        reinterpret_cast<TesseraMain>(dlsym(code, part.entry.c_str())));
    if (!entries.back())
      return Failure{"no function '" + part.entry +
                     "', which the manifest names"};
  }
  if (contents.target != "cuda")
    return {};
  auto *images =
      static_cast<const TesseraGpuImage *>(dlsym(code, "tessera_gpu_images"));
  auto *count =
      static_cast<const int64_t *>(dlsym(code, "tessera_gpu_image_count"));
  if (!images || !count)
    return Failure{"no code for GPUs, though the manifest says target 'cuda'"};
  gpuImages = {images, static_cast<size_t>(*count)};
  return {};
}

Fallible<std::unique_ptr<Program>> Program::load(const std::string &path) {
  auto fail = [&](const std::string &what) {
    return Failure{path + ": " + what};
  };
  Fallible<std::string> text = readElfSection(path, Manifest::section);
  if (!text)
    return text.failure();
  if (Fallible<void> intact = checkIntact(path, *text); !intact)
    return intact.failure();
  uint32_t manifestChecksum = crc32(*text);
  Fallible<std::vector<Manifest>> manifests =
      parseManifests(*std::move(text), TESSERA_ABI_VERSION);
  if (!manifests)
    return fail(manifests.message());
  for (const Manifest &manifest : *manifests)
    if (Fallible<void> fits = checkMachine(manifest); !fits)
      return fail(fits.message());

  bool isAlone = manifests->size() == 1;
  std::unique_ptr<Program> program(new Program(manifests->front()));
  if (!isAlone)
    for (Manifest &manifest : *manifests)
      program->parts.emplace_back(new Program(std::move(manifest)));
  std::vector<const Manifest *> described;
  for (const Program *part : program->entryPoints())
    described.push_back(&part->manifest());
  Fallible<SharedState> shared = SharedState::find(described);
  if (!shared)
    return fail(shared.message());
  program->state = *std::move(shared);
  uint64_t checksum = checksumOf(path, manifestChecksum);
  program->fileChecksum = checksum;
  for (std::unique_ptr<Program> &part : program->parts)
    part->fileChecksum = checksum;
  exposeRuntime();
  // An absolute path, because dlopen looks for bare names in the system.
  std::unique_ptr<char, decltype(&std::free)> absolute(
      realpath(path.c_str(), nullptr), &std::free);
  program->library =
      absolute ? dlopen(absolute.get(), RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (!program->library)
    return fail(std::string("cannot be loaded: ") + dlerror());
  if (Fallible<void> found = program->findCode(program->library); !found)
    return fail(found.message());
  for (std::unique_ptr<Program> &part : program->parts)
    if (Fallible<void> found = part->findCode(program->library); !found)
      return fail(found.message());
  return program;
}
