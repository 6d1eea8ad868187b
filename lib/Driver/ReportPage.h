//===- ReportPage.h - what was decided, for people to look at -------------===//
#ifndef TESSERA_DRIVER_REPORTPAGE_H
#define TESSERA_DRIVER_REPORTPAGE_H

#include "tessera/Simulator/Chart.h"
#include "tessera/Transforms/Stage/Schedule/PredictedStep.h"

#include "llvm/Support/JSON.h"

namespace tessera {

/// Writes `report`, as `makeReport` makes it, as one page of HTML that is also
/// well-formed XML and needs nothing from elsewhere, with a picture of `step`.
void writeHTML(const llvm::json::Object &report,
               const stage::PredictedStep *predicted, const Chart &step,
               llvm::raw_ostream &os);

} // namespace tessera

#endif // TESSERA_DRIVER_REPORTPAGE_H
