/*===- compiler.h - The C interface of the compiler -----------------------===*\
|*
|* libtessera_compiler.so is the compiler as a library: what `tesserac` does, in
|* the process of who asks. Several threads may compile at the same time. No
|* call ends the process, but for tessera_compiler_main. Nothing is printed but
|* what a flag sends to stdout (`-o -`, `--timing=-`), and what LLVM tells
|* stderr of a value that it cannot read in a flag.
|*
|* Libraries of routines that one call names (--custom-calls) may be loaded by
|* the later ones, too.
|*
|* Pointers that are passed in are only read during the call; those that are
|* returned belong to the object that they were asked of. Nothing is thrown.
|*
\*===----------------------------------------------------------------------===*/

#ifndef TESSERA_TOOLS_TESSERAC_COMPILER_H
#define TESSERA_TOOLS_TESSERAC_COMPILER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_COMPILER_EXPORT __attribute__((visibility("default")))

/** What is asked of one compilation. Zero everything, then set `size`. */
typedef struct TesseraCompileRequest {
  /** sizeof(TesseraCompileRequest) of the caller; what a caller of an older
      header does not know of is zero. */
  size_t size;
  /** The model as text, `model_bytes` of it, as in the files that `tesserac`
      reads; NULL if one of `flags` is the path of a file. */
  const char *model;
  size_t model_bytes;
  /** What diagnostics and the manifest call the text; NULL for "model.mlir". */
  const char *name;
  /** Flags of `tesserac`, `flag_count` of them. Refused are those that only
      print something (`--help`, `--inspect`), and those between passes, which
      would hold for the whole process (`--mlir-...`, `--debug-only`). Without
      `-o`, the output is kept in memory. */
  const char *const *flags;
  size_t flag_count;
  /** Asked now and then on the thread of the caller; the compilation fails
      soon after it has returned something else than 0. May be NULL. */
  int32_t (*interrupted)(void *data);
  void *interrupted_data;
} TesseraCompileRequest;

/** What came of a request. */
typedef struct TesseraCompilation TesseraCompilation;

/** Compiles. Never NULL; to be destroyed whatever its status. */
TESSERA_COMPILER_EXPORT TesseraCompilation *
tessera_compile(const TesseraCompileRequest *request);

/** The exit status that `tesserac` would give: 0 for success. */
TESSERA_COMPILER_EXPORT int32_t
tessera_compilation_status(const TesseraCompilation *);

/** What `tesserac` would have printed on stderr, and with `--explain` its
    answer: lines of text, often none. */
TESSERA_COMPILER_EXPORT const char *
tessera_compilation_messages(const TesseraCompilation *);

/** The program, or the IR that `--compile-to` asks for; empty where it is in a
    file, or where there is none. Sets `bytes` to its size; a zero byte stands
    behind it. */
TESSERA_COMPILER_EXPORT const char *
tessera_compilation_output(const TesseraCompilation *, size_t *bytes);

TESSERA_COMPILER_EXPORT void tessera_compilation_destroy(TesseraCompilation *);

/** The release, as "0.1.0". */
TESSERA_COMPILER_EXPORT const char *tessera_compiler_version(void);

/** The tool `tesserac`: prints on stdout and stderr, returns its exit status,
    may end the process. To be called once, by main. */
TESSERA_COMPILER_EXPORT int32_t tessera_compiler_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif /* TESSERA_TOOLS_TESSERAC_COMPILER_H */
