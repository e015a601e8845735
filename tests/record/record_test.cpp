#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "record/ledger_csv.h"
#include "record/run_summary.h"
#include "record/testing.h"

namespace brio {
namespace {

using Record = testing::InFolder;

LedgerRow sample() {
  LedgerRow row{.time = 0.1, .kinetic = 1.0 / 3, .elastic = 2e-17, .gravity = -5, .total = -4.5, .residual = 0.25};
  row.linear = Vec3(1, 2, 3);
  row.angular = Vec3(4, 5, 6e100);
  row.iterations = 7;
  row.ms = 1.23456;
  return row;
}

}  // namespace

TEST_F(Record, LedgerHasItsColumnsAndEveryBitOfItsNumbers) {
  LedgerCsv ledger(folder / "ledger.csv");
  ledger.add({});
  ledger.add(sample());
  EXPECT_EQ(read("ledger.csv"),
            "frame,time,kinetic,elastic,gravity,contact,total,user_work,damping_loss,friction_loss,residual,"
            "px,py,pz,lx,ly,lz,alpha,iterations,status,ms\n"
            "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,ok,0.000\n"
            "1,0.1,0.3333333333333333,2e-17,-5,0,-4.5,0,0,0,0.25,1,2,3,4,5,6e+100,0,7,ok,1.235\n");
  EXPECT_EQ(std::strtod("0.3333333333333333", nullptr), sample().kinetic);
}

TEST_F(Record, EveryRowIsThereAsSoonAsItIsAdded) {
  LedgerCsv ledger(folder / "ledger.csv");
  for (long rows = 0; rows < 3; ++rows) {
    const std::string text = read("ledger.csv");
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + rows);
    ledger.add(sample());
  }
}

TEST_F(Record, ALedgerGoesOnAfterTheRowsThatAreKept) {
  std::string whole;
  {
    LedgerCsv ledger(folder / "ledger.csv");
    for (int i = 0; i < 4; ++i) ledger.add(sample());
    whole = read("ledger.csv");
  }
  write("ledger.csv", whole + "4,0.1,half a ro");
  { LedgerCsv(folder / "ledger.csv", 3).add(sample()); }
  EXPECT_EQ(read("ledger.csv"), whole);
  EXPECT_NE(testing::complaint([&] { LedgerCsv(folder / "ledger.csv", 5); }).find("at least 5 rows"),
            std::string::npos);
  write("ledger.csv", "something else\n1\n2\n");
  EXPECT_NE(testing::complaint([&] { LedgerCsv(folder / "ledger.csv", 1); }).find("must be a ledger"),
            std::string::npos);
}

TEST_F(Record, NotANumberNeverReachesTheFile) {
  LedgerCsv ledger(folder / "ledger.csv");
  for (double LedgerRow::*member : {&LedgerRow::kinetic, &LedgerRow::gravity, &LedgerRow::residual, &LedgerRow::ms}) {
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      LedgerRow row;
      row.*member = bad;
      EXPECT_THROW(ledger.add(row), std::logic_error);
    }
  }
}

TEST_F(Record, AFolderThatDoesNotExistIsNamed) {
  try {
    const LedgerCsv ledger(folder / "nowhere" / "ledger.csv");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("nowhere/ledger.csv: cannot be written"), std::string::npos);
  }
}

TEST(RunSummary, RelativeErrorIsTheLargestResidualOverTheLargestEnergyInMotion) {
  RunSummary summary;
  summary.add({.gravity = 100, .total = 100});
  EXPECT_EQ(summary.max_relative_error(), 0);
  summary.add({.kinetic = 6, .gravity = 95, .total = 101, .residual = 1});
  summary.add({.kinetic = 8, .elastic = 2, .gravity = 90, .total = 100, .residual = 0});
  EXPECT_DOUBLE_EQ(summary.max_relative_error(), 1.0 / 20);
  EXPECT_EQ(summary.frames(), 2);
}

TEST(RunSummary, AnExplosionDoesNotMakeItsOwnErrorLookSmall) {
  RunSummary summary;
  summary.add({.elastic = 100, .total = 100});
  summary.add({.kinetic = 7e9, .total = 7e9, .residual = 7e9});
  EXPECT_NEAR(summary.max_relative_error(), 7e7, 1);
}

TEST(RunSummary, JsonHoldsTheDesignsKeys) {
  RunSummary summary;
  summary.integrator = "symplectic-euler";
  summary.hash = 0xabc;
  summary.add({.total = 1});
  summary.add({.kinetic = 1, .total = 2, .residual = 1, .linear = Vec3(0, 3, 4)});
  const auto json = to_json(summary);
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"status", "title", "integrator", "h", "frames", "energy", "momentum",
                                            "hash", "warnings", "timings", "versions"}));
  EXPECT_EQ(json["status"], "ok");
  EXPECT_EQ(json["frames"], 1);
  EXPECT_EQ(json["energy"]["initial"], 1);
  EXPECT_EQ(json["energy"]["final"], 2);
  EXPECT_EQ(json["energy"]["max_relative_error"], 1);
  EXPECT_EQ(json["momentum"]["linear"]["max_change"], 5);
  EXPECT_EQ(json["hash"], "0000000000000abc");
  summary.interrupted = true;
  EXPECT_EQ(to_json(summary)["status"], "interrupted");
  summary.message = "exploded";
  EXPECT_EQ(to_json(summary)["status"], "failed");
  EXPECT_EQ(to_json(summary)["message"], "exploded");
}

}  // namespace brio
