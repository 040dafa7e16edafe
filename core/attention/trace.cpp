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
    Index end = 0;
    for (Stage& stage : stages_) {
        stage.offset = end;
        stage.is_late = false;
        stage.is_kept = true;
        if (stage.axes.size() != stage.shape.size())
            throw Error({"lay out a trace", stage.name, "an extent for each axis", to_string(stage.shape)});
        end += element_count(stage.shape);
        element_count({end});  // refuses a sum that is beyond memory
    }
    arena_ = std::make_shared<Zeroed<double>>(static_cast<std::size_t>(end));
}

Trace::Trace(std::vector<Stage> stages, std::vector<std::shared_ptr<const LateMaps>> maps) {
    for (std::size_t i = 0; i < stages.size(); ++i)
        add_late(i, std::move(stages[i]), std::move(maps[i]));
}

void Trace::add_late(std::size_t before, Stage stage, std::shared_ptr<const LateMaps> maps) {
    stage.offset = std::ssize(late_);
    stage.is_late = true;
    stage.is_kept = maps->keeps_maps();
    stages_.insert(stages_.begin() + static_cast<std::ptrdiff_t>(before), std::move(stage));
    late_.push_back(std::move(maps));
}

const Stage* Trace::find(std::string_view stage_name, std::string_view site) const {
    const auto found = std::ranges::find_if(
        stages_, [&](const Stage& stage) { return stage.name == stage_name && stage.site == site; });
    return found == stages_.end() ? nullptr : &*found;
}

std::span<const double> Trace::values(const Stage& stage) const {
    const auto offset = static_cast<std::size_t>(stage.offset);
    if (stage.is_late)
        return late_[offset]->all();
    return std::span<const double>(*arena_).subspan(offset, static_cast<std::size_t>(stage.size()));
}

std::span<double> Trace::values(const Stage& stage) {
    assert(!stage.is_late);
    if (arena_.use_count() > 1)
        arena_ = std::make_shared<Zeroed<double>>(*arena_);
    return std::span(*arena_).subspan(static_cast<std::size_t>(stage.offset),
                                      static_cast<std::size_t>(stage.size()));
}

std::span<const double> Trace::matrix(const Stage& stage, Index head) const {
    if (stage.is_late)
        return late_[static_cast<std::size_t>(stage.offset)]->head(head);
    const auto all = values(stage);
    if (stage.shape.size() <= 2 || stage.axes.front() != Axis::head)
        return all;
    const auto size = all.size() / static_cast<std::size_t>(stage.shape.front());
    return all.subspan(static_cast<std::size_t>(head) * size, size);
}

SharedNumbers Trace::shared_matrix(const Stage& stage, Index head) const {
    std::shared_ptr<const void> owner = arena_;
    if (stage.is_late)
        owner = late_[static_cast<std::size_t>(stage.offset)];
    return {std::move(owner), matrix(stage, head)};
}

void Trace::read_rows(const Stage& stage, Index head, Index first, Index count, std::span<double> to) const {
    if (stage.is_late)
        return late_[static_cast<std::size_t>(stage.offset)]->read_rows(head, first, count, to);
    const auto keys = static_cast<std::size_t>(stage.extent(Axis::key));
    std::ranges::copy(
        matrix(stage, head)
            .subspan(static_cast<std::size_t>(first) * keys, static_cast<std::size_t>(count) * keys),
        to.begin());
}

const LateMaps& Trace::late_maps(const Stage& stage) const {
    assert(stage.is_late);
    return *late_[static_cast<std::size_t>(stage.offset)];
}

std::string Trace::problem() const {
    for (const auto& maps : late_)
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

Trace Trace::joined(std::span<const Joined> others, std::span<const std::string_view> names) const {
    struct From {
        const Trace* trace;
        const Stage* stage;
        std::string site;
    };
    std::vector<From> all;
    for (const Stage& stage : stages_)
        all.push_back({this, &stage, stage.site});
    for (const Joined& other : others)
        for (const Stage& stage : other.trace->stages())
            if (std::ranges::find(names, stage.name) != names.end())
                all.push_back({other.trace, &stage, other.site});
    const auto at_its_site = [](const From& from) {
        Stage stage = *from.stage;
        stage.site = from.site;
        return stage;
    };
    std::vector<Stage> with_numbers;
    for (const From& from : all)
        if (!from.stage->is_late)
            with_numbers.push_back(at_its_site(from));
    Trace result(std::move(with_numbers));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& [trace, stage, site] = all[i];
        if (stage->is_late)  // whoever has the trace reads the same ones
            result.add_late(i, at_its_site(all[i]), trace->late_[static_cast<std::size_t>(stage->offset)]);
        else
            std::ranges::copy(trace->values(*stage), result.values(result.stages_[i]).begin());
    }
    result.spec = spec;
    result.joined_specs = joined_specs;
    result.joined_tokens = joined_tokens;
    result.parameters = parameters;
    for (const Joined& other : others) {
        if (const auto own = other.trace->parameters.find(""); own != other.trace->parameters.end())
            result.parameters[other.site] = own->second;
        result.joined_specs[other.site] = other.trace->spec;
        // Compared runs of one sequence name it once.
        if (other.trace->tokens != tokens && other.trace->tokens != TokenLabels())
            result.joined_tokens[other.site] = other.trace->tokens;
    }
    result.name = name;
    result.tokens = tokens;
    result.seed = seed;
    result.session = session;
    result.fully_masked_queries = fully_masked_queries;
    result.omitted = omitted;
    result.by_hand = by_hand;
    for (const Joined& other : others)
        for (ChangedByHand change : other.trace->by_hand) {
            change.site = other.site;
            result.by_hand.push_back(std::move(change));
        }
    return result;
}

}  // namespace headlight
