// Every mechanism of the catalogue, untraced, float, weights not kept: 512 tokens of width 512, 8 heads of
// width 64. One line each: the fastest of some runs, multiply-adds, and the rate that follows. With
// arguments, those ids alone:
//   mechanism_bench [--tokens N] [--json] [ID ...]
#include "bench/measured_runs.h"
#include "core/analysis/run_cost.h"
#include "core/attention/executor.h"
#include "core/catalog/mechanism.h"
#include "core/tensor/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

using namespace headlight;

namespace {

constexpr Index width = 512;
constexpr Index heads = 8;

/// The spec of the defaults, in 8 heads where the mechanism lets itself be split.
std::shared_ptr<const Plan> planned(const Mechanism& mechanism, const Inputs& inputs) {
    AttentionSpec spec = build_spec(mechanism, {});
    const AttentionSpec standard = spec;
    if (spec.heads.type == HeadsType::single)
        spec.heads.type = HeadsType::multi;
    spec.heads.heads = heads;
    try {
        return std::make_shared<const Plan>(plan(spec, inputs));
    } catch (const Error&) {
        return std::make_shared<const Plan>(plan(standard, inputs));
    }
}

}  // namespace

int main(int argc, char** argv) {
    Index tokens = 512;
    bool as_json = false;
    std::vector<std::string> wanted;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--tokens" && i + 1 < argc)
            tokens = std::stol(argv[++i]);
        else if (argument == "--json")
            as_json = true;
        else
            wanted.push_back(argument);
    }
    const Inputs inputs = random_inputs(tokens, width);
    nlohmann::json rows = nlohmann::json::array();
    if (!as_json)
        std::printf("%td tokens, width %td, 8 heads where the mechanism has heads; float, weights not kept\n"
                    "%-28s %10s %12s %10s\n",
                    tokens, width, "mechanism", "ms", "M mult-adds", "GFLOP/s");
    for (const Mechanism& each : mechanisms()) {
        if (!wanted.empty() && std::ranges::find(wanted, each.id) == wanted.end())
            continue;
        try {
            const auto plan = planned(each, inputs);
            const double milliseconds = fastest(plan, 50);
            const double operations = run_cost(*plan).multiply_adds;
            if (as_json)
                rows.push_back({{"id", each.id}, {"ms", milliseconds}, {"multiply_adds", operations}});
            else
                std::printf("%-28s %10.3f %12.1f %10.1f\n", each.id.c_str(), milliseconds, operations / 1e6,
                            2 * operations / milliseconds / 1e6);
        } catch (const Error& error) {
            std::fprintf(stderr, "%s: %s\n", each.id.c_str(), error.what());
        }
        std::fflush(stdout);
    }
    if (as_json)
        std::printf("%s\n", rows.dump().c_str());
}
