#include "ui/models/model_edit.h"

#include "core/io/session_model.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// The whole of what is said, the last step in focus.
void show_all(Session& session) {
    session.view.decoding_step.reset();
    session.view.selection.query = last_row;
}

const SpokenSite* find_site(const Utterance& utterance, const std::string& name) {
    const auto found =
        std::ranges::find(utterance.sites, name, [](const SpokenSite& each) { return each.site.name; });
    return found == utterance.sites.end() ? nullptr : &*found;
}

std::string quoted(const std::string& word) {
    std::string text = "“";
    text += word + "”";
    return text;
}

/// What the axis calls number `index`, from 1 where it has no words.
std::string label(const std::vector<std::string>& labels, Index index) {
    const auto at = static_cast<std::size_t>(index);
    return at < labels.size() ? quoted(labels[at]) : std::to_string(index + 1);
}

}  // namespace

Index current_step(const ViewSettings& view, const Utterance& utterance) {
    const Index last = std::max<Index>(std::ssize(utterance.steps), 1) - 1;
    const SpokenSite* site = find_site(utterance, view.selection.site);
    if (!site || site->site.in_encoder)
        return last;
    Index step = view.selection.query;
    if (view.view == ViewKind::steps && view.decoding_step)
        step = std::min(step, *view.decoding_step);
    return std::clamp<Index>(step, 0, last);
}

Session with_source(Session session, const std::string& text) {
    if (!session.model)
        return session;
    session.model->request.source = text;
    session.model->request.chosen.clear();
    show_all(session);
    return session;
}

Session with_choice(Session session, const Utterance& utterance, Index step, const std::string& word) {
    if (!session.model || step < 0 || step >= std::ssize(utterance.steps))
        return session;
    const auto at = static_cast<std::size_t>(step);
    if (utterance.steps[at].is_given)
        throw Error({"choose a word", "step " + std::to_string(step + 1), "a word that the model says",
                     "one that it was given"});
    SpeechRequest& request = session.model->request;
    std::vector<std::string> chosen;
    std::size_t first = 0;
    for (std::size_t i = 0; i < at; ++i) {
        if (utterance.steps[i].is_given)
            first = i + 1;
        else
            chosen.push_back(utterance.steps[i].said);
    }
    chosen.push_back(word);
    while (!chosen.empty()) {
        const auto& choices = utterance.steps[first + chosen.size() - 1].choices;
        if (choices.empty() || choices.front().word != chosen.back())
            break;
        chosen.pop_back();
    }
    request.chosen = std::move(chosen);
    request.target.reset();
    return session;
}

Session with_target(Session session, const std::string& text) {
    if (!session.model)
        return session;
    session.model->request.target = text.empty() ? std::nullopt : std::optional(text);
    show_all(session);
    return session;
}

Session with_own_words(Session session) {
    if (!session.model)
        return session;
    session.model->request.chosen.clear();
    session.model->request.target.reset();
    return session;
}

Session with_intervention(Session session, const Intervention& intervention) {
    if (!session.model)
        return session;
    auto& all = session.model->request.interventions;
    if (std::ranges::find(all, intervention) == all.end())
        all.push_back(intervention);
    return session;
}

Session without_intervention(Session session, std::size_t index) {
    if (!session.model)
        return session;
    auto& all = session.model->request.interventions;
    if (index < all.size())
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(index));
    return session;
}

std::string intervention_text(const Intervention& intervention, const Utterance& utterance) {
    using Kind = Intervention::Kind;
    const SpokenSite* site = find_site(utterance, intervention.site);
    const TokenLabels tokens = site ? site->trace->tokens : TokenLabels();
    const std::string key = label(tokens.key.empty() ? tokens.query : tokens.key, intervention.key);
    std::string text;
    switch (intervention.kind) {
    case Kind::set_weight:
        text =
            key + " gets " + std::to_string(static_cast<int>(std::lround(100 * intervention.weight))) + " %";
        break;
    case Kind::zero_column:
        text = key + " gets no weight";
        break;
    case Kind::forbid_key:
        text = key + " is forbidden";
        break;
    case Kind::uniform_row:
        text = "every key alike";
        break;
    case Kind::copy_head:
        text = "weights of head " + std::to_string(intervention.from_head + 1);
        break;
    case Kind::mute_head:
        text = "no weight at all";
        break;
    }
    if (intervention.head && (!site || site->plan->heads > 1))
        text += ", head " + std::to_string(*intervention.head + 1);
    if (intervention.step)
        text += ", step " + std::to_string(*intervention.step + 1);
    return text;
}

std::vector<Intervention> possible_interventions(const Utterance& utterance, const Selection& cell) {
    using Kind = Intervention::Kind;
    const SpokenSite* site = find_site(utterance, cell.site);
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
        if (kind == Kind::zero_column || kind == Kind::forbid_key || kind == Kind::set_weight)
            each.key = cell.key;
        return each;
    };
    const Index heads = site->plan->heads;
    std::vector<Intervention> possible{
        make(Kind::zero_column, false, false), make(Kind::forbid_key, false, false),
        make(Kind::set_weight, heads > 1, true), make(Kind::uniform_row, heads > 1, true)};
    possible[2].weight = 1;
    for (Index other = 0; other < heads; ++other)
        if (other != cell.head) {
            possible.push_back(make(Kind::copy_head, true, true));
            possible.back().from_head = other;
        }
    possible.push_back(make(Kind::mute_head, heads > 1, false));
    return possible;
}

}  // namespace headlight
