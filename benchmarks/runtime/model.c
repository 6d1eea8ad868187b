/* A model written by hand that times the runtime's calls: collectives over all
   ranks of its mesh, and launches of kernels. Rank 0 prints. */

#include "tessera/runtime.h"

#include <stdio.h>

__asm__(".section .tessera.manifest,\"a\"\n.incbin \"" MANIFEST "\"\n.text\n");

enum { MEBIBYTE = 1 << 20 };

typedef int32_t (*Call)(TesseraContext *, char *arena, int64_t bytes,
                        const TesseraSite *);

static int32_t allReduce(TesseraContext *context, char *arena, int64_t bytes,
                         const TesseraSite *site) {
  return tessera_rt_all_reduce(context, arena, arena, bytes / 4, TESSERA_F32,
                               TESSERA_SUM, 0, -1, site);
}

static int32_t allGather(TesseraContext *context, char *arena, int64_t bytes,
                         const TesseraSite *site) {
  return tessera_rt_all_gather(context, arena, arena + 8 * MEBIBYTE,
                               bytes / RANKS, 0, -1, site);
}

static int32_t reduceScatter(TesseraContext *context, char *arena,
                             int64_t bytes, const TesseraSite *site) {
  return tessera_rt_reduce_scatter(context, arena, arena + 8 * MEBIBYTE,
                                   bytes / 4 / RANKS, TESSERA_F32, TESSERA_SUM,
                                   0, -1, site);
}

static int32_t measureCollective(TesseraContext *context, char *arena,
                                 const char *name, Call call) {
  static const TesseraSite site = {"measured", "model.c"};
  static const int64_t sizes[] = {4, 4096, 65536, MEBIBYTE, 8 * MEBIBYTE};
  for (int i = 0; i < 5; ++i) {
    int64_t bytes = sizes[i] < 4 * RANKS ? 4 * RANKS : sizes[i];
    int64_t times = 1 + 200 * MEBIBYTE / (bytes + 100000);
    int64_t best = INT64_MAX;
    for (int round = 0; round < 5; ++round) {
      int64_t begin = tessera_clock();
      for (int64_t j = 0; j < times; ++j) {
        int32_t status = call(context, arena, bytes, &site);
        if (status)
          return status;
      }
      int64_t time = (tessera_clock() - begin) / times;
      best = time < best ? time : best;
    }
    if (tessera_rt_axis_index(context, 0) == 0)
      printf("%-15s %8lld bytes %10.1f us\n", name, (long long)bytes,
             1e-3 * best);
  }
  return 0;
}

static void nothing(void *const *buffers, int64_t begin, int64_t end) {}

static void measureLaunches(TesseraContext *context, const char *name,
                            int64_t extent) {
  static const TesseraSite site = {"nothing", "model.c"};
  int64_t best = INT64_MAX, times = 10000;
  for (int round = 0; round < 5; ++round) {
    int64_t begin = tessera_clock();
    for (int64_t j = 0; j < times; ++j)
      tessera_rt_launch(context, nothing, NULL, extent, 1, &site);
    int64_t time = tessera_clock() - begin;
    best = time < best ? time : best;
  }
  if (tessera_rt_axis_index(context, 0) == 0)
    printf("%-30s %10.3f us\n", name, 1e-3 * best / times);
}

int32_t tessera_main(TesseraContext *context, void *const *arguments,
                     void *const *results, void *arena) {
  int32_t status = 0;
  if (!status)
    status = measureCollective(context, arena, "all_reduce", allReduce);
  if (!status)
    status = measureCollective(context, arena, "all_gather", allGather);
  if (!status)
    status = measureCollective(context, arena, "reduce_scatter", reduceScatter);
  measureLaunches(context, "launch of one iteration", 1);
  measureLaunches(context, "launch of 64 empty iterations", 64);
  return status;
}
