#include "core/nn/recurrent.h"

#include <algorithm>
#include <cassert>
#include <cmath>

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

/// One row of a batch at one time step, forward: `gates` holds x W + b and becomes the activated gates.
template <class Real>
struct RowForward {
    const kernels::Table<Real>& kernels;
    Index width;
    Real* gates;            ///< [g h]
    const Real* recurrent;  ///< [g h]: h U + c
    const Real* hidden;     ///< [h], before
    const Real* memory;     ///< [h], before
    Real* next_hidden;      ///< [h]
    Real* next_memory;      ///< [h]
};

/// The same backward. Gradients of the state before are added to, those of the gates are set.
template <class Real>
struct RowBackward {
    Index width;
    const Real* gates;
    const Real* recurrent;
    const Real* hidden;
    const Real* memory;
    const Real* next_hidden;
    const Real* next_memory;
    const Real* next_hidden_gradient;
    const Real* next_memory_gradient;
    Real* hidden_gradient;
    Real* memory_gradient;
    Real* gates_gradient;      ///< of x W + b
    Real* recurrent_gradient;  ///< of h U + c
};

template <class Real>
void rnn_forward(const RowForward<Real>& row) {
    for (Index i = 0; i < row.width; ++i)
        row.gates[i] += row.recurrent[i];
    row.kernels.activate(Activation::tanh, row.gates, row.width);
    std::copy_n(row.gates, row.width, row.next_hidden);
}

template <class Real>
void rnn_backward(const RowBackward<Real>& row) {
    for (Index i = 0; i < row.width; ++i)
        row.gates_gradient[i] = row.recurrent_gradient[i] =
            row.next_hidden_gradient[i] * (1 - row.gates[i] * row.gates[i]);
}

template <class Real>
void gru_forward(const RowForward<Real>& row) {
    const Index h = row.width;
    Real *reset = row.gates, *update = row.gates + h, *fresh = row.gates + 2 * h;
    for (Index i = 0; i < 2 * h; ++i)
        row.gates[i] += row.recurrent[i];
    row.kernels.activate(Activation::sigmoid, row.gates, 2 * h);
    for (Index i = 0; i < h; ++i)
        fresh[i] += reset[i] * row.recurrent[2 * h + i];
    row.kernels.activate(Activation::tanh, fresh, h);
    for (Index i = 0; i < h; ++i)
        row.next_hidden[i] = fresh[i] + update[i] * (row.hidden[i] - fresh[i]);
}

template <class Real>
void gru_backward(const RowBackward<Real>& row) {
    const Index h = row.width;
    const Real *reset = row.gates, *update = row.gates + h, *fresh = row.gates + 2 * h;
    for (Index i = 0; i < h; ++i) {
        const Real gradient = row.next_hidden_gradient[i];
        const Real of_fresh = gradient * (1 - update[i]) * (1 - fresh[i] * fresh[i]);
        const Real of_update = gradient * (row.hidden[i] - fresh[i]) * update[i] * (1 - update[i]);
        const Real of_reset = of_fresh * row.recurrent[2 * h + i] * reset[i] * (1 - reset[i]);
        row.gates_gradient[i] = row.recurrent_gradient[i] = of_reset;
        row.gates_gradient[h + i] = row.recurrent_gradient[h + i] = of_update;
        row.gates_gradient[2 * h + i] = of_fresh;
        row.recurrent_gradient[2 * h + i] = of_fresh * reset[i];
        row.hidden_gradient[i] += gradient * update[i];
    }
}

template <class Real>
void lstm_forward(const RowForward<Real>& row) {
    const Index h = row.width;
    Real *input = row.gates, *forget = row.gates + h, *fresh = row.gates + 2 * h, *output = row.gates + 3 * h;
    for (Index i = 0; i < 4 * h; ++i)
        row.gates[i] += row.recurrent[i];
    row.kernels.activate(Activation::sigmoid, input, 2 * h);
    row.kernels.activate(Activation::tanh, fresh, h);
    row.kernels.activate(Activation::sigmoid, output, h);
    for (Index i = 0; i < h; ++i)
        row.next_hidden[i] = row.next_memory[i] = forget[i] * row.memory[i] + input[i] * fresh[i];
    row.kernels.activate(Activation::tanh, row.next_hidden, h);
    for (Index i = 0; i < h; ++i)
        row.next_hidden[i] *= output[i];
}

template <class Real>
void lstm_backward(const RowBackward<Real>& row) {
    const Index h = row.width;
    const Real *input = row.gates, *forget = row.gates + h, *fresh = row.gates + 2 * h,
               *output = row.gates + 3 * h;
    for (Index i = 0; i < h; ++i) {
        const Real bent = std::tanh(row.next_memory[i]);
        const Real of_output = row.next_hidden_gradient[i] * bent;
        const Real of_memory =
            row.next_memory_gradient[i] + row.next_hidden_gradient[i] * output[i] * (1 - bent * bent);
        row.gates_gradient[i] = of_memory * fresh[i] * input[i] * (1 - input[i]);
        row.gates_gradient[h + i] = of_memory * row.memory[i] * forget[i] * (1 - forget[i]);
        row.gates_gradient[2 * h + i] = of_memory * input[i] * (1 - fresh[i] * fresh[i]);
        row.gates_gradient[3 * h + i] = of_output * output[i] * (1 - output[i]);
        row.memory_gradient[i] += of_memory * forget[i];
    }
    std::copy_n(row.gates_gradient, 4 * h, row.recurrent_gradient);
}

template <class Real>
void forward_row(CellType type, const RowForward<Real>& row) {
    switch (type) {
    case CellType::rnn:
        return rnn_forward(row);
    case CellType::gru:
        return gru_forward(row);
    case CellType::lstm:
        return lstm_forward(row);
    }
}

template <class Real>
void backward_row(CellType type, const RowBackward<Real>& row) {
    switch (type) {
    case CellType::rnn:
        return rnn_backward(row);
    case CellType::gru:
        return gru_backward(row);
    case CellType::lstm:
        return lstm_backward(row);
    }
}

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
    const Index width = scan.cell.width, columns = scan.gates.columns, batch = scan.batch;
    const kernels::Packed<Real> matrix = tape.packed(scan.cell.hidden);
    const Real* bias = tape.weight(scan.cell.hidden_bias).value;
    for (Index number = 0; number < scan.steps; ++number) {
        const Index step = scan.step(number), before = scan.before(step), after = scan.after(step);
        tape.kernels().multiply({.left = scan.hidden.row(before),
                                 .left_stride = width,
                                 .right = matrix,
                                 .bias = bias,
                                 .out = scan.recurrent.row(step * batch),
                                 .out_stride = columns,
                                 .rows = batch,
                                 .depth = width,
                                 .columns = columns});
        for (Index b = 0; b < batch; ++b) {
            if (scan.is_over(step, b)) {
                std::copy_n(scan.hidden.row(before + b), width, scan.hidden.row(after + b));
                if (scan.has_memory())
                    std::copy_n(scan.memory.row(before + b), width, scan.memory.row(after + b));
                continue;
            }
            forward_row<Real>(scan.cell.type,
                              {.kernels = tape.kernels(),
                               .width = width,
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
    Real* bias_gradient = tape.weight(scan.cell.hidden_bias).gradient;
    Real* unused = tape.room(columns);  // the inputs' gradient, where nobody asks for it
    for (Index number = scan.steps - 1; number >= 0; --number) {
        const Index step = scan.step(number), before = scan.before(step), after = scan.after(step);
        for (Index b = 0; b < batch; ++b) {
            const Index row = step * batch + b;
            Real* recurrent_gradient = scan.recurrent.gradient_row(row);
            if (scan.is_over(step, b)) {
                for (Index i = 0; i < width; ++i) {
                    scan.hidden.gradient_row(before + b)[i] += scan.hidden.gradient_row(after + b)[i];
                    if (scan.has_memory())
                        scan.memory.gradient_row(before + b)[i] += scan.memory.gradient_row(after + b)[i];
                }
                continue;
            }
            Real* gates_gradient = unused;
            backward_row<Real>(
                scan.cell.type,
                {.width = width,
                 .gates = scan.activated.row(row),
                 .recurrent = scan.recurrent.row(row),
                 .hidden = scan.hidden.row(before + b),
                 .memory = scan.has_memory() ? scan.memory.row(before + b) : nullptr,
                 .next_hidden = scan.hidden.row(after + b),
                 .next_memory = scan.has_memory() ? scan.memory.row(after + b) : nullptr,
                 .next_hidden_gradient = scan.hidden.gradient_row(after + b),
                 .next_memory_gradient = scan.has_memory() ? scan.memory.gradient_row(after + b) : nullptr,
                 .hidden_gradient = scan.hidden.gradient_row(before + b),
                 .memory_gradient = scan.has_memory() ? scan.memory.gradient_row(before + b) : nullptr,
                 .gates_gradient = gates_gradient,
                 .recurrent_gradient = recurrent_gradient});
            for (Index c = 0; c < columns; ++c)
                bias_gradient[c] += recurrent_gradient[c];
            for (Index c = 0; scan.gates.gradient && c < columns; ++c)
                scan.gates.gradient_row(row)[c] += gates_gradient[c];
        }
        tape.kernels().multiply({.left = scan.recurrent.gradient_row(step * batch),
                                 .left_stride = columns,
                                 .right = matrix,
                                 .adds = true,
                                 .out = scan.hidden.gradient_row(before),
                                 .out_stride = width,
                                 .rows = batch,
                                 .depth = columns,
                                 .columns = width});
    }
}

/// Hands the first state in, and its gradient out.
template <class Real>
void start(Tape<Real>& tape, Variable<Real> from, Variable<Real> to) {
    std::copy_n(from.value, from.size(), to.value);
    tape.on_backward([=](Tape<Real>&) {
        for (Index i = 0; from.gradient && i < from.size(); ++i)
            from.gradient[i] += to.gradient[i];
    });
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
                     scan.recurrent.gradient, rows);
        tape.on_backward([scan](Tape<Real>& t) { run_backward(t, scan); });
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
