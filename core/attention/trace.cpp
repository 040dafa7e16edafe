#include "core/attention/trace.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <cassert>

namespace headlight {

std::string_view to_string(Axis axis) {
    switch (axis) {
    case Axis::head:
        return "head";
    case Axis::query:
        return "query";
    case Axis::key:
        return "key";
    case Axis::feature:
        return "d";
    case Axis::attention:
        return "d_a";
    }
    return "";
}

bool Stage::has_axis(Axis axis) const { return std::ranges::find(axes, axis) != axes.end(); }

Index Stage::extent(Axis axis) const {
    const auto found = std::ranges::find(axes, axis);
    return found == axes.end() ? 0 : shape[static_cast<std::size_t>(found - axes.begin())];
}

Index Stage::heads() const { return std::max<Index>(1, extent(Axis::head)); }

bool Stage::is_large() const { return !is_kept; }

Trace::Trace(std::vector<Stage> stages) : stages_(std::move(stages)) {
    for (Stage& stage : stages_) {
        stage.is_lazy = false;
        stage.is_kept = true;
    }
    lay_out();
}

void Trace::lay_out() {
    Index end = 0;
    for (Stage& stage : stages_) {
        if (stage.axes.size() != stage.shape.size())
            throw Error({"lay out a trace", stage.name, "an extent for each axis", to_string(stage.shape)});
        if (stage.is_lazy)
            continue;
        stage.block = 0;
        stage.offset = end;
        end += element_count(stage.shape);
        element_count({end});  // refuses a sum that is beyond memory
    }
    blocks_.assign(1, Storage<double>(end));
}

Trace::Trace(std::vector<Stage> stages, std::vector<std::shared_ptr<const LazyMaps>> maps) {
    for (std::size_t i = 0; i < stages.size(); ++i)
        add_lazy(i, std::move(stages[i]), std::move(maps[i]));
}

void Trace::add_lazy(std::size_t before, Stage stage, std::shared_ptr<const LazyMaps> maps) {
    stage.offset = std::ssize(lazy_);
    stage.is_lazy = true;
    stage.is_kept = maps->keeps_maps();
    stages_.insert(stages_.begin() + static_cast<std::ptrdiff_t>(before), std::move(stage));
    lazy_.push_back(std::move(maps));
}

const Stage* Trace::find(std::string_view stage_name, std::string_view site) const {
    const auto found = std::ranges::find_if(
        stages_, [&](const Stage& stage) { return stage.name == stage_name && stage.site == site; });
    return found == stages_.end() ? nullptr : &*found;
}

std::span<const double> Trace::values(const Stage& stage) const {
    const auto offset = static_cast<std::size_t>(stage.offset);
    if (stage.is_lazy)
        return lazy_[offset]->all();
    return blocks_[stage.block].span().subspan(offset, static_cast<std::size_t>(stage.size()));
}

std::span<double> Trace::values(const Stage& stage) {
    assert(!stage.is_lazy);
    Storage<double>& block = blocks_[stage.block];
    if (block.is_shared())
        block = block.duplicate();
    return block.span().subspan(static_cast<std::size_t>(stage.offset),
                                static_cast<std::size_t>(stage.size()));
}

std::span<const double> Trace::matrix(const Stage& stage, Index head) const {
    if (stage.is_lazy)
        return lazy_[static_cast<std::size_t>(stage.offset)]->head(head);
    const auto all = values(stage);
    if (stage.shape.size() <= 2 || stage.axes.front() != Axis::head)
        return all;
    const auto size = all.size() / static_cast<std::size_t>(stage.shape.front());
    return all.subspan(static_cast<std::size_t>(head) * size, size);
}

Storage<const double> Trace::shared_matrix(const Stage& stage, Index head) const {
    if (stage.is_lazy)
        return {lazy_[static_cast<std::size_t>(stage.offset)], matrix(stage, head)};
    const std::span<const double> numbers = matrix(stage, head);
    const Storage<double>& block = blocks_[stage.block];
    return block.part(static_cast<std::size_t>(numbers.data() - block.data()), numbers.size());
}

void Trace::read_rows(const Stage& stage, Index head, Index first, Index count, std::span<double> to) const {
    if (stage.is_lazy)
        return lazy_[static_cast<std::size_t>(stage.offset)]->read_rows(head, first, count, to);
    const auto keys = static_cast<std::size_t>(stage.extent(Axis::key));
    std::ranges::copy(
        matrix(stage, head)
            .subspan(static_cast<std::size_t>(first) * keys, static_cast<std::size_t>(count) * keys),
        to.begin());
}

const LazyMaps& Trace::lazy_maps(const Stage& stage) const {
    assert(stage.is_lazy);
    return *lazy_[static_cast<std::size_t>(stage.offset)];
}

std::string Trace::problem() const {
    for (const auto& maps : lazy_)
        if (std::string problem = maps->problem(); !problem.empty())
            return problem;
    return {};
}

const AttentionSpec& Trace::spec_at(std::string_view site) const {
    const AttentionSpec* known = known_spec_at(site);
    return known ? *known : spec;
}

const AttentionSpec* Trace::known_spec_at(std::string_view site) const {
    if (const auto joined = joined_specs.find(site); joined != joined_specs.end())
        return &joined->second;
    return site.empty() ? &spec : nullptr;
}

const Tensor* Trace::parameter_at(std::string_view site, const std::string& parameter) const {
    const auto known = parameters.find(site);
    if (known == parameters.end())
        return nullptr;
    const auto found = known->second->find(parameter);
    return found == known->second->end() ? nullptr : &found->second;
}

const TokenLabels& Trace::tokens_at(std::string_view site) const {
    const auto joined = joined_tokens.find(site);
    return joined == joined_tokens.end() ? tokens : joined->second;
}

void Trace::add_stages_of(const Trace& other, const std::string& site) {
    const std::size_t blocks = blocks_.size();
    blocks_.insert(blocks_.end(), other.blocks_.begin(), other.blocks_.end());
    for (Stage stage : other.stages_) {
        stage.site = site;
        if (stage.is_lazy) {
            const auto maps = static_cast<std::size_t>(stage.offset);
            add_lazy(stages_.size(), std::move(stage), other.lazy_[maps]);
        } else {
            stage.block += blocks;
            stages_.push_back(std::move(stage));
        }
    }
}

Trace Trace::joined(std::span<const Joined> others) const {
    Trace result = *this;
    for (const auto& [site, other] : others) {
        result.add_stages_of(*other, site);
        if (const auto own = other->parameters.find(""); own != other->parameters.end())
            result.parameters[site] = own->second;
        result.joined_specs[site] = other->spec;
        // Compared runs of one sequence name it once.
        if (other->tokens != tokens && other->tokens != TokenLabels())
            result.joined_tokens[site] = other->tokens;
        for (ChangedByHand change : other->by_hand) {
            change.site = site;
            result.by_hand.push_back(std::move(change));
        }
    }
    return result;
}

Trace Trace::only(std::span<const std::string_view> names) const {
    Trace result = *this;
    result.stages_.clear();
    result.lazy_.clear();
    std::vector<const Stage*> from;
    for (const Stage& stage : stages_)
        if (std::ranges::find(names, stage.name) != names.end()) {
            from.push_back(&stage);
            result.stages_.push_back(stage);
        }
    result.lay_out();
    for (std::size_t i = 0; i < from.size(); ++i) {
        Stage& stage = result.stages_[i];
        if (stage.is_lazy) {
            stage.offset = std::ssize(result.lazy_);
            result.lazy_.push_back(lazy_[static_cast<std::size_t>(from[i]->offset)]);
        } else {
            std::ranges::copy(values(*from[i]), result.values(stage).begin());
        }
    }
    return result;
}

}  // namespace headlight
