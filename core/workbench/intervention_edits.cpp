#include "core/workbench/intervention_edits.h"

#include "core/figure/site_words.h"
#include "core/model/intervention_text.h"
#include "core/workbench/generated_text.h"

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

/// "“cat” gets no weight (rows renormalised)".
std::string change_text(const Intervention& intervention, const Transcript& transcript) {
    const SiteRecord* site = transcript.find(intervention.site);
    return intervention_effect(intervention, site ? site->trace->tokens : TokenLabels());
}

/// ", head 2, step 3".
std::string rows_text(const Intervention& intervention, const Transcript& transcript) {
    const SiteRecord* site = transcript.find(intervention.site);
    return intervention_rows(intervention, site ? site->plan->heads : 2);
}

}  // namespace

Edit intervene(Session session, std::string name, const Intervention& intervention) {
    if (session.model) {
        auto& all = session.model->request.interventions;
        if (std::ranges::find(all, intervention) == all.end())
            all.push_back(intervention);
    }
    return {std::move(name), std::move(session)};
}

Edit set_weight(Session session, const Intervention& weight, std::string merge) {
    if (session.model) {
        auto& all = session.model->request.interventions;
        std::erase_if(all, [&](Intervention each) {
            each.weight = weight.weight;
            return each == weight;
        });
        all.push_back(weight);
    }
    return {"Set a weight", std::move(session), std::move(merge)};
}

std::string weight_key(const Intervention& weight) {
    std::string key = "weight:" + weight.site;
    for (const Index index : {weight.head.value_or(0), weight.step.value_or(0), weight.key})
        key += '/' + std::to_string(index);
    return key;
}

Edit take_back(Session session, std::size_t index, std::string_view called) {
    if (session.model) {
        auto& all = session.model->request.interventions;
        if (index < all.size())
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(index));
    }
    return {"Take back: " + std::string(called), std::move(session)};
}

std::string intervention_text(const Intervention& intervention, const Transcript& transcript) {
    std::string text = change_text(intervention, transcript);
    text += rows_text(intervention, transcript);
    return text;
}

std::string placed_intervention_text(const Intervention& intervention, const Transcript& transcript) {
    std::string text = change_text(intervention, transcript);
    const SiteRecord* site = transcript.find(intervention.site);
    if (site && transcript.sites.size() > 1) {
        text += ", ";
        text += site_in_words(site->site.name, has_layers(transcript));
    }
    text += rows_text(intervention, transcript);
    return text;
}

bool is_behind_the_end(const Intervention& intervention, const Transcript& transcript) {
    return intervention.step && *intervention.step >= std::ssize(transcript.steps);
}

std::optional<Intervention> weight_at(const Transcript& transcript, const Selection& cell) {
    const SiteRecord* site = transcript.find(cell.site);
    if (!site || site->site.in_encoder || cell.stage != "weights")
        return std::nullopt;
    const Plan& plan = *site->plan;
    const auto is_in = [](Index index, Index extent) { return index >= 0 && index < extent; };
    if (!is_in(cell.head, plan.heads) || !is_in(cell.query, plan.queries) || !is_in(cell.key, plan.keys) ||
        !plan.allowed.row(cell.query)[static_cast<std::size_t>(cell.key)])
        return std::nullopt;
    Intervention at;
    at.kind = Intervention::Kind::set_weight;
    at.site = cell.site;
    if (plan.heads > 1)
        at.head = cell.head;
    at.step = cell.query;
    at.key = cell.key;
    const Trace& trace = *site->trace;
    at.weight =
        std::clamp(trace.matrix(*trace.find("weights"),
                                cell.head)[static_cast<std::size_t>(cell.query * plan.keys + cell.key)],
                   0.0, 1.0);
    return at;
}

std::vector<Intervention> interventions_at(const GenerationRequest& request, const Selection& row) {
    std::vector<Intervention> found;
    for (const Intervention& each : request.interventions)
        if (each.site == row.site && each.head.value_or(row.head) == row.head &&
            each.step.value_or(row.query) == row.query)
            found.push_back(each);
    return found;
}

std::vector<Intervention> possible_interventions(const Transcript& transcript, const Selection& cell) {
    using Kind = Intervention::Kind;
    const SiteRecord* site = transcript.find(cell.site);
    if (!site || site->site.in_encoder)
        return {};
    const auto make = [&](Kind kind, bool one_head, bool one_step) {
        Intervention each;
        each.kind = kind;
        each.site = cell.site;
        if (one_head)
            each.head = cell.head;
        if (one_step)
            each.step = cell.query;
        if (is_about_key(kind))
            each.key = cell.key;
        return each;
    };
    const Index heads = site->plan->heads;
    std::vector<Intervention> possible{make(Kind::zero_column, false, false),
                                       make(Kind::zero_column, false, false),
                                       make(Kind::forbid_key, false, false)};
    possible[1].renormalizes = true;
    if (weight_at(transcript, cell)) {
        possible.push_back(make(Kind::set_weight, heads > 1, true));
        possible.back().weight = 1;
    }
    possible.push_back(make(Kind::uniform_row, heads > 1, true));
    for (Index other = 0; other < heads; ++other)
        if (other != cell.head) {
            possible.push_back(make(Kind::copy_head, true, true));
            possible.back().from_head = other;
        }
    possible.push_back(make(Kind::mute_head, heads > 1, false));
    return possible;
}

}  // namespace headlight
