#include "core/map/decay.h"

#include "core/tensor/error.h"
#include "core/tensor/extents.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace headlight {
namespace {

std::string number_text(double number) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g", number);
    return text.data();
}

}  // namespace

Decay::Decay(std::shared_ptr<const MapSource> numbers, Form form, std::vector<Index> layers_in_model)
    : numbers_(std::move(numbers)), form_(form), layers_in_model_(std::move(layers_in_model)) {
    if (elements(layers(), heads(), tokens(), width()) > static_cast<double>(most_checked))
        return;
    constexpr Index tokens_at_once = 256;
    std::vector<double> read_numbers(static_cast<std::size_t>(std::min(tokens(), tokens_at_once) * width()));
    for (Index layer = 0; layer < layers(); ++layer)
        for (Index head = 0; head < heads(); ++head)
            for (Index first = 0; first < tokens(); first += tokens_at_once) {
                Interruption::check();
                read({layer, head}, first, std::min(tokens_at_once, tokens() - first), read_numbers);
            }
}

double Decay::factor(double number, MapPlace place, Index token) const {
    const bool is_logarithm = form_ == Form::logarithm;
    const bool is_decay = is_logarithm ? number <= 0 : number >= 0 && number <= 1;  // which NaN is not
    if (!is_decay) {
        const auto at = static_cast<std::size_t>(place.layer);
        const Index layer = at < layers_in_model_.size() ? layers_in_model_[at] : place.layer;
        throw Error(
            {"read capture",
             "decay of layer " + std::to_string(layer + 1) + ", head " + std::to_string(place.head + 1) +
                 (tokens() > 1 ? ", token " + std::to_string(token + 1) : ""),
             is_logarithm ? "a logarithm of at most 0" : "a factor from 0 to 1", number_text(number)});
    }
    return is_logarithm ? std::exp(number) : number;
}

void Decay::read(MapPlace place, Index first, Index count, std::span<double> to) const {
    const bool is_of_head = tokens() == 1;
    numbers_->read_rows(place, is_of_head ? 0 : first, is_of_head ? 1 : count, to);
    const Index rows = is_of_head ? 1 : count;
    for (Index i = 0; i < rows * width(); ++i) {
        double& number = to[static_cast<std::size_t>(i)];
        number = factor(number, place, first + i / width());
    }
    for (Index row = rows; row < count; ++row)
        std::copy_n(to.begin(), width(), to.begin() + row * width());
}

}  // namespace headlight
