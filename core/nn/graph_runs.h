#pragma once

#include "core/attention/plan.h"
#include "core/graph/differentiate.h"
#include "core/graph/program.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace headlight::nn {

/// A graph of certain extents, without the numbers of a run.
struct KeptGraph {
    /// `is_of_run` says which constants each run has numbers of its own of, though no gradient comes to them.
    KeptGraph(std::shared_ptr<const Plan> its_plan, std::vector<GivenTensor> its_given,
              std::span<const ProgramPart> parts,
              const std::function<bool(const GivenTensor&)>& is_of_run = {})
        : plan(std::move(its_plan)), given(std::move(its_given)), graph(given, parts) {
        graph.know_moves();
        // Before the schedule is made: nothing lasts that follows from these.
        for (GivenTensor& tensor : given)
            if (is_of_run && is_constant(tensor) && is_of_run(tensor))
                tensor.kind = GivenTensor::Kind::input;
        double numbers = 0, of_run = 0;
        for (const GivenTensor& tensor : given) {
            steps.push_back(graph.step_of(tensor.name));
            const double its_bytes = static_cast<double>(tensor.numbers.size()) * sizeof(double);
            numbers += its_bytes;
            of_run += is_constant(tensor) ? 0 : its_bytes;
        }
        schedule = std::make_shared<const GraphSchedule>(graph, AfterRun::kept_steps, lasting());
        bytes = numbers + bytes_of_steps(graph) + bytes_of_schedule(*schedule);
        bytes_of_run = of_run + bytes_of_numbers(*schedule) + bytes_of_gradients(graph);
    }

    KeptGraph(const KeptGraph&) = delete;  // the schedule points into it
    KeptGraph& operator=(const KeptGraph&) = delete;

    /// All runs of the graph read the same numbers of it.
    static bool is_constant(const GivenTensor& tensor) { return tensor.kind == GivenTensor::Kind::constant; }
    /// The steps of given tensors that are the same for many sequences: constants, and what is learned.
    std::vector<std::size_t> lasting() const {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < given.size(); ++i)
            if (given[i].kind != GivenTensor::Kind::input)
                found.push_back(steps[i]);
        return found;
    }

    std::shared_ptr<const Plan> plan;  ///< which functions of places read
    std::vector<GivenTensor> given;    ///< each run has numbers of its own of those that are no constants
    Graph graph;
    std::vector<std::size_t> steps;                 ///< of `given`
    std::shared_ptr<const GraphSchedule> schedule;  ///< of all runs
    double bytes = 0;                               ///< of the graph itself
    double bytes_of_run = 0;
};

/// The numbers of one run of a graph. It belongs to whoever took it, and is taken again: what is not set
/// stays, and so do gradients that are not cleared.
template <class Kept>
struct GraphRun {
    explicit GraphRun(std::shared_ptr<const Kept> its_program)
        : program(std::move(its_program)), values(program->schedule),
          differentiation(program->graph, program->lasting()) {
        numbers.reserve(program->given.size());
        for (std::size_t i = 0; i < program->given.size(); ++i) {
            const GivenTensor& tensor = program->given[i];
            numbers.emplace_back();
            if (Kept::is_constant(tensor)) {
                values.set(program->steps[i], tensor.numbers.all());
                continue;
            }
            numbers[i] = tensor.numbers;
            values.set(program->steps[i], numbers[i]);
        }
    }
    GraphRun(const GraphRun&) = delete;
    GraphRun& operator=(const GraphRun&) = delete;

    /// To be called where the numbers of a parameter have been written.
    void has_set(std::size_t number) { values.set(program->steps[number], numbers[number]); }

    std::shared_ptr<const Kept> program;
    RepeatedValues values;
    Differentiation differentiation;
    std::vector<std::vector<double>> numbers;  ///< of each given tensor; those of a constant are the graph's
};

/// Graphs by their extents, shared by threads, and the runs of them that nobody uses, up to a number of
/// bytes: the graph that was used longest ago goes first, and its runs with it; the newest stays however
/// large it is.
template <class Kept, std::size_t extent_count>
class GraphRuns {
public:
    using Extents = std::array<Index, extent_count>;
    using Run = std::unique_ptr<GraphRun<Kept>>;

    explicit GraphRuns(double most_bytes = 64 << 20) : most_bytes_(most_bytes) {}

    /// `make()` gives a graph of these extents that is not there yet.
    template <class Make>
    Run take(const Extents& extents, const Make& make) {
        const std::lock_guard lock(mutex_);
        auto found = entries_.find(extents);
        if (found == entries_.end()) {
            found = entries_.emplace(extents, Entry{.program = make()}).first;
            bytes_ += found->second.program->bytes;
        }
        Entry& entry = found->second;
        entry.used = ++uses_;
        make_room();
        if (entry.idle.empty())
            return std::make_unique<GraphRun<Kept>>(entry.program);
        Run run = std::move(entry.idle.back());
        entry.idle.pop_back();
        bytes_ -= entry.program->bytes_of_run;
        return run;
    }
    /// A run whose graph has gone meanwhile goes as well.
    void give_back(const Extents& extents, Run run) {
        const std::lock_guard lock(mutex_);
        const auto found = entries_.find(extents);
        if (found == entries_.end() || found->second.program != run->program)
            return;
        found->second.idle.push_back(std::move(run));
        bytes_ += found->second.program->bytes_of_run;
        make_room();
    }

    /// What the graphs that are kept take, and their runs that nobody uses.
    double bytes() const {
        const std::lock_guard lock(mutex_);
        return bytes_;
    }

private:
    struct Entry {
        std::shared_ptr<const Kept> program;
        std::vector<Run> idle = {};
        std::uint64_t used = 0;

        double bytes() const {
            return program->bytes + static_cast<double>(idle.size()) * program->bytes_of_run;
        }
    };

    void make_room() {
        while (bytes_ > most_bytes_ && entries_.size() > 1) {
            const auto oldest =
                std::ranges::min_element(entries_, {}, [](const auto& each) { return each.second.used; });
            bytes_ -= oldest->second.bytes();
            entries_.erase(oldest);
        }
    }

    const double most_bytes_;
    mutable std::mutex mutex_;
    std::map<Extents, Entry> entries_;
    double bytes_ = 0;
    std::uint64_t uses_ = 0;
};

}  // namespace headlight::nn
