#pragma once

#include "core/model/generation_trace.h"
#include "core/model/trained_model.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// One decoding step, in words.
struct TranscriptStep {
    struct Choice {
        std::string word;
        double probability = 0;
        Index rank = 0;     ///< 1: the likeliest of all
        double copied = 0;  ///< of the probability: what comes from copying a word of the source
        bool operator==(const Choice&) const = default;
    };
    std::string read;        ///< what the step read
    std::string said;        ///< what it was followed by
    double probability = 0;  ///< of that
    /// p_gen of a model that copies: the probability that the word is generated from the vocabulary and not
    /// copied from the source (See, Liu & Manning 2017, equation 8).
    std::optional<double> generates;
    bool is_given = false;   ///< part of what a language model is given
    bool is_chosen = false;  ///< by a person, not by the model
    /// The likeliest, best first; what was said comes behind them where it is none of them.
    std::vector<Choice> choices;
};

/// What a beam search came by, in words.
struct TranscriptBeams {
    BeamTree tree;
    std::vector<std::string> words;  ///< [node]
    Index first_step = 0;            ///< that the children of the root answer
    Index followed = 0;              ///< the node that the steps of the transcript lead to
};

/// What a model has said, with every number on the way. Once made it is shared and never changed.
struct Transcript {
    std::shared_ptr<const TrainedModel> model;
    std::vector<std::string> source;  ///< its tokens; empty where there is none
    PatchedPicture picture;           ///< that these are patches of; none where they are words
    std::vector<TranscriptStep> steps;
    bool is_over = false;            ///< the last step said the end; otherwise there was no room for more
    std::vector<std::string> words;  ///< what it says, without what it was given and without the end
    std::optional<TranscriptBeams> beams;
    std::vector<SiteRecord> sites;
    /// `words` as they would be without the interventions, if there are any.
    std::optional<std::vector<std::string>> untouched;
    /// What every site does in the very steps above without the interventions: the same words are read, so
    /// that row for row nothing else differs. A row is called by what it would say there.
    std::vector<SiteRecord> untouched_sites;
    /// What every site does without the interventions while the model says `untouched`: the run before them.
    /// Empty where it goes on as in the steps above, so that untouched_sites are that run.
    std::vector<SiteRecord> sites_before;

    /// Null where there is no such site.
    const SiteRecord* find(std::string_view site) const;
};

/// What a step was followed by, and the likeliest words.
TranscriptStep transcript_step(const Vocabulary& words, const GenerationStep& step, Index said);

/// `followed`: the words from the root of the tree to the node that is to be followed.
TranscriptBeams transcript_beams(const Vocabulary& words, const BeamTree& tree, Index first_step,
                                 const std::vector<std::string>& followed);

/// What was said behind the first `given` tokens, without the end.
std::vector<std::string> own_words(const TaskModel& model, std::span<const Index> said, std::size_t given);

}  // namespace headlight
