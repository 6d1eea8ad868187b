//===- CollectiveNotes.cpp ------------------------------------------------===//

#include "CollectiveNotes.h"

#include "../core/CollectiveParts.h"
#include "../local/Agreement.h"

#include <algorithm>
#include <cstring>

using namespace tessera;
using namespace tessera::gpu;

static const TesseraSite waitSite = {"collectives",
                                     "the end of the first step"};

namespace {
/// What a note begins with.
struct Fixed {
  int64_t count;
  int32_t kind, dtype, reduction, root;
  char name[56], location[104];
};
} // namespace

static size_t bytesOf(size_t members) {
  return sizeof(Fixed) + members * sizeof(int32_t);
}

int32_t CollectiveNotes::tell(const TesseraCollective &call) {
  for (const TesseraCollective &part : runtime::partsOf(call))
    if (int32_t status = tellPart(part))
      return status;
  return TESSERA_OK;
}

int32_t CollectiveNotes::tellPart(const TesseraCollective &call) {
  const TesseraGroup &group = *call.group;
  if (group.size == 1)
    return TESSERA_OK;
  Fixed fixed = {};
  fixed.count = call.count;
  fixed.kind = call.kind;
  fixed.dtype = call.dtype;
  fixed.reduction = call.reduction;
  fixed.root = call.root;
  std::strncpy(fixed.name, call.site->name, sizeof fixed.name - 1);
  std::strncpy(fixed.location, call.site->location, sizeof fixed.location - 1);
  Note note(bytesOf(group.size));
  std::memcpy(note.data(), &fixed, sizeof fixed);
  if (call.kind == TESSERA_PERMUTE)
    std::memcpy(note.data() + sizeof fixed, call.targets,
                group.size * sizeof(int32_t));
  if (group.position != 0)
    return host.send({rank, group.members[0],
                      note::collective + group.communicator,
                      static_cast<int64_t>(note.size()), call.site},
                     note.data());
  Calls &calls = communicators[group.communicator];
  calls.members.assign(group.members, group.members + group.size);
  calls.told.resize(group.size);
  calls.own.push_back(std::move(note));
  return TESSERA_OK;
}

int32_t CollectiveNotes::compare(const Calls &calls, int32_t member,
                                 const Note &own, const Note &theirs) {
  if (own == theirs)
    return TESSERA_OK;
  Fixed fixed[2];
  TesseraSite sites[2];
  TesseraGroup groups[2];
  std::vector<int32_t> targets[2];
  TesseraCollective both[2] = {};
  for (int i = 0; i < 2; ++i) {
    const Note &note = i == 0 ? own : theirs;
    auto size = static_cast<int32_t>(calls.members.size());
    std::memcpy(&fixed[i], note.data(), sizeof fixed[i]);
    targets[i].resize(size);
    std::memcpy(targets[i].data(), note.data() + sizeof fixed[i],
                size * sizeof(int32_t));
    sites[i] = {fixed[i].name, fixed[i].location};
    groups[i] = {-1, 0, size, calls.members.data(), i == 0 ? 0 : member};
    both[i].kind = fixed[i].kind;
    both[i].dtype = fixed[i].dtype;
    both[i].reduction = fixed[i].reduction;
    both[i].root = fixed[i].root;
    both[i].count = fixed[i].count;
    both[i].targets = targets[i].data();
    both[i].site = &sites[i];
    both[i].group = &groups[i];
  }
  auto mistake = runtime::findDisagreement(both);
  if (!mistake)
    return TESSERA_OK; // Other lines of the model for the same.
  host.fail(*mistake);
  return TESSERA_FAILED;
}

int32_t CollectiveNotes::compare(bool all) {
  for (auto &[communicator, calls] : communicators) {
    size_t end = calls.first + calls.own.size(), behind = end;
    for (size_t member = 1; member < calls.members.size(); ++member) {
      Note theirs(bytesOf(calls.members.size()));
      TesseraMessage note = {calls.members[member], rank,
                             note::collective + communicator,
                             static_cast<int64_t>(theirs.size()), &waitSite};
      size_t &told = calls.told[member];
      for (; told < end; ++told) {
        if (!host.take(note, theirs.data())) {
          if (!all)
            break;
          if (int32_t status = host.recv(note, theirs.data()))
            return status;
        }
        if (int32_t status = compare(calls, static_cast<int32_t>(member),
                                     calls.own[told - calls.first], theirs))
          return status;
      }
      behind = std::min(behind, told);
    }
    for (; calls.first < behind; ++calls.first)
      calls.own.pop_front();
  }
  return TESSERA_OK;
}
