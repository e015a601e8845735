/// Reports of folders that others wrote.
#include "report/run_report.h"

#include <gtest/gtest.h>

#include "record/testing.h"
#include "report/ledgers.h"

namespace brio {
namespace {

class ReceivedFolder : public testing::InFolder {
 protected:
  std::string complaint(const std::string& summary, const std::string& ledger = ledger_text({Row{}, Row{}})) const {
    write("run.json", summary);
    write("ledger.csv", ledger);
    write("scene.toml", "title = 'x'");
    return testing::complaint([&] { read_run(folder); });
  }
};

}  // namespace

TEST_F(ReceivedFolder, ASummaryNestsOnlySoDeep) {
  std::string deep = "{\"a\":";
  for (int i = 0; i < 200000; ++i) deep += "[";
  EXPECT_NE(complaint(deep).find("run.json: nests deeper than 16"), std::string::npos) << complaint(deep);
  EXPECT_EQ(complaint("{\"warnings\": [\"a\"]}"), "no complaint");
  EXPECT_NE(complaint("[1]").find("is not the summary of a run"), std::string::npos);
}

TEST_F(ReceivedFolder, NumbersOfAnotherKindAreLeftOut) {
  ASSERT_EQ(complaint("{\"h\": \"x\", \"title\": 3, \"linear_solvers\": [{\"steps\": 1e300, \"used\": 7}, 3],"
                      "\"timings\": {\"run_s\": [], \"solver_ms\": {\"a\": null, \"b\": 2}}, \"warnings\": {}}"),
            "no complaint");
  const RunRecord run = read_run(folder);
  EXPECT_NE(run.subtitle.find("; 0 steps solved by an unknown solver"), std::string::npos) << run.subtitle;
  EXPECT_EQ(run.phases.size(), 1U);
}

}  // namespace brio
