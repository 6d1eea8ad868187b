//===- PlanReader.h - a plan file becomes data ------------------*- C++ -*-===//
#ifndef TESSERA_TRANSFORMS_IMPORT_PLANS_PLANREADER_H
#define TESSERA_TRANSFORMS_IMPORT_PLANS_PLANREADER_H

#include "ShardingPlan.h"

#include "tessera/Support/Yaml.h"

#include "llvm/ADT/StringRef.h"

namespace tessera::importer {

/// Reads the text of a plan file (docs/plans.md). Without a result `error` says
/// what is wrong, and where.
std::optional<ShardingPlan> parsePlan(llvm::StringRef text, TextError &error);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_PLANS_PLANREADER_H
