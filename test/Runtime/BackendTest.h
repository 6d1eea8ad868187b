//===- BackendTest.h - Tests that run on every back end -------------------===//

#ifndef TESSERA_TEST_RUNTIME_BACKENDTEST_H
#define TESSERA_TEST_RUNTIME_BACKENDTEST_H

#include "RankHarness.h"

#include <gtest/gtest.h>
#include <string_view>

namespace tessera::runtime::test {

/// A test of the back end that its parameter names; skipped, visibly, where
/// that is not built or its ranks are processes.
class BackendTest : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    if (std::string_view(GetParam()) == "cuda")
      GTEST_SKIP() << "a rank of 'cuda' is a process: see CudaRunTest";
    backend = findBackend(GetParam());
    if (!backend)
      GTEST_SKIP() << "back end '" << GetParam() << "' is not built";
  }
  const TesseraBackend *backend = nullptr;
};

} // namespace tessera::runtime::test

#endif // TESSERA_TEST_RUNTIME_BACKENDTEST_H
