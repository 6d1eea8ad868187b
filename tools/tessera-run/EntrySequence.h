//===- EntrySequence.h - Which entry points run, in which order -----------===//

#ifndef TESSERA_TOOLS_TESSERA_RUN_ENTRYSEQUENCE_H
#define TESSERA_TOOLS_TESSERA_RUN_ENTRYSEQUENCE_H

#include "Inputs.h"

namespace tessera::run {

/// The entry points of a program that a run visits, in the order of
/// `--entry=prefill,decode:31`; all of a program's one where that is not given.
/// Arguments of one name are one tensor of the job: it is given once, unless
/// an entry point has made it before the first that reads it.
class EntrySequence {
public:
  /// Those that the options ask for; `program`, a loaded file, must outlive
  /// this. The failure does not begin with the file's path.
  static Fallible<EntrySequence> plan(const TesseraProgram *program,
                                      const Options &options);

  /// An entry point that is visited at least once.
  struct Entry {
    std::string name;
    int32_t number = 0; ///< In the job.
    Slots slots;
    /// By argument: its number among the arguments of all.
    std::vector<size_t> numbers;
    int64_t runs = 0; ///< How often it has run.
  };
  /// Runs of one entry point, one behind the other.
  struct Visit {
    size_t entry; ///< Among `entries`.
    int64_t times;
  };

  /// What the job is to be made of: the file, or the program of the only one.
  const TesseraProgram *program() const { return ofJob; }
  std::vector<Entry> &all() { return entries; }
  const std::vector<Entry> &all() const { return entries; }
  const std::vector<Visit> &visits() const { return order; }
  /// The one whose results are there in the end.
  const Entry &last() const { return entries[order.back().entry]; }
  bool isSeveral() const { return entries.size() > 1; }
  /// The runs of one round of visits.
  int64_t length() const;

  /// The arguments of all, each once, and all results.
  const Slots &slots() const { return together; }

private:
  Fallible<void> read(const TesseraProgram *program, const Options &options);
  void add(Entry &entry);
  void findMade();

  const TesseraProgram *ofJob = nullptr;
  std::vector<Entry> entries;
  std::vector<Visit> order;
  Slots together;
};

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERA_RUN_ENTRYSEQUENCE_H
