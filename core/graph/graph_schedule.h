#pragma once

#include "core/graph/graph.h"
#include "core/graph/row_blocks.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace headlight {

/// What can be asked for after a run.
enum class AfterRun {
    kept_steps,  ///< numbers of those alone
    any_rows,    ///< and rows of any other that goes by rows: they are computed again
};

/// How a graph is evaluated, whatever its numbers: its runs share this. The graph stays where it is, and is
/// not added to.
struct GraphSchedule {
    static constexpr std::uint32_t no_room = std::numeric_limits<std::uint32_t>::max();

    /// An operation as runs call it: to ask for this takes longer than many an operation.
    struct Call {
        void (*run)(const OperationCall&, double*);  ///< null: its numbers are there
        std::uint32_t first_operand;                 ///< in `operands`
        std::uint32_t room;                          ///< of its result, in `rooms`; or no_room
    };
    /// An operand that reads a given tensor; or a step whose numbers are that tensor's.
    struct Reader {
        std::size_t given;
        std::size_t place;  ///< of what it reads, in the numbers of a run: of all steps, then of all operands
    };

    /// `lasting` are given tensors that are the same in several runs.
    explicit GraphSchedule(const Graph& graph, AfterRun after = AfterRun::kept_steps,
                           std::span<const std::size_t> lasting = {});

    /// The step whose numbers these are.
    std::size_t source_of(std::size_t step) const;

    const Graph& graph;
    std::vector<RowGroup> groups;
    std::vector<bool> is_within;         ///< a group: it has numbers of a block alone
    std::vector<bool> is_given_by_rows;  ///< it could be set by places
    std::vector<bool> lasts;             ///< follows from `lasting` alone, and is computed as a whole
    std::vector<Index> rooms;  ///< numbers of each; steps that are not kept leave theirs to later ones
    std::vector<Call> calls;   ///< of each step
    /// Extents of the operands of all steps, one after another; behind those of a sum of pairs that of what
    /// says where it is read.
    std::vector<const Extent*> operands;
    std::vector<Reader> readers;  ///< by given tensor
};

/// Returns the bytes that a schedule takes, without its graph.
double bytes_of_schedule(const GraphSchedule& schedule);

}  // namespace headlight
