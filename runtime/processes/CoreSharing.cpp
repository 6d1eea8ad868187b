//===- CoreSharing.cpp ----------------------------------------------------===//

#include "CoreSharing.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>

#include <sched.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::processes;

/// More than any text that ranks exchange.
static constexpr size_t textSize = 256;

std::string processes::machineName() {
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  char space[64] = "";
  if (readlink("/proc/self/ns/net", space, sizeof space - 1) < 0)
    space[0] = '\0';
  return boot + " " + space;
}

Fallible<std::vector<std::string>>
processes::exchangeTexts(RankHost &host, int32_t rank, int32_t ranks,
                         const std::string &own) {
  static const TesseraSite site = {"address", "the start"};
  // Fixed sizes: rank 0 receives from all, and sends all.
  std::vector<char> all(textSize * ranks);
  std::snprintf(&all[textSize * rank], textSize, "%s", own.c_str());
  auto size = static_cast<int64_t>(all.size());
  auto fail = [&] { return Failure{host.error()}; };
  if (rank != 0) {
    TesseraMessage up = {rank, 0, note::address, textSize, &site};
    TesseraMessage down = {0, rank, note::address, size, &site};
    if (host.send(up, &all[textSize * rank]) || host.recv(down, all.data()))
      return fail();
  } else {
    for (int32_t other = 1; other < ranks; ++other)
      if (host.recv({other, 0, note::address, textSize, &site},
                    &all[textSize * other]))
        return fail();
    for (int32_t other = 1; other < ranks; ++other)
      if (host.send({0, other, note::address, size, &site}, all.data()))
        return fail();
  }
  std::vector<std::string> texts;
  for (int32_t i = 0; i < ranks; ++i) {
    all[textSize * (i + 1) - 1] = '\0';
    texts.emplace_back(&all[textSize * i]);
  }
  return texts;
}

Fallible<int32_t> processes::countSharingRanks(RankHost &host, int32_t rank,
                                               int32_t ranks) {
  std::string boot, cores;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  cpu_set_t set;
  int32_t count = 1;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    count = CPU_COUNT(&set);
    uint64_t hash = 0xcbf29ce484222325;
    for (int i = 0; i < CPU_SETSIZE; ++i)
      hash = (hash ^ (CPU_ISSET(i, &set) ? 1 : 0)) * 0x100000001b3;
    cores = std::to_string(hash);
  }
  std::string own = boot + " " + cores;
  auto texts = exchangeTexts(host, rank, ranks, own);
  if (!texts)
    return texts.failure();
  auto here = static_cast<int32_t>(std::ranges::count_if(
      *texts, [&](const std::string &text) { return text.starts_with(boot); }));
  long present = sysconf(_SC_NPROCESSORS_ONLN);
  if (rank == 0 && count == 1 && present > here)
    std::fprintf(stderr,
                 "%s: warning: the launcher binds rank 0 to 1 of %ld cores, "
                 "which its computing and its communication share; mpirun has "
                 "--bind-to none, srun --cpu-bind=none\n",
                 program_invocation_short_name, present);
  return static_cast<int32_t>(std::ranges::count(*texts, own));
}
