//===- Library.cpp - the C interface of the compiler ----------------------===//

#include "Flags.h"
#include "compiler.h"

#include "tessera/Support/FileStream.h"

#include "llvm/Support/InitLLVM.h"

#include <cstring>

using namespace tessera;

struct TesseraCompilation {
  ExitStatus status = kDone;
  std::string messages, output;
};

/// Compiles what `request` asks for into `result`.
static ExitStatus compileRequest(const TesseraCompileRequest &request,
                                 TesseraCompilation &result) {
  llvm::raw_string_ostream messages(result.messages);
  CompileOptions options;
  if (!readFlags({request.flags, request.flag_count}, options, messages)) {
    // LLVM reports values that it cannot read on stderr.
    if (result.messages.empty())
      messages << "tesserac: error: expected flags with values of their type\n";
    return kWrongRequest;
  }
  if (bool(request.model) == !options.inputPath.empty()) {
    messages << "tesserac: error: expected either a model or its file\n";
    return kWrongRequest;
  }
  if (options.emitPtx && options.outputPath.empty()) {
    messages << "tesserac: error: --emit=ptx writes files: expected -o FILE\n";
    return kWrongRequest;
  }
  if (request.model) {
    options.inputPath = request.name ? request.name : "model.mlir";
    options.inputText = llvm::StringRef(request.model, request.model_bytes);
  }
  options.messages = &messages;
  if (options.outputPath.empty() && !options.explain)
    options.output = &result.output;
  if (request.interrupted)
    options.interrupted = [&] {
      return request.interrupted(request.interrupted_data) != 0;
    };
  return compile(options);
}

TesseraCompilation *tessera_compile(const TesseraCompileRequest *request) {
  TesseraCompileRequest known = {};
  std::memcpy(&known, request, std::min(request->size, sizeof known));
  auto *result = new TesseraCompilation;
  result->status = compileRequest(known, *result);
  return result;
}

int32_t tessera_compilation_status(const TesseraCompilation *compilation) {
  return compilation->status;
}

const char *
tessera_compilation_messages(const TesseraCompilation *compilation) {
  return compilation->messages.c_str();
}

const char *tessera_compilation_output(const TesseraCompilation *compilation,
                                       size_t *bytes) {
  *bytes = compilation->output.size();
  return compilation->output.c_str();
}

void tessera_compilation_destroy(TesseraCompilation *compilation) {
  delete compilation;
}

const char *tessera_compiler_version() { return kVersion.data(); }

int32_t tessera_compiler_main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  watchStandardStreams("tesserac");
  CompileOptions options;
  if (std::optional<int> status = readCommandLine(argc, argv, options))
    return *status;
  return compile(options);
}
