/*===- plugin.h - What the Python package and the plugin say to each other
-===*\
|*
|* JAX finds the plugin by `GetPjrtApi`. The package `jax_plugins.tessera` tells
|* it who reads and compiles modules: functions of Python.
|*
\*===----------------------------------------------------------------------===*/

#ifndef TESSERA_RUNTIME_PJRT_PLUGIN_H
#define TESSERA_RUNTIME_PJRT_PLUGIN_H

#include "tessera/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where an answer goes. */
typedef struct TesseraPjrtAnswer TesseraPjrtAnswer;

/** Who compiles. */
typedef struct TesseraPjrtCompiler {
  /** Compiles a module, in a format of PJRT's, under a serialised
      CompileOptionsProto, and answers before it returns. Called by several
      threads at the same time. */
  void (*compile)(const char *module, size_t module_bytes, const char *options,
                  size_t option_bytes, TesseraPjrtAnswer *answer);
  /** Begins a call of a program that calls functions of the host, those with
      this number of its answer; the result answers them until `end`. */
  const TesseraHostCallbacks *(*begin)(int64_t functions, int32_t ranks);
  void (*end)(const TesseraHostCallbacks *callbacks);
} TesseraPjrtCompiler;

/** Keeps a copy. */
TESSERA_EXPORT void
tessera_pjrt_set_compiler(const TesseraPjrtCompiler *compiler);

/** Answers with a JSON object: either `path` of the compiled file, `name`,
    `devices` (by rank), `costs` (an object of numbers), `functions` (a number,
    0 for none), `argument_tokens` and `result_tokens` (places among JAX's
    arguments and results that are no tensors), `shown` (the module as JAX can
    print it, null for the one that was given), `threads` (0 divides the cores)
    and `is_temporary` (whether to remove the file), or an `error` with a
   `code`.
 */
TESSERA_EXPORT void tessera_pjrt_answer(TesseraPjrtAnswer *answer,
                                        const char *json, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* TESSERA_RUNTIME_PJRT_PLUGIN_H */
