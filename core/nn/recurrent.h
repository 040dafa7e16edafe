#pragma once

#include "core/kernels/cell_type.h"
#include "core/nn/tape.h"

#include <string>

namespace headlight::nn {

using kernels::CellType;
using kernels::gates_of;

/// The weights of a recurrent cell of width h on inputs of width d, g = gates_of(type).
struct Cell {
    CellType type = CellType::gru;
    Index width = 0;
    Weight input;        ///< W, [d, g h]
    Weight input_bias;   ///< [1, g h]
    Weight hidden;       ///< U, [h, g h]
    Weight hidden_bias;  ///< [1, g h]
};

/// Adds NAME.W_input, NAME.b_input, NAME.W_hidden and NAME.b_hidden.
Cell add_cell(ParameterLayout& layout, const std::string& name, CellType type, Index input_width,
              Index width);

/// What a cell remembers of each sequence of a batch.
template <class Real>
struct State {
    Variable<Real> hidden;  ///< [b, h]
    Variable<Real> memory;  ///< c, [b, h]: of lstm only
};

template <class Real>
State<Real> zero_state(Tape<Real>& tape, const Cell& cell, Index batch);

enum class Direction { forward, backward };

/// All states of a batch of b sequences, [t b, h]: those of time step 0 first.
template <class Real>
struct States {
    Variable<Real> hidden;
    Variable<Real> memory;

    State<Real> at(Index step, Index batch) const {
        return {hidden.row_range(step * batch, batch),
                memory.value ? memory.row_range(step * batch, batch) : Variable<Real>{}};
    }
};

/// Runs the cell along t time steps of b sequences: `gates` [t b, g h] is x W + b of all steps, those of step
/// 0 first (nn::affine). From its length on a sequence keeps its state; backward it starts at its end.
/// `lengths` is [b], empty when all are t long.
template <class Real>
States<Real> scan(Tape<Real>& tape, const Cell& cell, Variable<Real> gates, State<Real> first,
                  std::span<const Index> lengths = {}, Direction direction = Direction::forward);

}  // namespace headlight::nn
