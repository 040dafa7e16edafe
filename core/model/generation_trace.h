#pragma once

#include "core/attention/declared_stage.h"
#include "core/attention/plan.h"
#include "core/attention/trace.h"
#include "core/model/generation.h"

#include <memory>
#include <optional>
#include <string>

namespace headlight {

/// What the rows and columns of a generation are called.
struct GeneratedWords {
    std::vector<std::string> source;  ///< [m]
    std::vector<std::string> read;    ///< [t]: what each step read
    std::vector<std::string> said;    ///< [t]: what each step was followed by
};

/// What a model says at its steps stands in a trace at a site of its own, behind those that attend:
/// - logits [query, key]: row t is step t, column w the word w; of a model that copies log P(w)
/// - generation_probability [query, d], d = 1, vocabulary_distribution and copied_distribution [query, key]:
///   of a model that copies (CopyingStep)
inline constexpr const char* says_in_decoder = "decoder.output";
inline constexpr const char* says_in_encoder = "encoder.output";  ///< the label of a classifier

/// The stages of such a site, with their axes.
const std::vector<Stage>& output_stages();
/// What one of them is called; null for any other stage.
const DeclaredStage* declared_said_stage(std::string_view stage);

/// What one site did, in the steps that have it.
std::vector<const SiteStep*> steps_of(const SiteDescription& site, const Generation& generation);

/// Every stage of one site as the engine alone computes it from what the site was asked with, or nothing when
/// it was not asked.
std::optional<Trace> engine_trace(const SiteDescription& site, std::span<const float> weights,
                                  const Generation& generation, const GeneratedWords& words);

/// What one site did, in a run of its own: the plan that explains its numbers, and all of them.
struct SiteRecord {
    SiteDescription site;
    std::shared_ptr<const Plan> plan;
    std::shared_ptr<const Trace> trace;
};

/// Every site that has been asked, in the order in which a step passes them. Throws Error when nothing has
/// been read yet.
std::vector<SiteRecord> site_records(const Host& host, std::span<const float> weights,
                                     const Generation& generation, const GeneratedWords& words);

/// The site to begin with: where the decoder looks at the source, in the last layer; else the last of all.
const SiteRecord& leading_site(std::span<const SiteRecord> sites);

/// The stages of all of them, each at the site of its name.
Trace joined_sites(std::span<const SiteRecord> sites);

/// Every stage of every site, each site in a run of its own (Trace::joined_specs, joined_tokens): row t of a
/// decoder's maps is decoding step t, called by the word that was said when it looked at the source, and by
/// the word that it read when it looked at its own text. The engine computes the stages from what each site
/// was asked with and goes on with the rows that the model went on with (GivenRows), which interventions may
/// have changed: the stages behind them follow from these, and Trace::by_hand says what was set. Behind them
/// what was said, of the words of `vocabulary` [v]. Throws Error when nothing has been read yet.
Trace generation_trace(const Host& host, std::span<const float> weights, const Generation& generation,
                       const GeneratedWords& words, const std::vector<std::string>& vocabulary);

}  // namespace headlight
