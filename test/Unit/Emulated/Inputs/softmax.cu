// The softmax of every row, one block of four warps a row.
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __device__ __attribute__((device))

static __device__ float maximum(float a, float b) { return a > b ? a : b; }

extern "C" __global__ void softmax(const float *in, float *out, int columns) {
  __shared__ float partial[4];
  int thread = __nvvm_read_ptx_sreg_tid_x();
  const float *row = in + (long)__nvvm_read_ptx_sreg_ctaid_x() * columns;
  float *result = out + (long)__nvvm_read_ptx_sreg_ctaid_x() * columns;
  float most = -3.0e38f;
  for (int i = thread; i < columns; i += 128)
    most = maximum(most, row[i]);
  for (int d = 16; d; d >>= 1)
    most = maximum(most, __nvvm_shfl_sync_bfly_f32(~0u, most, d, 31));
  if (thread % 32 == 0)
    partial[thread / 32] = most;
  __syncthreads();
  for (int i = 0; i < 4; ++i)
    most = maximum(most, partial[i]);
  __syncthreads();
  float sum = 0;
  for (int i = thread; i < columns; i += 128)
    sum += __nvvm_ex2_approx_f((row[i] - most) * 1.44269504f);
  for (int d = 16; d; d >>= 1)
    sum += __nvvm_shfl_sync_bfly_f32(~0u, sum, d, 31);
  if (thread % 32 == 0)
    partial[thread / 32] = sum;
  __syncthreads();
  sum = partial[0] + partial[1] + partial[2] + partial[3];
  for (int i = thread; i < columns; i += 128)
    result[i] = __nvvm_ex2_approx_f((row[i] - most) * 1.44269504f) / sum;
}
