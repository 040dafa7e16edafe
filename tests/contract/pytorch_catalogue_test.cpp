// The engine and the oracles against numbers that others computed for every axis of a spec, one row for each
// way to score, place, mask, normalise and mix: PyTorch (tests/support/pytorch_catalogue/generate.py,
// images.py), and plain Python (from_reference.py beside it).

#include "core/attention/component.h"
#include "tests/oracle/oracle.h"
#include "tests/support/attention_runs.h"

#include <filesystem>
#include <set>

namespace headlight::pytorch_catalogue_test {

using namespace test;

namespace {

const std::vector<Json>& rows() {
    static const std::vector<Json> list = [] {
        std::set<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(
                 HEADLIGHT_SOURCE_DIR "/tests/support/pytorch_catalogue"))
            if (entry.path().extension() == ".json")
                files.insert(entry.path());
        std::vector<Json> all;
        for (const std::filesystem::path& path : files) {
            const Json file = read_json(path.string());
            all.insert(all.end(), file["rows"].begin(), file["rows"].end());
        }
        return all;
    }();
    return list;
}

class PyTorchRow : public testing::TestWithParam<std::size_t> {};

TEST_P(PyTorchRow, GivesTheSameNumbers) {
    const Json& row = rows()[GetParam()];
    const auto plan = planned(spec_from_json(row["spec"]), golden_inputs(row));
    for (const auto& [name, given] : row["parameters"].items())
        EXPECT_TRUE(std::ranges::find(plan->parameters, name, &ParameterInfo::name) != plan->parameters.end())
            << name << " is not a parameter of the row's spec";
    const double tolerance = row.value("tolerance", 1e-11);
    const Numbers expected{flat(row["weights"]), flat(row["output"])};
    EXPECT_TRUE(near(run<double>(plan), expected, tolerance)) << "double";
    EXPECT_TRUE(near(run<float>(plan), expected, 1e-5)) << "float";
    const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
    EXPECT_TRUE(near({oracle.weights, oracle.output}, expected, tolerance)) << "oracle";

    if (!row.contains("stages"))
        return;
    const Trace trace = record(plan);
    for (const auto& [name, numbers] : row["stages"].items())
        EXPECT_TRUE(near(stage(trace, name), flat(numbers), tolerance)) << name;
}

INSTANTIATE_TEST_SUITE_P(Golden, PyTorchRow, testing::Range(std::size_t(0), rows().size()),
                         [](const auto& index) {
                             const Json& row = rows()[index.param];
                             return row["axis"].template get<std::string>() + "_" +
                                    row["name"].template get<std::string>();
                         });

/// Every word that stands as the type of a part, at any depth.
void collect_types(const Json& document, std::set<std::string>& types) {
    if (document.is_object() && document.contains("type"))
        types.insert(document["type"]);
    if (document.is_structured())
        for (const Json& each : document)
            collect_types(each, types);
}

TEST(PyTorchCatalogue, HasARowForEveryComponent) {
    std::set<std::string> types;
    for (const Json& row : rows())
        collect_types(row["spec"], types);
    // Drawn from the seed by the engine's own generator; and what people type, held by typed_formulas_test.
    const std::set<std::string> without{"random", "performer", "gumbel", "dropout", "formula"};
    const auto expect_rows = [&](const auto& components) {
        for (const auto& component : components)
            EXPECT_TRUE(types.contains(component.word) || without.contains(component.word)) << component.word;
    };
    expect_rows(score_components());
    expect_rows(position_components());
    expect_rows(mask_components());
    expect_rows(selection_components());
    expect_rows(normalizer_components());
    expect_rows(algorithm_components());
}

}  // namespace

}  // namespace headlight::pytorch_catalogue_test
