/*===- CallFrame.h - The C ABI of library routines
-------------------------===*\
|*
|* A routine is a function of C, found by its name in a shared object:
|*
|*   TesseraRoutineError *scale_rows(TesseraCallFrame *frame);
|*
|* It reads operands and parameters and writes results where the frame says, and
|* returns null, or an error made by `frame->api->create_error`. It may be
called
|* by several threads at a time, with different frames.
|*
|* The layout is that of XLA's foreign function interface, version 0.3 (the
|* header xla/ffi/api/c_api.h of jaxlib), so that a handler made for JAX can be
|* called as it is. Of what is left out here, every pointer is to a function
that
|* returns an error.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TESSERA_SUPPORT_CALLFRAME_H
#define TESSERA_SUPPORT_CALLFRAME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Element types. */
enum {
  TESSERA_CALL_BOOL = 1, /* one byte */
  TESSERA_CALL_S8 = 2,
  TESSERA_CALL_S16 = 3,
  TESSERA_CALL_S32 = 4,
  TESSERA_CALL_S64 = 5,
  TESSERA_CALL_U8 = 6,
  TESSERA_CALL_U16 = 7,
  TESSERA_CALL_U32 = 8,
  TESSERA_CALL_U64 = 9,
  TESSERA_CALL_F16 = 10,
  TESSERA_CALL_F32 = 11,
  TESSERA_CALL_F64 = 12,
  TESSERA_CALL_C64 = 15, /* two F32: real part, imaginary part */
  TESSERA_CALL_BF16 = 16,
  TESSERA_CALL_C128 = 18,
};

/** What a parameter is. */
enum {
  TESSERA_CALL_ARRAY = 1,      /* a TesseraCallArray */
  TESSERA_CALL_DICTIONARY = 2, /* a TesseraCallParameters */
  TESSERA_CALL_SCALAR = 3,     /* a TesseraCallScalar */
  TESSERA_CALL_STRING = 4,     /* a TesseraCallText */
};

/** An array: an operand, or memory for a result. Dense, in row-major order
    unless the call says otherwise. */
typedef struct TesseraCallBuffer {
  size_t struct_size;
  void *extension;
  int32_t dtype;
  void *data;
  int64_t rank;
  int64_t *dims; /* rank */
} TesseraCallBuffer;

typedef struct TesseraCallText {
  const char *data; /* not terminated */
  size_t size;
} TesseraCallText;

typedef struct TesseraCallScalar {
  int32_t dtype;
  void *value;
} TesseraCallScalar;

typedef struct TesseraCallArray {
  int32_t dtype;
  size_t size;
  void *data;
} TesseraCallArray;

/** Operands, or results. */
typedef struct TesseraCallBuffers {
  size_t struct_size;
  void *extension;
  int64_t size;
  int32_t *kinds; /* all 1: buffers */
  TesseraCallBuffer **buffers;
} TesseraCallBuffers;

/** Parameters by name, in the order of their names. */
typedef struct TesseraCallParameters {
  size_t struct_size;
  void *extension;
  int64_t size;
  int32_t *kinds;
  TesseraCallText **names;
  void **values;
} TesseraCallParameters;

typedef struct TesseraRoutineError TesseraRoutineError;

/** What `create_error` reads. */
typedef struct TesseraRoutineErrorArguments {
  size_t struct_size;
  void *extension;
  const char *message; /* copied */
  int32_t code;        /* 2: unknown; 3: invalid argument; 13: internal */
} TesseraRoutineErrorArguments;

/** What a routine may call. */
typedef struct TesseraCallApi {
  size_t struct_size;
  void *extension;
  struct {
    size_t struct_size;
    void *extension;
    int32_t major, minor;
  } version;
  const void *internal;
  TesseraRoutineError *(*create_error)(TesseraRoutineErrorArguments *);
  void *others[17];
} TesseraCallApi;

typedef struct TesseraCallFrame {
  size_t struct_size;
  void *extension;
  const TesseraCallApi *api;
  void *context;
  int32_t stage; /* 3: execute */
  TesseraCallBuffers operands;
  TesseraCallBuffers results;
  TesseraCallParameters parameters;
  void *future;
} TesseraCallFrame;

/** A routine. */
typedef TesseraRoutineError *(*TesseraRoutine)(TesseraCallFrame *frame);

#ifdef __cplusplus
}
#endif

#endif /* TESSERA_SUPPORT_CALLFRAME_H */
