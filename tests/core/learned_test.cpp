#include "core/catalog/learned.h"

#include "core/catalog/mechanism.h"
#include "core/model/tasks/task.h"
#include "core/tensor/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

namespace headlight::learned_test { namespace {

const std::string header = "mechanism,task,host,heads,exact_match,deviation,seeds\n";

TEST(Learned, ReadsWhatTheScriptWrites) {
    const auto results =
        parse_learned_results(header + "dot,sort,gpt,1,0.5625,,1\nrope,copy,transformer,4,0.93,0.02,3\n");
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results[0].mechanism, "dot");
    EXPECT_EQ(results[0].exact_match, 0.5625);
    EXPECT_FALSE(results[0].deviation);
    EXPECT_EQ(results[1].deviation, 0.02);
    EXPECT_EQ(results[0].heads, 1);
    EXPECT_EQ(results[1].heads, 4);
    EXPECT_EQ(results[1].seeds, 3);
    EXPECT_EQ(to_string(results), "sort 0.562 (1 seed), copy across 0.930 ± 0.020 (3 seeds)");
}

TEST(Learned, RefusesWhatIsNoLineOfIt) {
    for (const char* line :
         {"dot,sort,gpt,4,0.7", "dot,sort,gpt,4,0.7,,1,1", "dot,sort,gpt,4,1.7,,1", "dot,sort,gpt,4,nan,,1",
          "dot,sort,gpt,4,0.7,x,1", "dot,sort,gpt,4,0.7,,0", "dot,sort,gpt,0,0.7,,1", ""})
        EXPECT_THROW(parse_learned_results(header + line + "\n"), Error) << line;
    EXPECT_THROW(parse_learned_results("mechanism\n"), Error);
}

TEST(Learned, ThoseInTheProgramAreOfItsMechanismsAndTasks) {
    std::set<std::tuple<std::string, std::string, std::string>> seen;
    for (const LearnedResult& each : learned_results()) {
        EXPECT_TRUE(find_mechanism(each.mechanism)) << each.mechanism;
        EXPECT_NO_THROW(task(each.task)) << each.task;
        EXPECT_TRUE(seen.insert({each.mechanism, each.task, each.host}).second) << each.mechanism;
        EXPECT_EQ(each.deviation.has_value(), each.seeds > 1) << each.mechanism;
    }
    std::size_t found = 0;
    for (const Mechanism& each : mechanisms())
        found += learned_by(each.id).size();
    EXPECT_EQ(found, seen.size());
    EXPECT_TRUE(learned_by("no mechanism").empty());
}

}}  // namespace headlight::learned_test
