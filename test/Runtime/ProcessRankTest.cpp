//===- ProcessRankTest.cpp - What launchers say ---------------------------===//

#include "../../runtime/processes/ProcessRank.h"

#include <gtest/gtest.h>
#include <map>

using namespace tessera;
using namespace tessera::processes;
using Variables = std::map<std::string, std::string>;

static Fallible<ProcessRank> processIn(const Variables &variables) {
  return findProcessRank([&](const char *name) -> const char * {
    auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

static std::string describe(const Variables &variables) {
  Fallible<ProcessRank> process = processIn(variables);
  if (!process)
    return process.message();
  return std::to_string(process->rank) + "/" + std::to_string(process->size) +
         " local " + std::to_string(process->localRank) + " at " +
         process->address + ":" + std::to_string(process->port) +
         (process->mayAskMpi ? ", or as MPI says" : "");
}

TEST(ProcessRank, WithoutALauncherThereIsOneProcess) {
  EXPECT_EQ(describe({}), "0/1 local -1 at 127.0.0.1:0");
}

TEST(ProcessRank, TorchrunAndKubernetes) {
  Variables variables = {{"RANK", "3"},
                         {"WORLD_SIZE", "8"},
                         {"LOCAL_RANK", "1"},
                         {"MASTER_ADDR", "10.0.0.1"},
                         {"MASTER_PORT", "29500"}};
  EXPECT_EQ(describe(variables), "3/8 local 1 at 10.0.0.1:29500");
  // The agent has taken the port.
  variables["TORCHELASTIC_USE_AGENT_STORE"] = "True";
  EXPECT_EQ(describe(variables), "3/8 local 1 at 10.0.0.1:29501");
}

TEST(ProcessRank, MessagePassingLaunchers) {
  EXPECT_EQ(describe({{"OMPI_COMM_WORLD_RANK", "1"},
                      {"OMPI_COMM_WORLD_SIZE", "2"},
                      {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                      {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}),
            "1/2 local 1 at 127.0.0.1:29600, or as MPI says");
  EXPECT_EQ(describe({{"OMPI_COMM_WORLD_RANK", "1"},
                      {"OMPI_COMM_WORLD_SIZE", "2"},
                      {"OMPI_COMM_WORLD_LOCAL_RANK", "0"},
                      {"OMPI_COMM_WORLD_LOCAL_SIZE", "1"}}),
            "1/2 local 0 at :29600, or as MPI says");
  EXPECT_EQ(describe({{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}}),
            "0/4 local -1 at 127.0.0.1:29600, or as MPI says");
  // What the user says counts more.
  EXPECT_EQ(
      describe(
          {{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}, {"MASTER_ADDR", "10.0.0.1"}}),
      "0/4 local -1 at 10.0.0.1:29600");
}

TEST(ProcessRank, Slurm) {
  EXPECT_EQ(describe({{"SLURM_PROCID", "5"},
                      {"SLURM_STEP_NUM_TASKS", "8"},
                      {"SLURM_LOCALID", "1"},
                      {"SLURM_JOB_ID", "120007"},
                      {"SLURM_STEP_NODELIST", "gpu[03-04,9]"}}),
            "5/8 local 1 at gpu03:29607");
  // A batch script is one process, whatever the job has.
  EXPECT_EQ(describe({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}),
            "0/1 local -1 at 127.0.0.1:0");
}

TEST(ProcessRank, FirstNodes) {
  EXPECT_EQ(firstNode("a"), "a");
  EXPECT_EQ(firstNode("a,b"), "a");
  EXPECT_EQ(firstNode("n[01-16]"), "n01");
  EXPECT_EQ(firstNode("a[1-3,7],b2"), "a1");
  EXPECT_EQ(firstNode("a[7,9]-ib,b"), "a7-ib");
}

TEST(ProcessRank, NonsenseIsRefused) {
  EXPECT_EQ(describe({{"RANK", "x"}, {"WORLD_SIZE", "2"}}),
            "RANK: expected a number, got 'x'");
  EXPECT_EQ(describe({{"RANK", "2"}, {"WORLD_SIZE", "2"}}),
            "RANK: expected a number below WORLD_SIZE (2), got 2");
  EXPECT_EQ(describe({{"PMI_RANK", "7"}, {"PMI_SIZE", "4"}}),
            "PMI_RANK: expected a number below PMI_SIZE (4), got 7");
  EXPECT_EQ(
      describe({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_PORT", "0"}}),
      "MASTER_PORT: expected a number from 1 to 65535, got 0");
  EXPECT_EQ(
      describe({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_PORT", "70000"}}),
      "MASTER_PORT: expected a number from 1 to 65535, got 70000");
}
