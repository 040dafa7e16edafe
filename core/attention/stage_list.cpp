#include "core/attention/stage_list.h"

#include <algorithm>
#include <cstdio>

namespace headlight {
namespace {

std::string size_text(double bytes) {
    const bool large = bytes >= 1e9;
    char text[32];
    std::snprintf(text, sizeof text, large ? "%.1f GB" : "%.0f MB", bytes / (large ? 1e9 : 1e6));
    return text;
}

}  // namespace

void StageList::add(std::string name, std::vector<Axis> axes, Shape shape) {
    double bytes = sizeof(double);
    for (const Index extent : shape)
        bytes *= static_cast<double>(extent);
    // Maps of weights are what a trace is for; their size was checked with the plan.
    const auto limit = static_cast<double>(byte_limit_);
    if (shape.size() > 3 || axes.back() == Axis::attention) {
        if (bytes > limit) {
            omitted_.push_back(name + ": " + size_text(bytes) + ", over the limit of " + size_text(limit));
            return;
        }
    }
    stages_.push_back({.site = {},
                       .name = std::move(name),
                       .axes = std::move(axes),
                       .shape = std::move(shape),
                       .offset = 0});
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

}  // namespace headlight
