#include "core/attention/stage_list.h"

#include "core/tensor/memory.h"

#include <algorithm>
#include <numeric>

namespace headlight {
namespace {

double bytes_of(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), static_cast<double>(sizeof(double)),
                           [](double bytes, Index extent) { return bytes * static_cast<double>(extent); });
}

}  // namespace

void StageList::add(std::string name, std::vector<Axis> axes, Shape shape) {
    const auto has = [&](Axis axis) { return std::ranges::find(axes, axis) != axes.end(); };
    if (!has_maps_ && has(Axis::query) && has(Axis::key))
        return;
    const double bytes = bytes_of(shape);
    // Maps of weights are what a trace is for; their size was checked with the plan.
    const auto limit = static_cast<double>(byte_limit_);
    if (shape.size() > 3 || axes.back() == Axis::attention) {
        if (bytes > limit) {
            omitted_.push_back(name + ": " + memory_text(bytes) + ", over the limit of " +
                               memory_text(limit));
            return;
        }
    }
    stages_.push_back({.site = {},
                       .name = std::move(name),
                       .axes = std::move(axes),
                       .shape = std::move(shape),
                       .offset = 0});
}

double StageList::bytes() const {
    return std::accumulate(stages_.begin(), stages_.end(), 0.0,
                           [](double bytes, const Stage& stage) { return bytes + bytes_of(stage.shape); });
}

bool StageList::has(std::string_view name) const {
    return std::ranges::find(stages_, name, &Stage::name) != stages_.end();
}

void StageList::add_map(std::string name) {
    add(std::move(name), {Axis::head, Axis::query, Axis::key}, {plan_.heads, plan_.queries, plan_.keys});
}

void StageList::add_column(std::string name) {
    add(std::move(name), {Axis::head, Axis::query}, {plan_.heads, plan_.queries});
}

void StageList::add_vectors(std::string name, Axis token, Index width) {
    const bool is_key = token == Axis::key;
    add(std::move(name), {Axis::head, token, Axis::feature},
        {is_key ? plan_.kv_heads : plan_.heads, is_key ? plan_.keys : plan_.queries, width});
}

void StageList::add_rows(std::string name, Axis token, Index width) {
    add(std::move(name), {token, Axis::feature}, {token == Axis::key ? plan_.keys : plan_.queries, width});
}

}  // namespace headlight
