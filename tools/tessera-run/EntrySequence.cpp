//===- EntrySequence.cpp --------------------------------------------------===//

#include "EntrySequence.h"

#include "tessera/Support/NearestName.h"

#include <algorithm>
#include <numeric>

using namespace tessera;
using namespace tessera::run;

/// The names of the program's entry points, by number.
static std::vector<std::string> namesOf(const TesseraProgram *program) {
  std::vector<std::string> names;
  int32_t count = tessera_program_entry_count(program);
  names.reserve(count);
  for (int32_t i = 0; i < count; ++i)
    names.emplace_back(tessera_program_entry_name(program, i));
  return names;
}

static std::string join(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Notes the entry points that are asked for, and in which order.
Fallible<void> EntrySequence::read(const TesseraProgram *program,
                                   const Options &options) {
  std::vector<std::string> names = namesOf(program);
  if (options.entries.empty()) {
    if (names.size() > 1)
      return Failure{"the program has the entry points " + join(names) +
                     ": say which runs with --entry=NAME"};
    entries.push_back({names.front(), 0, {}, {}, 0});
    order.push_back({0, 1});
    return {};
  }
  for (const EntryRuns &asked : options.entries) {
    auto named = std::ranges::find(names, asked.name);
    if (named == names.end())
      return Failure{"no entry point '" + asked.name + "', there " +
                     (names.size() == 1 ? "is " : "are ") + join(names) +
                     didYouMean(asked.name, names)};
    auto known = std::ranges::find(entries, asked.name, &Entry::name);
    order.push_back(
        {static_cast<size_t>(known - entries.begin()), asked.times});
    if (known == entries.end())
      entries.push_back(
          {asked.name, static_cast<int32_t>(named - names.begin()), {}, {}, 0});
  }
  return {};
}

/// Adds the arguments and results of an entry point to those of all.
void EntrySequence::add(Entry &entry) {
  size_t firstResult = together.results.size();
  for (const TensorSlot &argument : entry.slots.arguments) {
    auto known = argument.name.empty()
                     ? together.arguments.end()
                     : std::ranges::find(together.arguments, argument.name,
                                         &TensorSlot::name);
    entry.numbers.push_back(known - together.arguments.begin());
    if (known == together.arguments.end()) {
      together.arguments.push_back(argument);
      known = std::prev(together.arguments.end());
      known->donatedResult.reset();
    }
    // A name in a file is that of the first result that is called so.
    if (argument.donatedResult && !known->donatedResult)
      known->donatedResult = firstResult + *argument.donatedResult;
  }
  together.results.insert(together.results.end(), entry.slots.results.begin(),
                          entry.slots.results.end());
}

/// Finds what needs no input, because an entry point that is visited first
/// writes it.
void EntrySequence::findMade() {
  std::vector<bool> isRead(together.arguments.size());
  together.isMade.resize(together.arguments.size());
  for (const Visit &visit : order) {
    const Entry &entry = entries[visit.entry];
    for (size_t number : entry.numbers)
      isRead[number] = true;
    for (const TensorSlot &result : entry.slots.results)
      for (size_t i = 0; i < together.arguments.size(); ++i)
        if (!isRead[i] && !result.name.empty() &&
            together.arguments[i].name == result.name)
          together.isMade[i] = true;
  }
}

Fallible<EntrySequence> EntrySequence::plan(const TesseraProgram *program,
                                            const Options &options) {
  EntrySequence sequence;
  if (Fallible<void> known = sequence.read(program, options); !known)
    return known.failure();
  sequence.ofJob = program;
  for (Entry &entry : sequence.entries)
    entry.slots = slotsOf(tessera_program_entry(program, entry.number));
  if (!sequence.isSeveral()) {
    Entry &only = sequence.entries.front();
    sequence.ofJob = tessera_program_entry(program, only.number);
    only.number = 0;
  }
  if (sequence.isSeveral() && (options.profile || options.trace))
    return Failure{"--profile and --trace look at one entry point, got " +
                   std::to_string(sequence.entries.size())};
  for (Entry &entry : sequence.entries)
    sequence.add(entry);
  sequence.findMade();
  return sequence;
}

int64_t EntrySequence::length() const {
  return std::accumulate(
      order.begin(), order.end(), int64_t(0),
      [](int64_t sum, const Visit &visit) { return sum + visit.times; });
}
