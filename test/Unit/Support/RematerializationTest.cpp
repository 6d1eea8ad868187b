//===- RematerializationTest.cpp - what is sent, what is made again -------===//

#include "tessera/Support/Rematerialization.h"

#include <gtest/gtest.h>

using tessera::Rematerialization;
using Item = Rematerialization::Item;

namespace {

TEST(Rematerialization, SendsTheSourcesWhereTheyAreLess) {
  Rematerialization choice;
  Item product = choice.add(100), row = choice.add(10), column = choice.add(20);
  choice.mayMake(product, std::array{row, column});
  choice.need(product);
  choice.solve();
  EXPECT_TRUE(choice.isMade(product));
  EXPECT_FALSE(choice.isMade(row));
  EXPECT_FALSE(choice.isMade(column));
}

TEST(Rematerialization, SendsTheValueWhereTheSourcesAreAsMuch) {
  Rematerialization choice;
  Item sum = choice.add(100), a = choice.add(50), b = choice.add(50);
  choice.mayMake(sum, std::array{a, b});
  choice.need(sum);
  choice.solve();
  EXPECT_FALSE(choice.isMade(sum));
}

TEST(Rematerialization, PaysOnceForASourceOfSeveral) {
  Rematerialization choice;
  Item source = choice.add(100), first = choice.add(60), last = choice.add(60);
  for (Item item : {first, last}) {
    choice.mayMake(item, std::array{source});
    choice.need(item);
  }
  choice.solve();
  EXPECT_TRUE(choice.isMade(first));
  EXPECT_TRUE(choice.isMade(last));
}

TEST(Rematerialization, MakesFromNothingUnlessMakingCostsMore) {
  Rematerialization choice;
  Item cheap = choice.add(10), dear = choice.add(10);
  choice.mayMake(cheap, {}, 9);
  choice.mayMake(dear, {}, 11);
  choice.need(cheap);
  choice.need(dear);
  choice.solve();
  EXPECT_TRUE(choice.isMade(cheap));
  EXPECT_FALSE(choice.isMade(dear));
}

TEST(Rematerialization, MakesNothingThatNobodyNeeds) {
  Rematerialization choice;
  Item item = choice.add(10);
  choice.mayMake(item, {});
  choice.solve();
  EXPECT_FALSE(choice.isMade(item));
}

} // namespace
