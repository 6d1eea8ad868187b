//===- Calls.cpp - The functions that compiled models call ----------------===//

#include "Context.h"

#include "tessera/Support/Collective.h"

using namespace tessera;

static_assert(TESSERA_ALL_REDUCE == int(CollectiveKind::AllReduce) &&
              TESSERA_ALL_GATHER == int(CollectiveKind::AllGather) &&
              TESSERA_REDUCE_SCATTER == int(CollectiveKind::ReduceScatter) &&
              TESSERA_ALL_TO_ALL == int(CollectiveKind::AllToAll) &&
              TESSERA_PERMUTE == int(CollectiveKind::Permute) &&
              TESSERA_BROADCAST == int(CollectiveKind::Broadcast));

/// A collective of `count` elements; bytes, where they only move.
static TesseraCollective callOf(CollectiveKind kind, const void *in, void *out,
                                int64_t count, int32_t future,
                                int32_t dtype = TESSERA_U8,
                                int32_t reduction = 0) {
  TesseraCollective call = {};
  call.kind = int32_t(kind);
  call.in = in;
  call.out = out;
  call.count = count;
  call.dtype = dtype;
  call.reduction = reduction;
  call.future = future;
  return call;
}

extern "C" {

int32_t tessera_rt_launch(TesseraContext *context, TesseraKernel kernel,
                          void *const *buffers, int64_t extent, int64_t grain,
                          const TesseraSite *site) {
  return context->launch(kernel, buffers, extent, grain, site);
}

int32_t tessera_rt_call_routine(TesseraContext *context,
                                const char *description, void *const *buffers,
                                const TesseraSite *site) {
  return context->callRoutine(description, buffers, site);
}

int32_t tessera_rt_launch_grid(TesseraContext *context,
                               const TesseraGpuKernel *kernel,
                               void *const *buffers, const TesseraSite *site) {
  return context->launchGrid(kernel, buffers, site);
}

int32_t tessera_rt_copy(TesseraContext *context, const void *source,
                        void *target, int64_t bytes, const TesseraSite *site) {
  return context->copy(source, target, bytes, site);
}

int32_t tessera_rt_offload(TesseraContext *context, const void *source,
                           int64_t offset, int64_t bytes, int32_t future,
                           const TesseraSite *site) {
  return context->offload(source, offset, bytes, future, site);
}

int32_t tessera_rt_reload(TesseraContext *context, int64_t offset, void *target,
                          int64_t bytes, int32_t future,
                          const TesseraSite *site) {
  return context->reload(offset, target, bytes, future, site);
}

int32_t tessera_rt_read(TesseraContext *context, const void *source, void *host,
                        int64_t bytes) {
  return context->backend->devices->read(context->world, context->rank, source,
                                         host, bytes);
}

int32_t tessera_rt_write(TesseraContext *context, const void *host,
                         void *target, int64_t bytes) {
  return context->write(host, target, bytes);
}

int32_t tessera_rt_all_reduce(TesseraContext *context, const void *in,
                              void *out, int64_t count, int32_t dtype,
                              int32_t reduction, int32_t communicator,
                              int32_t future, const TesseraSite *site) {
  return context->collective(callOf(CollectiveKind::AllReduce, in, out, count,
                                    future, dtype, reduction),
                             communicator, site);
}

int32_t tessera_rt_all_gather(TesseraContext *context, const void *in,
                              void *out, int64_t bytes, int32_t communicator,
                              int32_t future, const TesseraSite *site) {
  return context->collective(
      callOf(CollectiveKind::AllGather, in, out, bytes, future), communicator,
      site);
}

int32_t tessera_rt_reduce_scatter(TesseraContext *context, const void *in,
                                  void *out, int64_t count, int32_t dtype,
                                  int32_t reduction, int32_t communicator,
                                  int32_t future, const TesseraSite *site) {
  return context->collective(callOf(CollectiveKind::ReduceScatter, in, out,
                                    count, future, dtype, reduction),
                             communicator, site);
}

int32_t tessera_rt_all_to_all(TesseraContext *context, const void *in,
                              void *out, int64_t bytes, int32_t communicator,
                              int32_t future, const TesseraSite *site) {
  return context->collective(
      callOf(CollectiveKind::AllToAll, in, out, bytes, future), communicator,
      site);
}

int32_t tessera_rt_permute(TesseraContext *context, const void *in, void *out,
                           int64_t bytes, const int32_t *targets,
                           int32_t communicator, int32_t future,
                           const TesseraSite *site) {
  TesseraCollective call =
      callOf(CollectiveKind::Permute, in, out, bytes, future);
  call.targets = targets;
  return context->collective(call, communicator, site);
}

int32_t tessera_rt_broadcast(TesseraContext *context, const void *in, void *out,
                             int64_t bytes, int32_t root, int32_t communicator,
                             int32_t future, const TesseraSite *site) {
  TesseraCollective call =
      callOf(CollectiveKind::Broadcast, in, out, bytes, future);
  call.root = root;
  return context->collective(call, communicator, site);
}

int32_t tessera_rt_begin_combined(TesseraContext *context) {
  return context->beginCombined();
}

int32_t tessera_rt_end_combined(TesseraContext *context, int32_t future,
                                const TesseraSite *site) {
  return context->endCombined(future, site);
}

int32_t tessera_rt_wait(TesseraContext *context, int32_t future,
                        const TesseraSite *site) {
  return context->wait(future, site);
}

int64_t tessera_rt_axis_index(TesseraContext *context, int32_t communicator) {
  bool isKnown = communicator >= 0 &&
                 communicator < static_cast<int32_t>(context->groups.size());
  return isKnown ? context->groups[communicator].position : -1;
}

int32_t tessera_rt_send(TesseraContext *context, const void *in, int64_t bytes,
                        int32_t rank, int64_t tag, const TesseraSite *site) {
  return context->send(in, bytes, rank, tag, site);
}

int32_t tessera_rt_recv(TesseraContext *context, void *out, int64_t bytes,
                        int32_t rank, int64_t tag, const TesseraSite *site) {
  return context->recv(out, bytes, rank, tag, site);
}

int32_t tessera_rt_begin_task(TesseraContext *context,
                              const TesseraSite *site) {
  context->beginTask(site);
  return 0;
}

int32_t tessera_rt_end_task(TesseraContext *context) {
  context->endTask();
  return 0;
}

} // extern "C"
