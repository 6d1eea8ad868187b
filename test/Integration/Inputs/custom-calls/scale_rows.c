/* Multiplies every row by a factor, and counts the negative elements of it. */
#include "tessera/Support/CallFrame.h"
#include <string.h>

static TesseraRoutineError *refuse(TesseraCallFrame *frame, const char *why) {
  TesseraRoutineErrorArguments error = {sizeof(error), 0, why, 3};
  return frame->api->create_error(&error);
}

TesseraRoutineError *scale_rows(TesseraCallFrame *frame) {
  const TesseraCallBuffer *x = frame->operands.buffers[0];
  const TesseraCallBuffer *factors = frame->operands.buffers[1];
  float *scaled = frame->results.buffers[0]->data;
  int32_t *negative = frame->results.buffers[1]->data;
  float more = 0;
  for (int64_t i = 0; i < frame->parameters.size; ++i)
    if (strncmp(frame->parameters.names[i]->data, "more", 4) == 0)
      more = *(float *)((TesseraCallScalar *)frame->parameters.values[i])->value;
  if (x->rank != 2 || x->dtype != TESSERA_CALL_F32)
    return refuse(frame, "expected rows of f32");
  if (more < 0)
    return refuse(frame, "expected a factor of at least 0");
  for (int64_t row = 0; row < x->dims[0]; ++row) {
    negative[row] = 0;
    for (int64_t i = 0; i < x->dims[1]; ++i) {
      float element = ((float *)x->data)[row * x->dims[1] + i];
      negative[row] += element < 0;
      scaled[row * x->dims[1] + i] =
          element * (((float *)factors->data)[row] + more);
    }
  }
  return 0;
}

/* What a sum over all rows takes: parts of it add up. */
TesseraRoutineError *sum_rows(TesseraCallFrame *frame) {
  const TesseraCallBuffer *x = frame->operands.buffers[0];
  float *sum = frame->results.buffers[0]->data;
  memset(sum, 0, x->dims[1] * sizeof(float));
  for (int64_t row = 0; row < x->dims[0]; ++row)
    for (int64_t i = 0; i < x->dims[1]; ++i)
      sum[i] += ((float *)x->data)[row * x->dims[1] + i];
  return 0;
}

/* Zeros count, too. */
TesseraRoutineError *count_rows(TesseraCallFrame *frame) {
  const TesseraCallBuffer *x = frame->operands.buffers[0];
  float *count = frame->results.buffers[0]->data;
  for (int64_t i = 0; i < x->dims[1]; ++i) {
    count[i] = 0;
    for (int64_t row = 0; row < x->dims[0]; ++row)
      count[i] += ((float *)x->data)[row * x->dims[1] + i] < 0.5f;
  }
  return 0;
}
