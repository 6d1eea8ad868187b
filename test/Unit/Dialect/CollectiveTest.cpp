//===- CollectiveTest.cpp - operations of the collectives -----------------===//

#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Driver/Registration.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace tessera;

TEST(Collective, EveryKindHasItsOperations) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  for (int32_t code = 0; code < collectiveKindCount; ++code) {
    std::string name = collectiveInfo(code).name;
    auto spmd = RegisteredOperationName::lookup("spmd." + name, &context);
    ASSERT_TRUE(spmd) << name;
    auto *kind = spmd->getInterface<spmd::CollectiveOpInterface>();
    ASSERT_TRUE(kind) << name;
    EXPECT_EQ(int32_t(kind->getCollectiveKind()), code) << name;
    EXPECT_TRUE(RegisteredOperationName::lookup("rt." + name, &context))
        << name;
  }
  // And no operation is a collective that the table has not.
  int32_t count = 0;
  for (RegisteredOperationName name : context.getRegisteredOperations())
    count += name.hasInterface<spmd::CollectiveOpInterface>();
  EXPECT_EQ(count, collectiveKindCount);
}
