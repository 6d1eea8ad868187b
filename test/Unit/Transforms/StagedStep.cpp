//===- StagedStep.cpp - Training steps cut into stages --------------------===//

#include "StagedStep.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::test;
using llvm::formatv;

// Types: a weight, a microbatch, the loss.
static constexpr const char *kW = "tensor<4x4xf32>";
static constexpr const char *kX = "tensor<2x4xf32>";
static constexpr const char *kL = "tensor<f32>";

/// `piece(0), piece(1), ...` for all stages.
static std::string join(int32_t count,
                        llvm::function_ref<std::string(int32_t)> piece) {
  std::string all;
  for (int32_t i = 0; i < count; ++i)
    all += (i ? ", " : "") + piece(i);
  return all;
}

static std::string dot(const std::string &a, const std::string &b,
                       int contractA, int contractB, const char *typeA,
                       const char *typeB, const char *type) {
  return formatv("tessera.dot_general {0}, {1} batching = [] x [] contracting "
                 "= [{2}] x [{3}] : ({4}, {5}) -> {6}\n",
                 a, b, contractA, contractB, typeA, typeB, type);
}

/// A tensor type and the attributes of a value at the boundary.
static std::string boundary(const std::string &type, const std::string &global,
                            const std::string &dims, const std::string &name,
                            const std::string &more = "") {
  return formatv("{0} {{tessera.name = \"{1}\", tessera.global_type = {2}, "
                 "tessera.sharding = #tessera.sharding<@mesh, [{3}]>{4}}",
                 type, name, global, dims, more);
}

/// The whole batch, as one device has it and as all have it.
static std::string batchType(const StageSchedule &schedule, int32_t devices) {
  return formatv("tensor<{0}x4xf32>", 2 * devices * schedule.microbatches);
}

void StagedStep::writeSignature() {
  std::string batch = batchType(schedule, 1), whole = batchType(schedule, 2);
  auto weight = [](int32_t s, const std::string &more) {
    return boundary(kW, kW, "{}, {}", formatv("w{0}", s), more);
  };
  os << "tessera.mesh @mesh = <[\"x\"=2]>\nfunc.func @main(%x: "
     << boundary(batch, whole, "{\"x\"}, {}", "x") << ", "
     << join(schedule.stages,
             [&](int32_t s) {
               return formatv("%w{0}: ", s).str() +
                      weight(s, formatv(", tessera.donated = {0} : i32", s));
             })
     << ") -> ("
     << join(schedule.stages, [&](int32_t s) { return weight(s, ""); }) << ", "
     << boundary(kL, kL, "", "loss") << ", "
     << boundary(batch, whole, "{\"x\"}, {}", "y") << ") {\n";
}

void StagedStep::writeStarts() {
  std::string batch = batchType(schedule, 1);
  os << "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
     << "%count = arith.constant " << schedule.microbatches << " : index\n"
     << "%scale = arith.constant dense<3.0> : " << kX << "\n";
  auto start = [&](const std::string &name, int32_t stage,
                   const std::string &type) {
    os << formatv("%{0} = pipe.fragment once stage {1} -> {2} {{\n%0 = "
                  "arith.constant dense<0.0> : {2}\npipe.yield %0 : {2}\n}\n",
                  name, stage, type);
  };
  for (int32_t s = 0; s < schedule.stages; ++s)
    start(formatv("zero{0}", s), s, kW);
  start("start_tied", last(), kW);
  start("start_loss", last(), kL);
  start("start_y", last(), batch);
}

void StagedStep::writeForward(int32_t s) {
  std::string batch = batchType(schedule, 1);
  bool isLast = s == last();
  os << formatv(
      "%f{0}:{1} = pipe.fragment forward stage {0} -> {2}, {2}{3} {{\n", s,
      isLast ? 4 : 2, kX, isLast ? formatv(", {0}, {1}", kL, batch).str() : "");
  if (s == 0 || isLast)
    os << "%two = arith.constant dense<2> : tensor<i32>\n"
          "%first = arith.constant dense<0> : tensor<i32>\n"
          "%row = arith.muli %microbatch, %two : tensor<i32>\n";
  if (s == 0)
    os << "%in = tessera.dynamic_slice %x[%row, %first] : (" << batch
       << ", tensor<i32>, tensor<i32>) -> " << kX << "\n";
  else
    os << formatv("%in = arith.addf %t{0}, {1} : {2}\n", s,
                  isLast && shape.hasSkip ? "%skip" : "%scale", kX);
  os << "%0 = " << dot("%in", formatv("%w{0}", s), 1, 0, kX, kW, kX)
     << "%1 = arith.mulf %0, %scale : " << kX << "\n%2 = math.tanh %1 : " << kX
     << "\n";
  if (isLast)
    os << "%3 = " << dot("%2", "%w0", 1, 1, kX, kW, kX)
       << formatv("%4 = arith.mulf %3, %3 : {0}\n%5 = tessera.reduce sum %4 "
                  "dims = [0, 1] : {0} -> {1}\n%6 = arith.addf %loss, %5 : {1}"
                  "\n%7 = tessera.dynamic_update_slice %y, %3[%row, %first] : "
                  "({2}, {0}, tensor<i32>, tensor<i32>) -> {2}\npipe.yield %2, "
                  "%in, %6, %7 : {0}, {0}, {1}, {2}\n}\n",
                  kX, kL, batch);
  else
    os << formatv("pipe.yield %2, %in : {0}, {0}\n}\n%t{2} = pipe.transfer "
                  "%f{1}#0 from {1} to {2} : {0}\n",
                  kX, s, s + 1);
  if (s == 0 && shape.hasSkip)
    os << formatv("%skip = pipe.transfer %f0#1 from 0 to {0} : {1}\n", last(),
                  kX);
}

void StagedStep::writeBackward(int32_t s) {
  // The gradient of what the stage gives, then of what it multiplied.
  std::string g = s == last() ? "%g" : formatv("%g{0}", s).str();
  std::string body;
  if (s == last())
    body = formatv("%g = arith.addf %f{0}#0, %f{0}#0 : {1}\n", s, kX);
  body += formatv("%0 = arith.mulf {0}, %f{1}#0 : {2}\n%1 = arith.subf {0}, %0 "
                  ": {2}\n",
                  g, s, kX);
  // All of the first stage's backward pass is weight gradient.
  if (s == 0)
    return writeWeightGradient(s, "%1", body);
  os << formatv("%b{0}:2 = pipe.fragment input_gradient stage {0} -> {1}, {1} "
                "{{\n{2}%2 = ",
                s, kX, body)
     << dot("%1", formatv("%w{0}", s), 1, 1, kX, kW, kX)
     << formatv(
            "pipe.yield %2, %1 : {0}, {0}\n}\n%g{2} = pipe.transfer %b{1}#0 "
            "from {1} to {2} : {0}\n",
            kX, s, s - 1);
  writeWeightGradient(s, formatv("%b{0}#1", s), "");
}

void StagedStep::writeWeightGradient(int32_t s, const std::string &gradient,
                                     const std::string &before) {
  std::string in = formatv("%f{0}#1", s), out = formatv("%f{0}#0", s),
              sum = formatv("%d{0}", s);
  auto open = [&](const std::string &name, const std::string &types, int part) {
    os << formatv("{0} = pipe.fragment weight_gradient stage {1} part {2} -> "
                  "{3} {{\n",
                  name, s, shape.hasParts ? part : 0, types);
  };
  if (shape.hasTwoGroups) {
    open(formatv("%h{0}", s), kW, 0);
    os << "%0 = " << dot(in, out, 0, 0, kX, kX, kW)
       << formatv("%1 = arith.addf {0}, %0 : {1}\npipe.yield %1 : {1}\n}\n",
                  sum, kW);
    sum = formatv("%h{0}", s);
  }
  bool isLast = s == last();
  open(formatv("%n{0}{1}", s, isLast ? ":2" : ""),
       isLast ? formatv("{0}, {0}", kW).str() : std::string(kW),
       shape.hasTwoGroups ? 1 : 0);
  os << before << "%5 = " << dot(in, gradient, 0, 0, kX, kX, kW)
     << formatv("%6 = arith.addf %5, {0} : {1}\n", sum, kW);
  if (isLast)
    os << "%7 = " << dot(out, in, 0, 0, kX, kX, kW)
       << formatv("%8 = arith.addf %tied, %7 : {0}\npipe.yield %6, %8 : {0}, "
                  "{0}\n}\n",
                  kW);
  else
    os << formatv("pipe.yield %6 : {0}\n}\n", kW);
}

/// The weights' updates and the loss, and what is returned.
void StagedStep::writeUpdates() {
  int32_t n = schedule.stages;
  os << formatv("%shared = pipe.transfer %sums#{0} from {1} to 0 : {2}\n", n,
                last(), kW);
  for (int32_t s = 0; s < n; ++s) {
    os << formatv("%new{0} = pipe.fragment once stage {0} -> {1} {{\n%0 = "
                  "arith.addf %sums#{0}, {2} : {1}\n",
                  s, kW, s ? formatv("%sums#{0}", s).str() : "%shared")
       << formatv("%1 = spmd.all_reduce sum %0 over <@mesh, [\"x\"]> : {0}\n"
                  "%2 = arith.constant dense<0.05> : {0}\n%3 = arith.mulf %1, "
                  "%2 : {0}\n%4 = arith.subf %w{1}, %3 : {0}\npipe.yield %4 : "
                  "{0}\n}\n",
                  kW, s);
  }
  os << formatv("%total = pipe.fragment once stage {0} -> {1} {{\n%0 = "
                "spmd.all_reduce sum %sums#{2} over <@mesh, [\"x\"]> : {1}\n"
                "pipe.yield %0 : {1}\n}\n",
                last(), kL, n + 1)
     << "return "
     << join(n, [](int32_t s) { return formatv("%new{0}", s).str(); })
     << formatv(", %total, %sums#{0} : ", n + 2)
     << join(n, [](int32_t) { return kW; }) << ", " << kL << ", "
     << batchType(schedule, 1) << "\n}\n";
}

std::string StagedStep::scheduleText() const {
  std::string ranks;
  for (const std::vector<StageTask> &tasks : schedule.ranks) {
    ranks += ranks.empty() ? "\"" : ", \"";
    for (const StageTask &task : tasks)
      ranks += toString(task) + " ";
    ranks += "\"";
  }
  return formatv("#pipe.schedule<\"{0}\", stages = {1}, microbatches = {2}, "
                 "[{3}]>",
                 schedule.name, schedule.stages, schedule.microbatches, ranks);
}

std::string StagedStep::write() {
  int32_t n = schedule.stages;
  writeSignature();
  writeStarts();
  std::string types = join(n + 1, [](int32_t) { return kW; }) + ", " + kL +
                      ", " + batchType(schedule, 1);
  os << formatv(
      "%sums:{0} = scf.for %i = %c0 to %count step %c1 iter_args({1}, "
      "%tied = %start_tied, %loss = %start_loss, %y = %start_y) -> "
      "({2}) {{\n%number = arith.index_cast %i : index to i32\n"
      "%microbatch = tensor.from_elements %number : tensor<i32>\n",
      n + 3,
      join(n, [](int32_t s) { return formatv("%d{0} = %zero{0}", s).str(); }),
      types);
  for (int32_t s = 0; s < n; ++s)
    writeForward(s);
  for (int32_t s = last(); s >= 0; --s)
    writeBackward(s);
  os << "scf.yield "
     << join(last(), [](int32_t s) { return formatv("%n{0}", s).str(); })
     << formatv(", %n{0}#0, %n{0}#1, %f{0}#2, %f{0}#3 : {1}\n} {{pipe.schedule "
                "= {2}}\n",
                last(), types, scheduleText());
  writeUpdates();
  return text;
}
