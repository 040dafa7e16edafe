#include "core/model/generation.h"

#include "core/model/decoding.h"
#include "core/model/tensors.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

/// Keeps what passes by.
class Recording : public Hook<float> {
public:
    explicit Recording(std::vector<SiteStep>& sites, std::optional<CopyingStep>* copying = nullptr)
        : sites_(sites), copying_(copying) {}

    void scores(const SiteCall& call, nn::Variable<float> query, nn::Variable<float> scores) override {
        begin_site(call, query).scores = copy(scores);
    }
    void weights(const SiteCall&, nn::Variable<float> weights) override {
        sites_.back().weights = copy(weights);
    }
    void context(const SiteCall&, nn::Variable<float> context) override {
        sites_.back().context = copy(context);
    }
    void attended(const SiteCall& call, nn::Variable<float> query, nn::Variable<float> weights) override {
        SiteStep& site = begin_site(call, query);
        if (weights.value)
            site.weights = copy(weights);
    }
    void mixture(const nn::CopyMixture<float>& mixture) override {
        if (!copying_)
            return;
        const auto numbers = [](nn::Variable<float> from) {
            return std::vector<float>(from.values().begin(), from.values().end());
        };
        *copying_ = {static_cast<double>(*mixture.generates.value), numbers(mixture.vocabulary),
                     numbers(mixture.copied)};
    }

private:
    SiteStep& begin_site(const SiteCall& call, nn::Variable<float> query) {
        SiteStep& site = sites_.emplace_back();
        site.site = call.site;
        site.heads = call.pairing.heads;
        site.stream = call.stream;
        site.query = copy(query);
        return site;
    }

    std::vector<SiteStep>& sites_;
    std::optional<CopyingStep>* copying_;  ///< null where nothing is said
};

Sequences one_sequence(const std::vector<Index>& tokens) { return side_by_side(std::span(&tokens, 1)); }

}  // namespace

double CopyingStep::copied_share(Index token) const {
    const auto word = static_cast<std::size_t>(token);
    const double by_copying = (1 - generates) * static_cast<double>(copied[word]);
    const double whole = generates * static_cast<double>(vocabulary[word]) + by_copying;
    return whole > 0 ? by_copying / whole : 0;
}

Generation::Generation(const Host& host, std::span<const float> weights, std::vector<Index> source)
    : host_(host), source_(std::move(source)) {
    Recording recording(encoder_sites_);
    decoding_ = host.read(weights, one_sequence(source_), &recording);
}

const GenerationStep& Generation::read(Index token) {
    GenerationStep step;
    step.token = token;
    step.after = steps_.empty() ? decoding_->start() : steps_.back().after;
    Recording recording(step.sites, &step.copying);
    Intervening intervening(interventions_, &recording);
    const FloatTensor logits = decoding_->next(step.after, std::span(&token, 1), &intervening);
    step.logits.assign(logits.values().begin(), logits.values().end());
    step.ranking = Ranking(step.logits);
    return steps_.emplace_back(std::move(step));
}

void Generation::keep(Index count) {
    steps_.resize(static_cast<std::size_t>(std::min(count, std::ssize(steps_))));
}

std::vector<Index> BeamTree::text(Index node) const {
    std::vector<Index> tokens;
    for (; nodes[static_cast<std::size_t>(node)].parent >= 0;
         node = nodes[static_cast<std::size_t>(node)].parent)
        tokens.push_back(nodes[static_cast<std::size_t>(node)].token);
    std::ranges::reverse(tokens);
    return tokens;
}

BeamTree search_beam(const Host& host, std::span<const float> weights, const std::vector<Index>& source,
                     std::span<const Index> given, Index end, const BeamOptions& options,
                     const std::function<bool()>& cancelled) {
    const auto decoding = host.read(weights, one_sequence(source), nullptr);
    const auto read = [&](DecodingState& state, Index token) {
        Intervening intervening(options.interventions);
        return decoding->next(state, std::span(&token, 1), &intervening);
    };
    const auto score = [&](const BeamNode& node) {
        return node.log_probability /
               std::pow(std::max<double>(static_cast<double>(node.length), 1), options.length_penalty);
    };
    BeamTree tree;
    struct Open {
        Index node;
        DecodingState state;
        FloatTensor logits;
    };
    std::vector<Open> beam(1);
    tree.nodes.push_back({.token = given.back(), .is_kept = true});
    beam.front().state = decoding->start();
    for (const Index token : given)
        beam.front().logits = read(beam.front().state, token);

    std::vector<Index> over;
    for (Index t = 0; t < options.longest && !beam.empty() && !(cancelled && cancelled()); ++t) {
        std::vector<std::pair<Index, std::size_t>> grown;  // node, and which of the beam it came from
        for (std::size_t i = 0; i < beam.size(); ++i)
            for (const Candidate& next : candidates(beam[i].logits.values(), options.width)) {
                const BeamNode& parent = tree.nodes[static_cast<std::size_t>(beam[i].node)];
                const BeamNode node{.parent = beam[i].node,
                                    .token = next.token,
                                    .log_probability = parent.log_probability + std::log(next.probability),
                                    .length = parent.length + 1,
                                    .is_over = next.token == end};
                grown.emplace_back(std::ssize(tree.nodes), i);
                tree.nodes.push_back(node);
            }
        std::ranges::stable_sort(grown, std::greater(), [&](const auto& each) {
            return score(tree.nodes[static_cast<std::size_t>(each.first)]);
        });
        // A text that is over takes one of the places, so that the beam narrows until none is left.
        const auto places = static_cast<std::size_t>(options.width) - over.size();
        grown.resize(std::min(grown.size(), places));
        std::vector<Open> next;
        for (const auto& [number, from] : grown) {
            BeamNode& node = tree.nodes[static_cast<std::size_t>(number)];
            node.is_kept = true;
            if (node.is_over) {
                over.push_back(number);
                continue;
            }
            if (t + 1 == options.longest) {
                over.push_back(number);
                continue;
            }
            Open open{number, beam[from].state, {}};
            open.logits = read(open.state, node.token);
            next.push_back(std::move(open));
        }
        beam = std::move(next);
    }
    const auto best = std::ranges::max_element(
        over, {}, [&](Index number) { return score(tree.nodes[static_cast<std::size_t>(number)]); });
    tree.best = best == over.end() ? 0 : *best;
    return tree;
}

}  // namespace headlight
