#pragma once

#include "core/model/host.h"
#include "core/model/intervention.h"
#include "core/model/ranking.h"
#include "core/model/word_choice.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace headlight {

/// What one site of a model did in one step, of one sequence.
struct SiteStep {
    std::string site;
    FloatTensor query;    ///< [n, d]: what it was asked with
    FloatTensor scores;   ///< [h n, m], masked; of a mechanism's program nothing, nor a context
    FloatTensor weights;  ///< [h n, m], as they were used; nothing of a mechanism without
    FloatTensor context;  ///< [n, h d_v]
    Index heads = 1;
    std::uint64_t stream = 0;  ///< SiteCall::stream
};

/// How a step that may copy came by its words: P(w) = generates vocabulary(w) + (1 - generates) copied(w)
/// (See, Liu & Manning 2017, equation 9). What looks at source words that nobody can say sums to less than 1.
struct CopyingStep {
    double generates = 0;           ///< p_gen, in [0, 1]                                  (equation 8)
    std::vector<float> vocabulary;  ///< [v]
    std::vector<float> copied;      ///< weights of the source words that are the word, [v]

    /// The share of a word's probability that is copied, in [0, 1].
    double copied_share(Index token) const;
};

/// One step of a decoder: it read `token` and said what may follow.
struct GenerationStep {
    Index token = 0;
    std::vector<float> logits;
    Ranking ranking;                     ///< of the logits
    std::optional<CopyingStep> copying;  ///< of models that copy
    std::vector<SiteStep> sites;
    DecodingState after;
};

/// One text in the making, step by step, forward and back. Steps are kept as values: going back and choosing
/// otherwise computes only what follows.
class Generation {
public:
    /// Reads the source, [m] tokens; none for a model without. `host` and `weights` must outlive it.
    Generation(const Host& host, std::span<const float> weights, std::vector<Index> source);

    const std::vector<Index>& source() const { return source_; }
    /// The encoder's sites, in one step of as many queries as the source has tokens.
    const std::vector<SiteStep>& encoder_sites() const { return encoder_sites_; }
    FloatTensor source_states() const { return decoding_->source_states(); }
    std::span<const GenerationStep> steps() const { return steps_; }

    /// Reads one more token: the first is where texts begin, the next are what was chosen, or given.
    const GenerationStep& read(Index token);
    /// Takes the newest steps back, down to `count` of them.
    void keep(Index count);
    /// From now on; steps that are there stay as they were.
    void set_interventions(std::vector<Intervention> interventions) {
        interventions_ = std::move(interventions);
    }
    const std::vector<Intervention>& interventions() const { return interventions_; }

private:
    const Host& host_;
    std::vector<Index> source_;
    std::vector<SiteStep> encoder_sites_;
    std::unique_ptr<Decoding> decoding_;
    std::vector<Intervention> interventions_;
    std::vector<GenerationStep> steps_;
};

/// A node of the tree that beam search grows.
struct BeamNode {
    Index parent = -1;  ///< of the root
    Index token = 0;
    double log_probability = 0;  ///< of the whole text so far
    Index length = 0;            ///< tokens behind the root
    bool is_over = false;        ///< the text ends here
    bool is_kept = false;        ///< it was among the best of its step
};

/// Every node that was among the `width` best continuations of some text of the beam.
struct BeamTree {
    std::vector<BeamNode> nodes;  ///< parents before children
    Index best = 0;               ///< the end of the text with the best score

    /// Tokens from the root's first child to this node.
    std::vector<Index> text(Index node) const;
};

struct BeamOptions {
    Index width = 4;
    Index longest = 64;
    /// Texts are compared by log probability / length^penalty (Wu et al. 2016, in its simple form).
    double length_penalty = 0;
    std::vector<Intervention> interventions{};
    bool operator==(const BeamOptions&) const = default;
};

/// Searches for the likeliest text; with a width of 1 it is the greedy one (Graves 2012; Sutskever et al.
/// 2014). A text that is over keeps its place, where other libraries give it to the next one: the beam
/// narrows until none is open, and an early end may cost a likelier text its place. The tree is as far as it
/// has grown when `cancelled`, asked between the steps, says so.
BeamTree search_beam(const Host& host, std::span<const float> weights, const std::vector<Index>& source,
                     std::span<const Index> given, Index end, const BeamOptions& options,
                     const std::function<bool()>& cancelled = {});

}  // namespace headlight
