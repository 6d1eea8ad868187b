//===- ChecksumTest.cpp - Files that know whether they are whole ----------===//

#include "tessera/Support/Checksum.h"

#include <gtest/gtest.h>

using namespace tessera;

TEST(Checksum, IsThatOfTheStandards) {
  EXPECT_EQ(crc32(""), 0u);
  EXPECT_EQ(crc32("123456789"), 0xcbf43926u);
  EXPECT_EQ(crc32("The quick brown fox jumps over the lazy dog"), 0x414fa339u);
}

TEST(Checksum, GoesOnWhereItEnded) {
  std::string text = "a text of forty-two bytes, cut everywhere.";
  for (size_t cut = 0; cut <= text.size(); ++cut)
    EXPECT_EQ(crc32(text.substr(cut), crc32(text.substr(0, cut))), crc32(text))
        << cut;
}

TEST(Checksum, FindsEveryDamageOfOneByte) {
  std::string sealed = seal("contents");
  EXPECT_TRUE(checkSeal(sealed));
  EXPECT_TRUE(checkSeal(seal("")));
  for (size_t i = 0; i < sealed.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = sealed;
      damaged[i] ^= 1 << bit;
      EXPECT_FALSE(checkSeal(damaged)) << i;
    }
  for (size_t size = 0; size < sealed.size(); ++size)
    EXPECT_FALSE(checkSeal(std::string_view(sealed).substr(0, size))) << size;
  EXPECT_FALSE(checkSeal(sealed + '\0'));
}

TEST(Checksum, SaysWhatIsWrong) {
  for (std::string contents : {"", "a file without a seal, longer than one"})
    EXPECT_EQ(checkSeal(contents).message(),
              "damaged or of another version: expected a checksum at the end "
              "of the file, got none");
  EXPECT_EQ(checkSeal("no seal").message(),
            "damaged or of another version: expected a checksum at the end of "
            "the file, got none");
  std::string sealed = seal("contents");
  EXPECT_EQ(checkSeal('C' + sealed.substr(1)).message(),
            "damaged: the checksum at the end of the file is not that of what "
            "is before it");
  sealed.back() ^= 1;
  EXPECT_EQ(checkSeal(sealed).message(),
            "damaged: the checksum at the end of the file is not that of what "
            "is before it");
}
