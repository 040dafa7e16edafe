#pragma once

#include "core/attention/plan.h"
#include "core/graph/differentiate.h"
#include "core/graph/program.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace headlight::nn {

/// A graph of certain extents, without the numbers of a run.
struct KeptGraph {
    KeptGraph(std::shared_ptr<const Plan> its_plan, std::vector<GivenTensor> its_given,
              std::span<const ProgramPart> parts)
        : plan(std::move(its_plan)), given(std::move(its_given)), graph(given, parts) {
        for (const GivenTensor& tensor : given)
            steps.push_back(graph.step_of(tensor.name));
    }

    std::shared_ptr<const Plan> plan;  ///< which functions of places read
    std::vector<GivenTensor> given;
    Graph graph;
    std::vector<std::size_t> steps;  ///< of `given`
};

/// The numbers of one run of a graph. It belongs to whoever took it, and is taken again: what is not set
/// stays, and so do gradients that are not cleared.
template <class Kept>
struct GraphRun {
    explicit GraphRun(std::shared_ptr<const Kept> its_program)
        : program(std::move(its_program)), values(program->graph), differentiation(program->graph) {
        numbers.reserve(program->given.size());
        for (std::size_t i = 0; i < program->given.size(); ++i) {
            numbers.push_back(program->given[i].numbers);
            values.set(program->steps[i], numbers[i]);
        }
    }
    GraphRun(const GraphRun&) = delete;
    GraphRun& operator=(const GraphRun&) = delete;

    std::shared_ptr<const Kept> program;
    GraphValues values;
    Differentiation differentiation;
    std::vector<std::vector<double>> numbers;  ///< of each given tensor
};

/// Graphs by their extents, shared by threads, and the runs of them that nobody uses. The graph that was used
/// longest ago makes room for another.
template <class Kept, std::size_t extent_count>
class GraphRuns {
public:
    using Extents = std::array<Index, extent_count>;
    using Run = std::unique_ptr<GraphRun<Kept>>;

    /// `make()` gives a graph of these extents that is not there yet.
    template <class Make>
    Run take(const Extents& extents, const Make& make) {
        const std::lock_guard lock(mutex_);
        auto found = entries_.find(extents);
        if (found == entries_.end()) {
            std::shared_ptr<const Kept> made = make();
            if (entries_.size() >= most_graphs)
                entries_.erase(std::ranges::min_element(entries_, {},
                                                        [](const auto& each) { return each.second.used; }));
            found = entries_.emplace(extents, Entry{std::move(made), {}}).first;
        }
        Entry& entry = found->second;
        entry.used = ++uses_;
        if (entry.idle.empty())
            return std::make_unique<GraphRun<Kept>>(entry.program);
        Run run = std::move(entry.idle.back());
        entry.idle.pop_back();
        return run;
    }
    void give_back(const Extents& extents, Run run) {
        const std::lock_guard lock(mutex_);
        const auto found = entries_.find(extents);
        if (found != entries_.end() && found->second.program == run->program)
            found->second.idle.push_back(std::move(run));
    }

private:
    /// Texts of a task have some dozens of lengths.
    static constexpr std::size_t most_graphs = 64;

    struct Entry {
        std::shared_ptr<const Kept> program;
        std::vector<Run> idle;
        std::uint64_t used = 0;
    };

    std::mutex mutex_;
    std::map<Extents, Entry> entries_;
    std::uint64_t uses_ = 0;
};

}  // namespace headlight::nn
