//===- GpuModel.cpp -------------------------------------------------------===//

#include "GpuModel.h"

#include "TestModel.h"

using namespace tessera::runtime;
using namespace tessera::runtime::test;

/// y[i] += x[i], four threads; and the same one element too far.
static const char *const kernels = R"(
static const char ptx[] =
  ".version 8.0\n.target sm_80\n.address_size 64\n"
  ".file 1 \"gpu.py\"\n"
  ".visible .entry add(.param .u64 px, .param .u64 py) {\n"
  ".reg .b64 %rd<6>; .reg .b32 %r<2>; .reg .f32 %f<4>;\n"
  ".loc 1 2 1\n"
  "ld.param.u64 %rd1, [px]; ld.param.u64 %rd2, [py];\n"
  "cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;\n"
  "mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;\n"
  "add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n"
  "ld.global.f32 %f1, [%rd4]; ld.global.f32 %f2, [%rd5];\n"
  "add.f32 %f3, %f1, %f2; st.global.f32 [%rd5], %f3;\n"
  "ret;\n}\n";
static const int32_t order[] = {0, 1};
static const TesseraGridStep add_step[] =
  {{"add", {1, 1, 1}, 4, 0, 2, order, 0, 0, 0}};
static const TesseraGridStep far_step[] =
  {{"add", {1, 1, 1}, 128, 0, 2, order, 0, 0, 0}};
static const TesseraGpuVariant add_variants[] = {{80, 0, add_step, 1, 0}};
static const TesseraGpuVariant far_variants[] = {{80, 0, far_step, 1, 0}};
static const TesseraGpuKernel add = {add_variants, 1, 0};
static const TesseraGpuKernel far = {far_variants, 1, 0};
)";

static std::string withTarget(std::string manifest) {
  std::string cpu = R"("target": "cpu")";
  return manifest.replace(manifest.find(cpu), cpu.size(),
                          R"("target": "cuda")");
}

static std::string imageList(const std::string &images) {
  return "const TesseraGpuImage tessera_gpu_images[] = {" +
         (images.empty() ? "{0, 80, ptx, 0, 0}" : images) +
         "};\nconst int64_t tessera_gpu_image_count = "
         "sizeof tessera_gpu_images / sizeof tessera_gpu_images[0];\n";
}

void test::buildGpuModel(const std::string &path, int ranks,
                         const std::string &before, const std::string &after,
                         const std::string &images) {
  std::string tensor = R"("dtype": "f32", "shape": [)" +
                       std::to_string(4 * ranks) +
                       R"(], "local_shape": [4],
                         "sharding": [[{"axis": "data"}]])";
  buildModel(path,
             withTarget(manifestOf(
                 R"([{"name": "data", "size": )" + std::to_string(ranks) + "}]",
                 R"([{"name": "x", "donated": 0, )" + tensor + "}]",
                 R"([{"name": "y", )" + tensor + "}]",
                 R"([[{"axis": "data"}]])", 1024)),
             kernels + imageList(images) + R"(
static const TesseraSite sum = {"sum", "gpu.py:1:1"};
static const TesseraSite plus = {"add", "gpu.py:2:1"};
int32_t tessera_main(TesseraContext *context, void *const *arguments,
                     void *const *results, void *arena) {
  int32_t status = 0;
  void *buffers[] = {arena, results[0]};
)" + before + R"(
  if (!status)
    status = tessera_rt_all_reduce(context, arguments[0], arena, 4, TESSERA_F32,
                                   TESSERA_SUM, 0, -1, &sum);
  if (!status)
    status = tessera_rt_launch_grid(context, &add, buffers, &plus);
)" + after + R"(
  return status;
}
)");
}

void test::buildGpuChain(const std::string &path) {
  std::string tensor = R"("dtype": "f32", "shape": [4], "local_shape": [4],
                          "sharding": [[]])";
  buildModel(path,
             withTarget(manifestOf(
                 "[]", R"([{"name": "x", )" + tensor + "}]",
                 R"([{"name": "y", )" + tensor + "}]", "[]", 0,
                 R"([{"rank": 0, "entry": "tessera_main_0", "arena": 64,
                      "arguments": [0], "results": []},
                     {"rank": 1, "entry": "tessera_main_1", "arena": 64,
                      "arguments": [], "results": [0]}])")),
             kernels + imageList("") + R"(
static const TesseraSite there = {"there", "chain.py:1:1"};
static const TesseraSite plus = {"add", "chain.py:2:1"};
int32_t tessera_main_0(TesseraContext *context, void *const *arguments,
                       void *const *results, void *arena) {
  int32_t status = tessera_rt_copy(context, arguments[0], arena, 16, 0);
  if (!status)
    status = tessera_rt_send(context, arena, 16, 1, 0, &there);
  if (!status)
    status = tessera_rt_send(context, arguments[0], 16, 1, 1, &there);
  // The bytes are gone already.
  int32_t nothing = 0;
  if (!status)
    status = tessera_rt_write(context, &nothing, arena, 4);
  return status;
}
int32_t tessera_main_1(TesseraContext *context, void *const *arguments,
                       void *const *results, void *arena) {
  int32_t status = tessera_rt_recv(context, arena, 16, 0, 1, &there);
  if (!status)
    status = tessera_rt_recv(context, results[0], 16, 0, 0, &there);
  void *buffers[] = {arena, results[0]};
  if (!status)
    status = tessera_rt_launch_grid(context, &add, buffers, &plus);
  return status;
}
)");
}
