#pragma once

#include "core/kernels/loops.inc.h"

namespace headlight::kernels { namespace {

template <class Real>
void run_rnn(const CellRow<Real>& row) {
    for_each_place<Real>(row.width, [&](auto at) {
        const Packet<Real> next = tanh_of<Real>(at(row.gates) + at(row.recurrent));
        at.set(row.gates, next);
        at.set(row.next_hidden, next);
    });
}

template <class Real>
void add_rnn_slopes(const CellSlopes<Real>& row) {
    for_each_place<Real>(row.width, [&](auto at) {
        const Packet<Real> of_sum = at(row.of_next_hidden) * slope<Activation::tanh, Real>(at(row.gates));
        at.set(row.of_gates, of_sum);
        at.set(row.of_recurrent, of_sum);
    });
}

template <class Real>
void run_gru(const CellRow<Real>& row) {
    const Index h = row.width;
    for_each_place<Real>(h, [&](auto at) {
        const auto gate = [&](Index number) { return row.gates + number * h; };
        const auto recurrent = [&](Index number) { return at(row.recurrent + number * h); };
        const Packet<Real> reset = sigmoid_of<Real>(at(gate(0)) + recurrent(0));
        const Packet<Real> update = sigmoid_of<Real>(at(gate(1)) + recurrent(1));
        const Packet<Real> fresh = tanh_of<Real>(at(gate(2)) + reset * recurrent(2));
        at.set(gate(0), reset);
        at.set(gate(1), update);
        at.set(gate(2), fresh);
        at.set(row.next_hidden, fresh + update * (at(row.hidden) - fresh));
    });
}

template <class Real>
void add_gru_slopes(const CellSlopes<Real>& row) {
    const Index h = row.width;
    for_each_place<Real>(h, [&](auto at) {
        const Packet<Real> one = fill(Real(1)), of_next = at(row.of_next_hidden);
        const Packet<Real> reset = at(row.gates), update = at(row.gates + h), fresh = at(row.gates + 2 * h);
        const Packet<Real> of_fresh = of_next * (one - update) * slope<Activation::tanh, Real>(fresh);
        const Packet<Real> of_update =
            of_next * (at(row.hidden) - fresh) * slope<Activation::sigmoid, Real>(update);
        const Packet<Real> of_reset =
            of_fresh * at(row.recurrent + 2 * h) * slope<Activation::sigmoid, Real>(reset);
        const Packet<Real> of_sums[] = {of_reset, of_update, of_fresh};
        for (Index gate = 0; gate < 3; ++gate) {
            at.set(row.of_gates + gate * h, of_sums[gate]);
            at.set(row.of_recurrent + gate * h, gate < 2 ? of_sums[gate] : Packet<Real>(of_fresh * reset));
        }
        at.add(row.of_hidden, of_next * update);
    });
}

template <class Real>
void run_lstm(const CellRow<Real>& row) {
    const Index h = row.width;
    for_each_place<Real>(h, [&](auto at) {
        const auto sum = [&](Index gate) { return at(row.gates + gate * h) + at(row.recurrent + gate * h); };
        const Packet<Real> input = sigmoid_of<Real>(sum(0)), forget = sigmoid_of<Real>(sum(1)),
                           fresh = tanh_of<Real>(sum(2)), output = sigmoid_of<Real>(sum(3));
        const Packet<Real> gates[] = {input, forget, fresh, output};
        for (Index gate = 0; gate < 4; ++gate)
            at.set(row.gates + gate * h, gates[gate]);
        const Packet<Real> memory = forget * at(row.memory) + input * fresh;
        at.set(row.next_memory, memory);
        at.set(row.next_hidden, output * tanh_of<Real>(memory));
    });
}

template <class Real>
void add_lstm_slopes(const CellSlopes<Real>& row) {
    const Index h = row.width;
    for_each_place<Real>(h, [&](auto at) {
        const Packet<Real> input = at(row.gates), forget = at(row.gates + h), fresh = at(row.gates + 2 * h),
                           output = at(row.gates + 3 * h), of_next = at(row.of_next_hidden);
        const Packet<Real> bent = tanh_of<Real>(at(row.next_memory));
        const Packet<Real> of_memory =
            at(row.of_next_memory) + of_next * output * slope<Activation::tanh, Real>(bent);
        const Packet<Real> of_sums[] = {
            of_memory * fresh * slope<Activation::sigmoid, Real>(input),
            of_memory * at(row.memory) * slope<Activation::sigmoid, Real>(forget),
            of_memory * input * slope<Activation::tanh, Real>(fresh),
            of_next * bent * slope<Activation::sigmoid, Real>(output),
        };
        for (Index gate = 0; gate < 4; ++gate) {
            at.set(row.of_gates + gate * h, of_sums[gate]);
            at.set(row.of_recurrent + gate * h, of_sums[gate]);
        }
        at.add(row.of_memory, of_memory * forget);
    });
}

template <class Real>
void run_cell(CellType type, const CellRow<Real>& row) {
    switch (type) {
    case CellType::rnn:
        return run_rnn(row);
    case CellType::gru:
        return run_gru(row);
    case CellType::lstm:
        return run_lstm(row);
    }
}

template <class Real>
void add_cell_slopes(CellType type, const CellSlopes<Real>& row) {
    switch (type) {
    case CellType::rnn:
        return add_rnn_slopes(row);
    case CellType::gru:
        return add_gru_slopes(row);
    case CellType::lstm:
        return add_lstm_slopes(row);
    }
}

}}  // namespace headlight::kernels
