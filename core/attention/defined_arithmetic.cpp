// A definition in words: its line with the numbers of one cell.
#include "core/attention/component.h"
#include "core/attention/definition_writer.h"
#include "core/attention/explained_cell.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>

namespace headlight {
namespace {

/// Energies and the like, whose stage has a row for each pair.
bool has_row_for_each_pair(const ExplainedCell& cell, std::string_view stage) {
    const Stage* found = cell.trace.find(stage);
    return found && found->has_axis(Axis::key) && found->axes.back() == Axis::attention;
}

double recorded_number(const ExplainedCell& cell, std::string_view stage) {
    if (cell.is_asked(stage))
        return cell.asked();
    return has_row_for_each_pair(cell, stage)
               ? cell.at(stage, cell.head, cell.row * cell.plan.keys + cell.column, cell.feature)
               : cell.here(stage);
}

/// A model that was traced went on with rows of its own, which a person may have changed: whether the trace
/// has the number that the line says.
bool is_still_true(const ExplainedCell& cell, std::string_view stage, const std::function<double()>& said) {
    if (!cell.plan.given || !cell.is_recorded(stage))
        return true;
    constexpr double rounding = 1e-5;  // of sums of floats, as those of a model are
    const double recorded = recorded_number(cell, stage), number = said();
    return recorded == number || std::abs(recorded - number) <= rounding * std::max(1.0, std::abs(recorded));
}

struct LineOfCell {
    const ProgramLine* line = nullptr;
    Index row = 0;  ///< of the line
};

/// The line of a stage; where each row is scored by those before, that of the cell's row.
LineOfCell line_of_cell(const ExplainedCell& cell, const AskedRows& rows, std::string_view stage) {
    if (const ProgramLine* line = rows.line_of(stage))
        return {line, cell.row};
    return {rows.line_of(std::string(stage) + "_" + std::to_string(cell.row + 1)), 0};
}

/// What the scores of a line add up over the features of each pair, but for the weight of each feature; null
/// where they are no such sum.
const Expression* weighed_in(const ProgramLine* scores) {
    if (!scores || scores->value->operation != Operation::sum_of_pairs)
        return nullptr;
    const Expression& summand = scores->value->operands.front();
    return summand->operation == Operation::multiply ? &summand->operands[1] : &summand;
}

/// What is weighed in a score, which no line has by itself: there would be a number for each feature of each
/// pair.
Arithmetic energy_of_scores(const ExplainedCell& cell, AskedRows& rows) {
    for (const std::string_view stage : {"scores", "content_scores"}) {  // a place may add to the latter
        const LineOfCell scores = line_of_cell(cell, rows, stage);
        const Expression* energy = weighed_in(scores.line);
        if (!energy)
            continue;
        DefinitionWriter writer(cell, rows);
        const DefinitionWriter::PairPlace place{cell.head, {scores.row, cell.column}, cell.feature};
        const bool is_true =
            is_still_true(cell, "energy", [&] { return writer.number_of_pair(*energy, place); });
        return is_true ? writer.part_of_pair(*energy, place) : Arithmetic();
    }
    return {};
}

Arithmetic arithmetic_of_line(const ExplainedCell& cell, AskedRows& rows, std::string_view stage) {
    LineOfCell found = line_of_cell(cell, rows, stage);
    if (!found.line && stage == "masked_scores" && !is_composed(cell.plan.spec))  // nothing is masked
        found = line_of_cell(cell, rows, "scaled_scores");
    if (!found.line)
        return stage == "energy" ? energy_of_scores(cell, rows) : Arithmetic();
    const Expression& x = found.line->value;
    Place place{cell.head, found.row, cell.column};
    if (has_row_for_each_pair(cell, stage)) {
        const bool has_all_pairs = x.extent().rows == cell.plan.queries * cell.plan.keys;
        place.row = has_all_pairs ? cell.row * cell.plan.keys + cell.column : cell.column;
        place.column = cell.feature;
    }
    const bool is_there = (x.extent().rows == 1 || place.row < x.extent().rows) &&
                          (x.extent().columns == 1 || place.column < x.extent().columns);
    if (!is_there || !is_still_true(cell, stage, [&] { return rows.at(x, place); }))
        return {};
    return DefinitionWriter(cell, rows).line(x, place);
}

}  // namespace

Arithmetic defined_arithmetic(const ExplainedCell& cell, std::string_view stage) {
    AskedRows* rows = cell.rows();
    if (!rows)
        return {};
    try {
        return arithmetic_of_line(cell, *rows, stage);
    } catch (const TooMuch&) {
        cell.forget_before();
        return {};
    }
}

}  // namespace headlight
