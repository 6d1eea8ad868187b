//===- NearestNameTest.cpp - What somebody may have meant -----------------===//

#include "tessera/Support/NearestName.h"

#include <gtest/gtest.h>
#include <vector>

using namespace tessera;

static const std::vector<std::string> phases = {
    "import", "shard", "stage", "partition", "fuse", "schedule", "codegen"};

TEST(NearestName, FindsMisspelledNames) {
  EXPECT_EQ(nearestName("patrition", phases), "partition"); // Exchanged.
  EXPECT_EQ(nearestName("shedule", phases), "schedule");    // Left out.
  EXPECT_EQ(nearestName("fusee", phases), "fuse");          // Inserted.
  EXPECT_EQ(nearestName("imp0rt", phases), "import");       // Replaced.
  EXPECT_EQ(nearestName("Codegen", phases), "codegen");     // Of other case.
  EXPECT_EQ(nearestName("sharding", phases), "shard");      // Lengthened.
  EXPECT_EQ(nearestName("part", phases), "partition");      // Cut off.
}

TEST(NearestName, LeavesOtherNamesAlone) {
  for (const char *name : {"", "x", "optimise", "packaging", "xyz"})
    EXPECT_EQ(nearestName(name, phases), "") << name;
  const std::vector<std::string> letters = {"x", "y"};
  EXPECT_EQ(nearestName("z", letters), "");
  EXPECT_EQ(nearestName("shard", {}), "");
}

TEST(NearestName, MakesTheEndOfADiagnostic) {
  EXPECT_EQ(didYouMean("stagee", phases), "; did you mean 'stage'?");
  EXPECT_EQ(didYouMean("optimise", phases), "");
}
