//===- Program.cpp --------------------------------------------------------===//

#include "Program.h"

#include "CpuFeatures.h"
#include "ElfFile.h"
#include "tessera/Support/Checksum.h"

#include <cstdlib>

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

Fallible<std::unique_ptr<Program>> Program::load(const std::string &path) {
  auto fail = [&](const std::string &what) {
    return Failure{path + ": " + what};
  };
  Fallible<std::string> text = readElfSection(path, Manifest::section);
  if (!text)
    return text.failure();
  if (Fallible<void> intact = checkIntact(path, *text); !intact)
    return intact.failure();
  Fallible<Manifest> manifest =
      parseManifest(*std::move(text), TESSERA_ABI_VERSION);
  if (!manifest)
    return fail(manifest.message());
  if (Fallible<void> fits = checkMachine(*manifest); !fits)
    return fail(fits.message());

  std::unique_ptr<Program> program(new Program(*std::move(manifest)));
  exposeRuntime();
  // An absolute path, because dlopen looks for bare names in the system.
  std::unique_ptr<char, decltype(&std::free)> absolute(
      realpath(path.c_str(), nullptr), &std::free);
  program->library =
      absolute ? dlopen(absolute.get(), RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (!program->library)
    return fail(std::string("cannot be loaded: ") + dlerror());
  for (const ManifestProgram &part : program->contents.programs) {
    program->entries.push_back(reinterpret_cast<TesseraMain>(
        dlsym(program->library, part.entry.c_str())));
    if (!program->entries.back())
      return fail("no function '" + part.entry + "', which the manifest names");
  }
  if (program->contents.target != "cuda")
    return program;
  auto *images = static_cast<const TesseraGpuImage *>(
      dlsym(program->library, "tessera_gpu_images"));
  auto *count = static_cast<const int64_t *>(
      dlsym(program->library, "tessera_gpu_image_count"));
  if (!images || !count)
    return fail("no code for GPUs, though the manifest says target 'cuda'");
  program->gpuImages = {images, static_cast<size_t>(*count)};
  return program;
}
