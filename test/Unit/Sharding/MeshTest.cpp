#include "Printing.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

using namespace tessera;

namespace {

TEST(AxisName, EqualTextsAreOneNameOnAllThreads) {
  std::vector<AxisName> names(8);
  std::vector<std::thread> threads;
  for (AxisName &name : names)
    threads.emplace_back([&name] { name = AxisName("interned-by-threads"); });
  for (std::thread &thread : threads)
    thread.join();
  for (AxisName name : names)
    EXPECT_EQ(name, names[0]);
  EXPECT_NE(names[0], AxisName("interned"));
}

TEST(AxisName, OrderIsThatOfTheText) {
  AxisName z("z"), a("a");
  EXPECT_TRUE(a < z);
  EXPECT_FALSE(z < a);
  EXPECT_FALSE(a < a);
  EXPECT_TRUE(AxisName() < a);
}

TEST(Mesh, PrintsAxesAndDeviceOrder) {
  EXPECT_EQ(toString(Mesh({{"data", 2}, {"model", 4}})),
            R"(<["data"=2, "model"=4]>)");
  EXPECT_EQ(toString(Mesh({{"x", 2}}, {1, 0})),
            R"(<["x"=2], device_ids=[1, 0]>)");
  EXPECT_EQ(toString(Mesh()), "<[]>");
}

TEST(Mesh, IdentityDeviceOrderIsDropped) {
  EXPECT_EQ(Mesh({{"x", 2}}, {0, 1}), Mesh({{"x", 2}}));
  EXPECT_NE(Mesh({{"x", 2}}, {1, 0}), Mesh({{"x", 2}}));
}

TEST(Mesh, CoordinatesAreRowMajorAndInvertible) {
  Mesh mesh({{"x", 2}, {"y", 3}}, {5, 4, 3, 2, 1, 0});
  EXPECT_EQ(mesh.numDevices(), 6);
  EXPECT_EQ(mesh.axisStride(0), 3);
  EXPECT_EQ(mesh.deviceAtCoordinates({1, 0}), 2);
  for (int64_t device = 0; device < 6; ++device)
    EXPECT_EQ(mesh.deviceAtCoordinates(mesh.coordinatesOfDevice(device)),
              device);
}

TEST(Mesh, VerifyNamesWhatIsWrong) {
  EXPECT_EQ(Mesh({{"x", 2}, {"y", 3}}, {5, 4, 3, 2, 1, 0}).verify(), "");
  EXPECT_EQ(Mesh({{"x", 2}, {"x", 3}}).verify(),
            R"(axis "x" occurs twice in the mesh)");
  EXPECT_EQ(Mesh({{"x", 0}}).verify(),
            R"(expected axis "x" to have a positive size, got 0)");
  EXPECT_EQ(Mesh({{"", 2}}).verify(), "expected a non-empty axis name");
  EXPECT_EQ(Mesh({{"x", 2}}, {1, 0, 2}).verify(),
            "expected 2 device ids, got 3");
  EXPECT_EQ(Mesh({{"x", 2}}, {1, 1}).verify(),
            "expected the device ids to be a permutation of 0 to 1, got 1 "
            "twice");
  EXPECT_EQ(Mesh({{"x", 2}}, {1, 7}).verify(),
            "expected the device ids to be a permutation of 0 to 1, got 7");
  EXPECT_EQ(Mesh({{"x", 1 << 20}, {"y", 1 << 20}}).verify(),
            "expected fewer than 2147483648 devices");
}

} // namespace
