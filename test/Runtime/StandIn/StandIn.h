//===- StandIn.h - What stands in for NVIDIA's libraries in tests ---------===//
//
// One shared object that the back end `cuda` finds as libcuda.so.1,
// libnccl.so.2 and libcublasLt.so.13. The driver and cuBLASLt are those of the
// emulator; NCCL passes files between processes. Variables:
//
//   TESSERA_STANDIN_DEVICES  how many GPUs there are (1)
//   TESSERA_STANDIN_FOLDER   where processes leave files for each other
//   TESSERA_STANDIN_LOG      a file that gets a line for each call
//   TESSERA_STANDIN_FAIL     `ncclAllReduce=2`: that function returns 2
//   TESSERA_STANDIN_HANG     `ncclAllReduce`: what it asks for never ends;
//                            `ncclAllReduce@3`: from the third time on that the
//                            device comes to such a thing
//   TESSERA_STANDIN_SPOIL    `ncclAllReduce`: gives a wrong value
//   TESSERA_STANDIN_DELAY    `cuModuleLoadDataEx=3`: takes 3 seconds
//   TESSERA_STANDIN_ERROR    `6`: what NCCL says it has noticed
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_RUNTIME_STANDIN_STANDIN_H
#define TESSERA_TEST_RUNTIME_STANDIN_STANDIN_H

#include "../../../runtime/gpu/CublasLt.h"
#include "../../../runtime/gpu/Nccl.h"

#include <string>

namespace tessera::standin {

/// Writes a line to the log.
void log(const std::string &line);

/// The result that the function is to return instead of working; 0 if it is to
/// work.
int injectedResult(const std::string &function);

/// Whether what the function asks for is never to end, when the device comes to
/// such a thing for the n-th time.
bool hangs(const std::string &function, int n);

/// Whether the function is to give a wrong value.
bool spoils(const std::string &function);

/// Seconds that the function is to take longer.
double delayOf(const std::string &function);

/// NCCL between processes.
const gpu::Nccl &fileNccl();

/// The emulator's cuBLASLt, which logs what it is told.
const gpu::CublasLt &loggedCublasLt();

} // namespace tessera::standin

#endif // TESSERA_TEST_RUNTIME_STANDIN_STANDIN_H
