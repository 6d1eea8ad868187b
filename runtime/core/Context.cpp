//===- Context.cpp --------------------------------------------------------===//

#include "Context.h"

#include "CollectiveParts.h"
#include "FloatMode.h"
#include "HostCallback.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

using namespace tessera;
using namespace tessera::runtime;

/// More futures than a program has under way at once.
static constexpr int32_t futureLimit = 1 << 20;

/// Of what has none.
static const TesseraSite unknownSite = {"?", "unknown location"};

static thread_local const TesseraContext *threadContext = nullptr;

const TesseraContext *tessera::runtime::contextOfThread() {
  return threadContext;
}

void TesseraContext::enterThread() {
  threadContext = this;
  flushDenormals();
  // Where a handler can run when the thread's own stack has overflowed.
  static thread_local std::byte spareStack[16384];
  stack_t stack = {};
  stack.ss_sp = spareStack;
  stack.ss_size = sizeof spareStack;
  sigaltstack(&stack, nullptr);
}

TesseraContext::Visit::Visit(TesseraContext &context)
    : formerContext(threadContext), formerMode(floatMode()) {
  sigaltstack(nullptr, &formerStack);
  context.enterThread();
}

TesseraContext::Visit::~Visit() {
  sigaltstack(&formerStack, nullptr);
  setFloatMode(formerMode);
  threadContext = formerContext;
}

bool TesseraContext::mustStop() {
  constexpr int64_t interval = 100'000'000;
  if (askInterrupted)
    if (int64_t now = tessera_clock(); now - asked >= interval) {
      asked = now;
      askInterrupted(interruptedData);
    }
  return isInterrupted->load(std::memory_order_relaxed);
}

extern "C" int64_t tessera_clock(void) {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

void TesseraContext::describe(char *buffer, size_t size) const {
  const TesseraSite *where = site;
  const char *verb = "is in";
  switch (activity) {
  case Activity::NotBegun:
    std::snprintf(buffer, size, "has not begun");
    return;
  case Activity::Finished:
    std::snprintf(buffer, size, "has finished");
    return;
  case Activity::Between:
    if (!where) {
      std::snprintf(buffer, size, "has begun");
      return;
    }
    verb = "is after";
    break;
  case Activity::Kernel:
  case Activity::Communication:
    break;
  }
  std::snprintf(buffer, size, "%s %s '%s' at %s", verb, kind.load(),
                where->name, where->location);
}

/// Nanoseconds for which the calling thread has had a core.
static int64_t coreClock() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

TesseraEvent TesseraContext::eventOf(const char *kind, int64_t bytes) {
  TesseraEvent event = {};
  event.kind = kind;
  event.bytes = bytes;
  event.communicator = event.group = event.peer = -1;
  event.busy = -1;
  return event;
}

template <typename Body>
int32_t TesseraContext::perform(Activity what, const char *newKind,
                                const TesseraSite *newSite, TesseraEvent event,
                                Body body) {
  if (mustStop())
    return TESSERA_FAILED;
  site = newSite ? newSite : &unknownSite;
  kind = newKind;
  activity = what;
  bool isTimed = recordsHere();
  bool asksForCore = isTimed && sharesCores && !kernelTimes;
  event.begin = isTimed ? clock() : 0;
  int64_t core = asksForCore ? coreClock() : 0;
  int32_t status = body(*site);
  if (isTimed) {
    event.name = site.load()->name;
    event.location = site.load()->location;
    if (asksForCore)
      event.busy = coreClock() - core;
    event.end = clock();
    events.push_back(event);
  }
  if (status == 0)
    activity = Activity::Between;
  return status;
}

template <typename Body>
int32_t TesseraContext::kernel(void *const *buffers, const TesseraSite *newSite,
                               Body body) {
  return perform(
      Activity::Kernel, "kernel", newSite, eventOf("kernel"),
      [&](const TesseraSite &where) {
        if (kernelTimes) {
          auto time = kernelTimes->find(std::string_view(where.name));
          if (time != kernelTimes->end())
            backend->compute(world, rank, time->second);
          return 0;
        }
        std::vector<Range> read, written;
        if (guards)
          if (int32_t status =
                  judge(guards->splitBuffers(where, buffers, read, written),
                        "kernel", where))
            return status;
        return guarded("kernel", where, std::move(read), std::move(written),
                       [&] { return body(where); });
      });
}

int32_t TesseraContext::launch(TesseraKernel function, void *const *buffers,
                               int64_t extent, int64_t grain,
                               const TesseraSite *newSite) {
  return kernel(buffers, newSite, [&](const TesseraSite &) {
    if (extent > 0)
      pool.launch(function, buffers, extent, grain > 0 ? grain : 1);
    return 0;
  });
}

int32_t TesseraContext::callRoutine(const char *description,
                                    void *const *buffers,
                                    const TesseraSite *newSite) {
  auto call = [&](const TesseraSite &where) -> int32_t {
    std::unique_ptr<RoutineCall> &routine = routines[description];
    if (!routine) {
      Fallible<std::unique_ptr<RoutineCall>> prepared =
          RoutineCall::prepare(description, runtime::callHost);
      if (!prepared)
        return fail("kernel", where, prepared.message());
      routine = std::move(*prepared);
    }
    if (backend->devices)
      return callByDevice(*routine, buffers, where);
    Fallible<void> done = routine->run(buffers, hostCallbacks);
    return done ? TESSERA_OK : fail("kernel", where, done.message());
  };
  return backend->devices ? perform(Activity::Kernel, "kernel", newSite,
                                    eventOf("kernel"), call)
                          : kernel(buffers, newSite, call);
}

int32_t TesseraContext::callByDevice(const RoutineCall &routine,
                                     void *const *buffers,
                                     const TesseraSite &where) {
  int32_t status = TESSERA_OK, taken = 0;
  routine.visitFrame(buffers, hostCallbacks, [&](TesseraCallFrame *frame) {
    status = backend->devices->routine(world, rank, routine.name().c_str(),
                                       frame, &where, &taken);
  });
  return taken || status ? status : callOnHost(routine, buffers, where);
}

/// Memory of the host for every place; results that start from an operand share
/// one with it.
int32_t TesseraContext::callOnHost(const RoutineCall &routine,
                                   void *const *buffers,
                                   const TesseraSite &where) {
  std::span<const size_t> bytes = routine.bytes();
  constexpr size_t alignment = 64;
  std::vector<std::unique_ptr<void, decltype(&std::free)>> memory;
  std::vector<void *> copies;
  for (size_t i = 0; i < bytes.size(); ++i) {
    // A result that starts from an operand is one place with it.
    size_t same = std::find(buffers, buffers + i, buffers[i]) - buffers;
    if (same < i) {
      copies.push_back(copies[same]);
      continue;
    }
    size_t size = (bytes[i] / alignment + 1) * alignment;
    memory.emplace_back(std::aligned_alloc(alignment, size), std::free);
    copies.push_back(memory.back().get());
    if (!copies.back())
      return fail("kernel", where,
                  "no memory for " + std::to_string(size) + " bytes");
    if (i < routine.operands())
      if (int32_t status = backend->devices->download(
              world, rank, buffers[i], copies[i], int64_t(bytes[i])))
        return status;
  }
  if (Fallible<void> done = routine.run(copies.data(), hostCallbacks); !done)
    return fail("kernel", where, done.message());
  for (size_t i = routine.operands(); i < bytes.size(); ++i)
    if (int32_t status = backend->devices->upload(
            world, rank, copies[i], buffers[i], int64_t(bytes[i])))
      return status;
  return TESSERA_OK;
}

int32_t TesseraContext::judge(const MemoryGuards::Problem &problem,
                              const char *what, const TesseraSite &where) {
  return problem ? fail(what, where, *problem) : 0;
}

template <typename Body>
int32_t TesseraContext::guarded(const char *what, const TesseraSite &where,
                                std::vector<Range> read,
                                std::vector<Range> written, Body body) {
  if (!guards)
    return body();
  if (int32_t status = judge(guards->before(read, written), what, where))
    return status;
  if (int32_t status = body())
    return status;
  return judge(guards->after(written, {what, &where}), what, where);
}

int32_t TesseraContext::guardedCollective(const TesseraCollective &call,
                                          const char *name) {
  std::vector<Range> read, written;
  if (guards)
    for (const TesseraCollective &part : partsOf(call)) {
      read.emplace_back(part.in, operandBytes(part));
      written.emplace_back(part.out, resultBytes(part));
    }
  auto begin = [&] { return backend->collective(world, &call); };
  if (!guards || call.future == -1)
    return guarded(name, *call.site, std::move(read), std::move(written),
                   begin);
  if (int32_t status =
          judge(guards->start(call.future, read, written, {name, call.site}),
                name, *call.site))
    return status;
  return begin();
}

int32_t TesseraContext::copy(const void *source, void *target, int64_t bytes,
                             const TesseraSite *where) {
  if (backend->devices)
    return backend->devices->copy(world, rank, source, target, bytes);
  if (kernelTimes)
    return 0;
  return guarded("copy", *where, {{source, bytes}}, {{target, bytes}}, [&] {
    std::memcpy(target, source, bytes);
    return 0;
  });
}

int32_t TesseraContext::write(const void *host, void *target, int64_t bytes) {
  if (backend->devices)
    return backend->devices->write(world, rank, host, target, bytes);
  static const TesseraSite scalar = {"scalar", "unknown location"};
  return guarded("write", scalar, {}, {{target, bytes}}, [&] {
    std::memcpy(target, host, bytes);
    return 0;
  });
}

int32_t TesseraContext::launchGrid(const TesseraGpuKernel *kernel,
                                   void *const *buffers,
                                   const TesseraSite *newSite) {
  return perform(Activity::Kernel, "kernel", newSite, eventOf("kernel"),
                 [&](const TesseraSite &where) {
                   return backend->devices->launch(world, rank, kernel, buffers,
                                                   &where);
                 });
}

int32_t TesseraContext::fail(const char *failedKind, const TesseraSite &where,
                             const std::string &what) {
  backend->fail(world,
                ("rank " + std::to_string(rank) + ": " + failedKind + " '" +
                 where.name + "' at " + where.location + ": " + what)
                    .c_str());
  return TESSERA_FAILED;
}

std::string TesseraContext::setGroup(TesseraCollective &call,
                                     int32_t communicator) const {
  if (communicator < 0 || communicator >= static_cast<int32_t>(groups.size()))
    return "the model has no communicator " + std::to_string(communicator);
  call.group = &groups[communicator];
  if (!combined)
    return "";
  if (call.future != -1)
    return "expected no future within a combined call, got " +
           std::to_string(call.future);
  bool fits = combined->empty() || (combined->front().kind == call.kind &&
                                    combined->front().group == call.group);
  return fits ? ""
              : "expected collectives of one kind and group in a combined call";
}

int32_t TesseraContext::collective(TesseraCollective call, int32_t communicator,
                                   const TesseraSite *newSite) {
  std::string mistake = setGroup(call, communicator);
  if (!combined || !mistake.empty())
    return communicate(call, mistake, newSite);
  call.site = newSite ? newSite : &unknownSite;
  combined->push_back(call);
  return TESSERA_OK;
}

int32_t TesseraContext::beginCombined() {
  if (combined)
    return fail("combined", site ? *site : unknownSite,
                "expected no combined call within another");
  combined.emplace();
  return TESSERA_OK;
}

int32_t TesseraContext::endCombined(int32_t number,
                                    const TesseraSite *newSite) {
  auto parts = std::exchange(combined, std::nullopt)
                   .value_or(std::vector<TesseraCollective>());
  if (parts.empty())
    return fail("combined", newSite ? *newSite : unknownSite,
                "expected collectives in a combined call");
  TesseraCollective call = parts.front();
  call.future = number;
  call.part_count = static_cast<int32_t>(parts.size());
  call.parts = parts.data();
  // They stay as long as the back end may look at them.
  if (Future *future = findFuture(number); future && !future->kind)
    future->parts = std::move(parts);
  return communicate(call, "", newSite);
}

/// Checks the call's future, lets the back end do or start it, and records what
/// it was: of a call that is started an event for the start, and one that its
/// wait ends.
int32_t TesseraContext::communicate(TesseraCollective &call,
                                    const std::string &mistake,
                                    const TesseraSite *newSite) {
  const char *name = collectiveInfo(call.kind).name;
  int64_t bytes = call.group ? callBytes(call) : 0;
  Future *future = call.future == -1 ? nullptr : findFuture(call.future);
  auto begin = [&](const TesseraSite &where) -> int32_t {
    if (!mistake.empty())
      return fail(name, where, mistake);
    if (call.future != -1 && (!future || future->kind))
      return fail(name, where,
                  "expected a future that is free, got " +
                      std::to_string(call.future));
    call.site = &where;
    return guardedCollective(call, name);
  };
  TesseraEvent event = eventOf(future ? "start" : name, future ? 0 : bytes);
  if (call.group && recordsHere()) {
    event.communicator = call.group->communicator;
    event.group = call.group->index;
    event.number = numbers.ofCollective(event.communicator);
  }
  int32_t status =
      perform(Activity::Communication, name, newSite, event, begin);
  if (status == 0 && future) {
    *future = {name, site, events.size(), std::move(future->parts), {}};
    if (recordsHere()) {
      event = events.back();
      event.kind = name;
      event.bytes = bytes;
      event.background = 1;
      events.push_back(event);
    }
  }
  return status;
}

TesseraContext::Future *TesseraContext::findFuture(int32_t number) {
  if (number < 0 || number >= futureLimit)
    return nullptr;
  if (static_cast<size_t>(number) >= futures.size())
    futures.resize(number + 1);
  return &futures[number];
}

bool TesseraContext::beginCommunication(const char *name,
                                        const TesseraSite *where) {
  if (mustStop())
    return false;
  site = where ? where : &unknownSite;
  kind = name;
  activity = Activity::Communication;
  return true;
}

int32_t TesseraContext::wait(int32_t number, const TesseraSite *newSite) {
  Future *future = findFuture(number);
  if (future && future->copy)
    return finishHostCopy(number, std::exchange(*future, {}), newSite);
  const char *name = future && future->kind ? future->kind : "wait";
  auto finish = [&](const TesseraSite &where) -> int32_t {
    if (!future || !future->kind)
      return fail(name, where,
                  "no collective was started with the future " +
                      std::to_string(number));
    Future started = std::exchange(*future, {});
    int64_t completed = 0;
    int32_t status = backend->wait(world, rank, number,
                                   recordsHere() ? &completed : nullptr);
    if (recordsHere())
      events[started.event].end = completed;
    if (status == 0 && guards)
      return judge(guards->wait(number), name, where);
    return status;
  };
  TesseraEvent event = eventOf("wait");
  if (recordsHere() && future && future->kind) {
    const TesseraEvent &started = events[future->event];
    event.communicator = started.communicator;
    event.group = started.group;
    event.number = started.number;
  }
  return perform(Activity::Communication, name, newSite, event, finish);
}

int32_t TesseraContext::endStep(std::span<void *const> results) {
  for (const Future &future : futures)
    if (future.kind)
      return fail(future.kind, *future.site,
                  "was started, and nobody has waited for it");
  static const TesseraSite end = {"end", "unknown location"};
  return guards ? judge(guards->endStep(results), "step", site ? *site : end)
                : 0;
}

template <typename Body>
int32_t TesseraContext::message(const char *messageKind, int32_t peer,
                                TesseraMessage message, Body body) {
  bool exists = peer >= 0 && peer < pipelineRanks;
  // The rank that stands where this one does, on the other pipeline rank.
  int32_t other = exists ? peer * meshRanks + rank % meshRanks : -1;
  (message.source == rank ? message.target : message.source) = other;
  TesseraEvent event = eventOf(messageKind, message.bytes);
  if (exists && recordsHere()) {
    event.peer = other;
    event.tag = message.tag;
    event.number =
        numbers.ofMessage(message.source, message.target, message.tag);
  }
  return perform(Activity::Communication, messageKind, message.site, event,
                 [&](const TesseraSite &where) -> int32_t {
                   if (!exists)
                     return fail(messageKind, where,
                                 "the model has no pipeline rank " +
                                     std::to_string(peer));
                   message.site = &where;
                   return body(message);
                 });
}

int32_t TesseraContext::send(const void *in, int64_t bytes, int32_t peer,
                             int64_t tag, const TesseraSite *newSite) {
  return message("send", peer, {rank, -1, tag, bytes, newSite},
                 [&](const TesseraMessage &message) {
                   return guarded(
                       "send", *message.site, {{in, bytes}}, {},
                       [&] { return backend->send(world, &message, in); });
                 });
}

int32_t TesseraContext::recv(void *out, int64_t bytes, int32_t peer,
                             int64_t tag, const TesseraSite *newSite) {
  return message("recv", peer, {-1, rank, tag, bytes, newSite},
                 [&](const TesseraMessage &message) {
                   return guarded(
                       "recv", *message.site, {}, {{out, bytes}},
                       [&] { return backend->recv(world, &message, out); });
                 });
}

void TesseraContext::beginTask(const TesseraSite *newSite) {
  if (record && backend->devices)
    backend->devices->begin_task(world, rank, newSite);
  if (!recordsHere())
    return;
  task = static_cast<int64_t>(events.size());
  TesseraEvent event = eventOf("task");
  event.name = newSite->name;
  event.location = newSite->location;
  event.begin = clock();
  events.push_back(event);
}

void TesseraContext::endTask() {
  if (record && backend->devices)
    backend->devices->end_task(world, rank);
  if (task >= 0)
    events[task].end = clock();
  task = -1;
}
