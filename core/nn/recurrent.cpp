#include "core/nn/recurrent.h"

#include <algorithm>
#include <cassert>

namespace headlight::nn {

Cell add_cell(ParameterLayout& layout, const std::string& name, CellType type, Index input_width,
              Index width) {
    const Index gates = gates_of(type), columns = gates * width;
    Cell cell;
    cell.type = type;
    cell.width = width;
    cell.input = layout.add(name + ".W_input", input_width, columns, Initial::recurrent, gates);
    cell.input_bias = layout.add(name + ".b_input", 1, columns, Initial::recurrent, gates);
    cell.hidden = layout.add(name + ".W_hidden", width, columns, Initial::recurrent, gates);
    cell.hidden_bias = layout.add(name + ".b_hidden", 1, columns, Initial::recurrent, gates);
    return cell;
}

template <class Real>
State<Real> zero_state(Tape<Real>& tape, const Cell& cell, Index batch) {
    const auto zeros = [&] {
        const Variable<Real> made = tape.constant(batch, cell.width);
        std::fill_n(made.value, made.size(), Real(0));
        return made;
    };
    return {zeros(), cell.type == CellType::lstm ? zeros() : Variable<Real>{}};
}

namespace {

/// Everything that a scan keeps between forward and backward.
template <class Real>
struct Scan {
    Cell cell;
    Direction direction;
    Index steps;
    Index batch;
    const Index* lengths;      ///< [b]; null: all the same
    Variable<Real> gates;      ///< [t b, g h], of the inputs
    Variable<Real> activated;  ///< [t b, g h]
    Variable<Real> recurrent;  ///< [t b, g h]: h U + c
    Variable<Real> hidden,
        memory;  ///< [(t + 1) b, h]: in front of the first step, or behind it, the first state

    bool is_forward() const { return direction == Direction::forward; }
    bool is_over(Index step, Index sequence) const { return lengths && step >= lengths[sequence]; }
    /// Rows of `hidden` that hold the state before and after a step.
    Index before(Index step) const { return (is_forward() ? step : step + 1) * batch; }
    Index after(Index step) const { return (is_forward() ? step + 1 : step) * batch; }
    Index step(Index number) const { return is_forward() ? number : steps - 1 - number; }
    bool has_memory() const { return memory.value != nullptr; }
};

template <class Real>
void run(Tape<Real>& tape, const Scan<Real>& scan) {
    const Index width = scan.cell.width, batch = scan.batch;
    const kernels::Packed<Real> matrix = tape.packed(scan.cell.hidden);
    const Real* bias = tape.weight(scan.cell.hidden_bias).value;
    for (Index number = 0; number < scan.steps; ++number) {
        const Index step = scan.step(number), before = scan.before(step), after = scan.after(step);
        tape.kernels().multiply({.left = scan.hidden.row_range(before, batch).view(),
                                 .right = matrix,
                                 .bias = bias,
                                 .out = scan.recurrent.row_range(step * batch, batch).view()});
        for (Index b = 0; b < batch; ++b) {
            if (scan.is_over(step, b)) {
                std::copy_n(scan.hidden.row(before + b), width, scan.hidden.row(after + b));
                if (scan.has_memory())
                    std::copy_n(scan.memory.row(before + b), width, scan.memory.row(after + b));
                continue;
            }
            tape.arithmetic().run_cell(
                scan.cell.type, {.width = width,
                                 .gates = scan.activated.row(step * batch + b),
                                 .recurrent = scan.recurrent.row(step * batch + b),
                                 .hidden = scan.hidden.row(before + b),
                                 .memory = scan.has_memory() ? scan.memory.row(before + b) : nullptr,
                                 .next_hidden = scan.hidden.row(after + b),
                                 .next_memory = scan.has_memory() ? scan.memory.row(after + b) : nullptr});
        }
    }
}

template <class Real>
void run_backward(Tape<Real>& tape, const Scan<Real>& scan) {
    const Index width = scan.cell.width, columns = scan.gates.columns, batch = scan.batch;
    const kernels::Packed<Real> matrix = tape.packed(scan.cell.hidden, true);
    Real* bias_gradient = tape.weight(scan.cell.hidden_bias).gradient();
    const kernels::Arithmetic<Real>& by = tape.arithmetic();
    Real* of_gates = tape.room(columns);  // of one row's inputs
    for (Index number = scan.steps - 1; number >= 0; --number) {
        const Index step = scan.step(number), before = scan.before(step), after = scan.after(step);
        for (Index b = 0; b < batch; ++b) {
            const Index row = step * batch + b;
            if (scan.is_over(step, b)) {
                by.add(scan.hidden.gradient_row(after + b), width, scan.hidden.gradient_row(before + b));
                if (scan.has_memory())
                    by.add(scan.memory.gradient_row(after + b), width, scan.memory.gradient_row(before + b));
                continue;
            }
            by.add_cell_slopes(
                scan.cell.type,
                {.width = width,
                 .gates = scan.activated.row(row),
                 .recurrent = scan.recurrent.row(row),
                 .hidden = scan.hidden.row(before + b),
                 .memory = scan.has_memory() ? scan.memory.row(before + b) : nullptr,
                 .next_memory = scan.has_memory() ? scan.memory.row(after + b) : nullptr,
                 .of_next_hidden = scan.hidden.gradient_row(after + b),
                 .of_next_memory = scan.has_memory() ? scan.memory.gradient_row(after + b) : nullptr,
                 .of_hidden = scan.hidden.gradient_row(before + b),
                 .of_memory = scan.has_memory() ? scan.memory.gradient_row(before + b) : nullptr,
                 .of_gates = of_gates,
                 .of_recurrent = scan.recurrent.gradient_row(row)});
            if (scan.gates.has_gradient())
                by.add(of_gates, columns, scan.gates.gradient_row(row));
        }
        by.add_column_sums(scan.recurrent.gradient_row(step * batch), batch, columns, bias_gradient);
        tape.kernels().multiply({.left = scan.recurrent.row_range(step * batch, batch).gradient_view(),
                                 .right = matrix,
                                 .adds = true,
                                 .out = scan.hidden.row_range(before, batch).gradient_view()});
    }
}

/// Hands the first state in, and its gradient out.
template <class Real>
void start(Tape<Real>& tape, Variable<Real> from, Variable<Real> to) {
    std::copy_n(from.value, from.size(), to.value);
    tape.pass_gradient(to, from);
}

}  // namespace

template <class Real>
States<Real> scan(Tape<Real>& tape, const Cell& cell, Variable<Real> gates, State<Real> first,
                  std::span<const Index> lengths, Direction direction) {
    const Index batch = first.hidden.rows, steps = gates.rows / batch, rows = steps * batch;
    assert(gates.columns == gates_of(cell.type) * cell.width && rows == gates.rows);
    assert(lengths.empty() || static_cast<Index>(lengths.size()) == batch);
    const bool has_memory = cell.type == CellType::lstm;
    const Scan<Real> scan{
        .cell = cell,
        .direction = direction,
        .steps = steps,
        .batch = batch,
        .lengths = lengths.empty() ? nullptr : tape.room_for_indices(lengths),
        .gates = gates,
        .activated = tape.constant(rows, gates.columns),
        .recurrent = tape.variable(rows, gates.columns),
        .hidden = tape.variable(rows + batch, cell.width),
        .memory = has_memory ? tape.variable(rows + batch, cell.width) : Variable<Real>{},
    };
    std::copy_n(gates.value, gates.size(), scan.activated.value);
    const Index place = direction == Direction::forward ? 0 : rows,
                results = direction == Direction::forward ? batch : 0;
    start(tape, first.hidden, scan.hidden.row_range(place, batch));
    if (has_memory)
        start(tape, first.memory, scan.memory.row_range(place, batch));
    run(tape, scan);
    if (tape.differentiates()) {
        tape.collect(cell.hidden, scan.hidden.row(direction == Direction::forward ? 0 : batch),
                     scan.recurrent);
        tape.on_backward([scan](Tape<Real>& t) {
            run_backward(t, scan);
            t.add_collected(scan.cell.hidden);
        });
    }
    return {scan.hidden.row_range(results, rows),
            has_memory ? scan.memory.row_range(results, rows) : Variable<Real>{}};
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template State<Real> zero_state(Tape<Real>&, const Cell&, Index);                                        \
    template States<Real> scan(Tape<Real>&, const Cell&, Variable<Real>, State<Real>,                        \
                               std::span<const Index>, Direction);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
