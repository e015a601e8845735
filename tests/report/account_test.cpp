#include "report/account.h"

#include <gtest/gtest.h>

#include "brio/core.h"
#include "report/ledgers.h"

namespace brio {
namespace {

std::string complaint(const std::string& text) {
  try {
    parse_ledger(text, "x/ledger.csv");
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST(LedgerTable, ReadsWhatARunWrites) {
  const LedgerTable table = ledger({{.kinetic = 1}, {.time = 0.1, .kinetic = 1.0 / 3, .failed = true}});
  EXPECT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.column("kinetic"), (std::vector<double>{1, 1.0 / 3}));
  EXPECT_EQ(table.column("status"), (std::vector<double>{0, 1}));
  EXPECT_EQ(ledger_unit("kinetic"), "J");
}

TEST(LedgerTable, NamesTheLineOfABadRow) {
  const std::string good = ledger_text({{}, {.time = 1}});
  EXPECT_EQ(complaint(good + "1,2,3\n"), "x/ledger.csv:4: has 3 values for 21 columns");
  std::string bad = good;
  bad.replace(bad.find("1,1,0"), 5, "1,x,0");
  EXPECT_EQ(complaint(bad), "x/ledger.csv:3: time = x: must be a finite number");
  bad.replace(bad.find("1,x,0"), 5, "1,nan,0");
  EXPECT_EQ(complaint(bad), "x/ledger.csv:3: time = nan: must be a finite number");
  EXPECT_EQ(complaint("a,b\n1,2\n"), "x/ledger.csv:1: has no column 'frame'; give a ledger.csv that brio wrote");
  EXPECT_EQ(complaint(""), "x/ledger.csv: holds no row of a ledger");
}

TEST(LedgerTable, PassesOverALineThatAKilledRunLeftUnfinished) {
  EXPECT_EQ(parse_ledger(ledger_text({{}, {.time = 1}}) + "2,0.2,17", "x").rows(), 2u);
}

TEST(LedgerTable, SuggestsTheNearestColumn) {
  try {
    ledger({{}}).column("kinetc");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'kinetic'?"), std::string::npos) << error.what();
  }
}

TEST(Verdict, WhatRoundingMakesDoesNotExplode) {
  const Account a = account(ledger({{}, {.kinetic = 4e-14, .residual = 4e-14}}));
  EXPECT_TRUE(exploded_at(a, {}));
  EXPECT_FALSE(exploded_at(a, {.rounding = 1e-12}));
  EXPECT_EQ(verdict(a, {.rounding = 1e-12}), "Nothing moved; nothing exploded.");
  EXPECT_EQ(exploded_at(account(ledger({{}, {.kinetic = 4, .residual = 4}})), {.rounding = 1e-12}), 1);
}

TEST(Verdict, EnergyKept) {
  const Account a = account(ledger({{.gravity = 10}, {.kinetic = 10, .residual = 4e-9}}));
  EXPECT_EQ(a.in_play, 20);
  EXPECT_EQ(verdict(a, {}), "Energy kept to 2e-10 of the energy in play; nothing exploded.");
}

TEST(Verdict, NumericalDampingIsCalledByItsName) {
  const Account a = account(ledger({{.kinetic = 10}, {.kinetic = 8, .residual = -2}, {.kinetic = 6, .residual = -4}}));
  EXPECT_EQ(verdict(a, {}),
            "The integrator took away up to 40 % of the energy in play (numerical damping); nothing exploded.");
}

TEST(Verdict, ExplosionIsFoundWhereTheResidualExceedsWhatWasPutIn) {
  const Account a = account(ledger({{.kinetic = 1},
                                    {.kinetic = 1.9, .residual = 0.9},
                                    {.kinetic = 2.5, .residual = 1.5},
                                    {.kinetic = 1e9, .residual = 1e9}}));
  EXPECT_EQ(a.exploded, 2);
  EXPECT_EQ(verdict(a, {}), "The motion exploded at frame 2: more energy appeared than was in play.");
}

TEST(Verdict, WhatLaterFallsPutInCountsFromTheStart) {
  const Account a =
      account(ledger({{}, {.kinetic = 2, .gravity = -1, .residual = 1.1}, {.kinetic = 9, .gravity = -8}}));
  EXPECT_FALSE(a.exploded);
}

TEST(Verdict, ABrokenPromiseIsToldWithItsFigure) {
  const Account a =
      account(ledger({{.kinetic = 10}, {.kinetic = 8, .residual = -2}, {.kinetic = 10.3, .residual = 0.3}}));
  Promise promise{.sentence = "it promises all", .limit = 0.1, .remedy = "shorten h"};
  EXPECT_EQ(broken_promise(a, promise),
            "it promises all, but it strayed by up to 20 % of the energy in play; shorten h");
  promise.allows_loss = true;
  EXPECT_EQ(broken_promise(a, promise), "it promises all, but it grew by 23 % of the energy in play; shorten h")
      << "what was lost before does not pay for what is gained";
  promise.limit = 0.25;
  EXPECT_EQ(broken_promise(a, promise), "");
  promise.limit = 0.02;
  EXPECT_EQ(broken_promise(a, Promise{}), "");
  const Account exploded = account(ledger({{.kinetic = 1}, {.kinetic = 9, .residual = 8}}));
  EXPECT_EQ(broken_promise(exploded, promise), "") << "that is said already";
}

TEST(Verdict, WorkFromOutsideIsNoExplosion) {
  const Account a = account(ledger({{}, {.kinetic = 100, .residual = 0.5, .user_work = 99, .damping_loss = 2}}));
  EXPECT_FALSE(a.exploded);
  EXPECT_EQ(verdict(a, {}),
            "Energy kept to 0.5 % of the energy in play; nothing exploded. Damping took 2 J, 99 J came from outside.");
}

TEST(Verdict, AFailedRunSaysWhereAndWhy) {
  const Account a = account(ledger({{.kinetic = 1}, {.kinetic = 1}, {.kinetic = 1, .failed = true}}));
  EXPECT_EQ(a.frames, 1);
  EXPECT_EQ(verdict(a, {"failed", "frame 2: 50 iterations were not enough"}),
            "The run stopped at frame 2: 50 iterations were not enough. Energy kept to 0 of the energy in play.");
  EXPECT_FALSE(exploded_at(a, {"failed", "frame 2: 50 iterations were not enough"}));
  EXPECT_EQ(exploded_at(a, {"failed", "frame 2: the energy is not finite after step 2"}), 2);
}

TEST(Verdict, AnInterruptedRunSaysSo) {
  EXPECT_EQ(verdict(account(ledger({{}, {}})), {"interrupted", ""}),
            "The run was interrupted after frame 1. Nothing moved; nothing exploded.");
}

}  // namespace brio
