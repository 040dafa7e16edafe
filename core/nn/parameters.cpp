#include "core/nn/parameters.h"

#include "core/tensor/error.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <cmath>

namespace headlight::nn {

Weight ParameterLayout::add(const std::string& name, Index rows, Index columns, Initial initial,
                            Index gates) {
    if (std::ranges::any_of(entries_, [&](const Entry& entry) { return entry.name == name; }))
        throw Error({"add a parameter", name, "a name of its own", "one that is there already"});
    const Weight weight{size_, rows, columns};
    entries_.push_back({.name = name, .weight = weight, .initial = initial, .gates = gates});
    size_ += weight.size();
    return weight;
}

Weight ParameterLayout::add_constant(const std::string& name, Index rows, Index columns, double constant) {
    const Weight weight = add(name, rows, columns, Initial::constant);
    entries_.back().constant = constant;
    return weight;
}

Weight ParameterLayout::find(std::string_view name) const {
    const auto found = std::ranges::find(entries_, name, &Entry::name);
    if (found != entries_.end())
        return found->weight;
    std::string names;
    for (const Entry& entry : entries_)
        names += (names.empty() ? "" : ", ") + entry.name;
    throw Error({"find a parameter", "", "one of " + excerpt(names, 400), excerpt(std::string(name))});
}

namespace {

double initial_value(const ParameterLayout::Entry& entry, std::uint64_t stream, std::uint64_t index) {
    const auto within = [&](double bound) { return bound * (2 * uniform(substream(stream, index)) - 1); };
    const double rows = static_cast<double>(entry.weight.rows);
    const double columns = static_cast<double>(entry.weight.columns) / static_cast<double>(entry.gates);
    switch (entry.initial) {
    case Initial::zero:
        return 0;
    case Initial::one:
        return 1;
    case Initial::constant:
        return entry.constant;
    case Initial::xavier:
        return within(std::sqrt(6 / (rows + columns)));
    case Initial::recurrent:
        return within(1 / std::sqrt(columns));
    case Initial::embedding:
        return 0.02 * standard_normal(stream, index);
    }
    return 0;
}

}  // namespace

template <class Real>
std::vector<Real> ParameterLayout::initial_values(std::uint64_t seed) const {
    std::vector<Real> values(static_cast<std::size_t>(size_));
    for (const Entry& entry : entries_) {
        const std::uint64_t stream = substream(seed, entry.name);
        for (Index i = 0; i < entry.weight.size(); ++i)
            values[static_cast<std::size_t>(entry.weight.offset + i)] =
                static_cast<Real>(initial_value(entry, stream, static_cast<std::uint64_t>(i)));
    }
    return values;
}

template std::vector<float> ParameterLayout::initial_values(std::uint64_t) const;
template std::vector<double> ParameterLayout::initial_values(std::uint64_t) const;

}  // namespace headlight::nn
