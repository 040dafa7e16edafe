#include "core/figure/stage_chain.h"

#include "core/attention/pipeline_stages.h"
#include "core/figure/words.h"

#include <algorithm>
#include <cstring>

namespace headlight {

namespace {

bool has_role(const DeclaredStage* declared, StageRole role) { return declared && declared->role == role; }

bool same_numbers(const Trace& trace, std::string_view a, std::string_view b, const std::string& site) {
    const Stage* first = trace.find(a, site);
    const Stage* second = trace.find(b, site);
    if (!first || !second || first->size() != second->size())
        return false;
    if (first->is_lazy || second->is_lazy)  // which has been found out when they were recorded
        return first->is_lazy && second->is_lazy && &trace.lazy_maps(*first) == &trace.lazy_maps(*second);
    const auto x = trace.values(*first), y = trace.values(*second);
    return x.empty() || std::memcmp(x.data(), y.data(), x.size_bytes()) == 0;
}

}  // namespace

bool is_weight_stage(std::string_view stage) { return has_role(declared_stage(stage), StageRole::weights); }

std::string find_site(const Trace& trace, const std::string& wanted) {
    const auto stages = trace.stages();
    if (stages.empty() || std::ranges::find(stages, wanted, &Stage::site) != stages.end())
        return wanted;
    return stages.front().site;
}

StageChain::StageChain(const Trace& trace, std::string site) : site_(std::move(site)) {
    const AttentionSpec* spec = trace.known_spec_at(site_);
    for (const Stage& stage : trace.stages())
        if (stage.site == site_) {
            recorded_.push_back(stage.name);
            declared_.push_back(declared_stage(spec, stage.name));
        }
    for (const std::string& stage : recorded_) {
        // Soft weights are worth a picture only where hard attention then draws from them.
        const bool is_mixed = trace.spec.heads.type == HeadsType::talking;
        const std::string twin = stage == "soft_weights" && !is_mixed ? "weights" : predecessor(stage);
        const bool repeats = !twin.empty() && same_numbers(trace, stage, twin, site_);
        if (!repeats && !has_role(declared(stage), StageRole::row))
            visible_.push_back(stage);
        shown_by_.push_back(!repeats ? stage : stage == "soft_weights" ? twin : shown_by(twin));
    }
}

bool StageChain::is_recorded(std::string_view stage) const {
    return std::ranges::find(recorded_, stage) != recorded_.end();
}

const DeclaredStage* StageChain::declared(std::string_view stage) const {
    const auto at = static_cast<std::size_t>(std::ranges::find(recorded_, stage) - recorded_.begin());
    const DeclaredStage* own = at < declared_.size() ? declared_[at].get() : nullptr;
    return own ? own : any_declaration(stage);
}

bool StageChain::is_score_stage(std::string_view stage) const {
    return has_role(declared(stage), StageRole::scores);
}

bool StageChain::is_before(std::string_view first, std::string_view second) const {
    const auto earlier = std::ranges::find(recorded_, first), later = std::ranges::find(recorded_, second);
    return later != recorded_.end() && earlier < later;
}

std::string StageChain::shown_by(std::string_view stage) const {
    const auto at = static_cast<std::size_t>(std::ranges::find(recorded_, stage) - recorded_.begin());
    return at < shown_by_.size() ? shown_by_[at] : std::string();
}

std::string StageChain::scores_before(std::string_view stage) const {
    std::string found;
    for (const std::string& name : visible_) {
        if (name == stage)
            break;
        if (is_score_stage(name))
            found = name;
    }
    return found;
}

std::string StageChain::predecessor(std::string_view stage) const {
    const auto first_recorded = [this](std::initializer_list<const char*> names) {
        const auto found =
            std::ranges::find_if(names, [this](const char* name) { return is_recorded(name); });
        return found == names.end() ? std::string() : std::string(*found);
    };
    if (stage == "key_tokens" || stage == "query")
        return first_recorded({"tokens"});
    if (stage == "value_tokens" || stage == "key")
        return first_recorded({"key_tokens", "tokens"});
    if (stage == "value")
        return first_recorded({"value_tokens", "key_tokens", "tokens"});
    if (stage == "normalized_query")
        return first_recorded({"query"});
    if (stage == "normalized_key")
        return first_recorded({"key"});
    if (stage == "concatenation")
        return first_recorded({"gated_context", "context"});
    if (stage == "output" && is_recorded("update"))
        return "update";
    if (stage == "output" || stage == "update")
        return first_recorded({"concatenation", "gated_context", "context"});
    std::string previous;
    if (is_score_stage(stage)) {  // in recorded order, because the mask may stand before the scale
        for (const std::string& name : recorded_) {
            if (name == stage)
                break;
            if (is_score_stage(name))
                previous = name;
        }
    }
    return previous;
}

}  // namespace headlight
