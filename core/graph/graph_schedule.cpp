#include "core/graph/graph_schedule.h"

#include "core/tensor/interruption.h"

#include <algorithm>
#include <map>
#include <set>

namespace headlight {
namespace {

/// Those that follow from the given steps alone; what goes by rows is computed by each run.
std::vector<bool> steps_that_last(const Graph& graph, const std::vector<RowGroup>& groups,
                                  std::span<const std::size_t> given) {
    if (given.empty())
        return std::vector<bool>(graph.steps().size());
    std::vector<bool> lasts = graph.steps_from(given);
    for (const RowGroup& group : groups)
        for (const std::size_t step : group.steps)
            if (group.is_by_rows() && !graph.steps()[step].is_given())
                lasts[step] = false;
    for (std::size_t at = 0; at < lasts.size(); ++at)
        lasts[at] = lasts[at] && std::ranges::all_of(graph.steps()[at].operands,
                                                     [&](std::size_t operand) { return lasts[operand]; });
    return lasts;
}

/// Gives the result of each step that has one its room; steps that are not kept leave theirs to later ones.
void give_rooms(GraphSchedule& schedule, AfterRun after) {
    const auto& steps = schedule.graph.steps();
    const auto& groups = schedule.groups;
    std::vector<Index>& sizes = schedule.rooms;
    const auto room_of = [&](std::size_t step) -> std::uint32_t& { return schedule.calls[step].room; };
    std::vector<std::size_t> last_use(steps.size());  // the group that reads it last
    for (std::size_t group = 0; group < groups.size(); ++group)
        for (const std::size_t step : groups[group].steps)
            for (const std::size_t operand : steps[step].operands)
                last_use[operand] = group;
    const auto stays = [&](std::size_t step) { return steps[step].is_kept || schedule.lasts[step]; };
    std::map<Index, std::vector<std::uint32_t>> free;  // by size
    for (std::size_t group = 0; group < groups.size(); ++group) {
        Interruption::check();
        for (const std::size_t step : groups[group].steps) {
            if (steps[step].node().operation == Operation::tensor || schedule.is_within[step])
                continue;
            const Index size = steps[step].extent.size();
            if (std::vector<std::uint32_t>& fitting = free[size]; !fitting.empty() && !stays(step)) {
                room_of(step) = fitting.back();
                fitting.pop_back();
            } else {
                room_of(step) = static_cast<std::uint32_t>(sizes.size());
                sizes.push_back(size);
            }
        }
        if (after == AfterRun::any_rows)  // of which each may follow from any number
            continue;
        // Only now: a result never lies where an operand is, nor one of another block.
        std::set<std::size_t> done;
        for (const std::size_t step : groups[group].steps)
            for (const std::size_t operand : steps[step].operands)
                if (last_use[operand] == group && !stays(operand) &&
                    room_of(operand) != GraphSchedule::no_room)
                    done.insert(operand);
        for (const std::size_t operand : done)
            free[steps[operand].extent.size()].push_back(room_of(operand));
    }
    sizes.shrink_to_fit();
}

/// The operands of a step, and behind them what says where a sum of pairs is read.
std::vector<std::size_t> read_by(const GraphStep& step) {
    std::vector<std::size_t> read = step.operands;
    if (const auto where = read_where(step))
        read.push_back(*where);
    return read;
}

void make_calls(GraphSchedule& schedule) {
    const auto& steps = schedule.graph.steps();
    const auto note_reader = [&](std::size_t step, std::size_t place) {
        if (const std::size_t source = schedule.source_of(step); steps[source].is_given())
            schedule.readers.push_back({source, place});
    };
    schedule.calls.reserve(steps.size());
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const auto first = static_cast<std::uint32_t>(schedule.operands.size());
        schedule.calls.push_back({steps[step].description().run, first, GraphSchedule::no_room});
        for (const std::size_t operand : read_by(steps[step])) {
            note_reader(operand, steps.size() + schedule.operands.size());
            schedule.operands.push_back(&steps[operand].extent);
        }
        if (is_alias(steps[step]))
            note_reader(step, step);
    }
    schedule.operands.shrink_to_fit();
    schedule.readers.shrink_to_fit();
    std::ranges::stable_sort(schedule.readers, {}, &GraphSchedule::Reader::given);
}

}  // namespace

GraphSchedule::GraphSchedule(const Graph& its_graph, AfterRun after, std::span<const std::size_t> lasting)
    : graph(its_graph), groups(row_groups(graph)), is_within(steps_within(graph, groups)),
      is_given_by_rows(after == AfterRun::any_rows ? steps_given_by_rows(graph, groups)
                                                   : std::vector<bool>(graph.steps().size())),
      lasts(steps_that_last(graph, groups, lasting)) {
    make_calls(*this);
    give_rooms(*this, after);
}

std::size_t GraphSchedule::source_of(std::size_t step) const {
    while (is_alias(graph.steps()[step]))
        step = graph.steps()[step].operands.front();
    return step;
}

double bytes_of_schedule(const GraphSchedule& schedule) {
    const auto bytes_of = [](const auto& list) {
        return static_cast<double>(list.capacity()) * sizeof(*list.data());
    };
    constexpr double flags = 3.0 / 8;  // of a step, in lists of bits
    double bytes = bytes_of(schedule.groups) + bytes_of(schedule.rooms) + bytes_of(schedule.calls) +
                   bytes_of(schedule.operands) + bytes_of(schedule.readers) +
                   flags * static_cast<double>(schedule.graph.steps().size());
    for (const RowGroup& group : schedule.groups)
        bytes += bytes_of(group.steps);
    return bytes;
}

}  // namespace headlight
