#pragma once

#include "core/catalog/mechanism.h"
#include "core/model/architecture.h"
#include "core/model/training.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// What one layer of a Transformer attends with, computed by its program: a mechanism of the catalogue, or a
/// spec.
struct LayerAttention {
    std::string mechanism{};  ///< its id; empty where there is a spec
    ParameterValues values{};
    std::optional<AttentionSpec> spec{};
    std::optional<NormalizerType> normalizer{};  ///< in place of the mechanism's, with nothing set
    std::optional<Index> shares{};  ///< the layer of its stack, from 0, whose keys and values it attends to
    bool operator==(const LayerAttention&) const = default;
};

/// What each layer attends with, the first one first: the same in an encoder and in a decoder, or told apart.
struct LayerList {
    std::vector<LayerAttention> all{};
    std::vector<LayerAttention> encoder{}, decoder{};  ///< where `all` is empty
    bool empty() const { return all.empty() && encoder.empty() && decoder.empty(); }
    bool operator==(const LayerList&) const = default;
};

struct KnownModel;
/// The layers of one round of the model's pattern; none where it has no pattern.
LayerList layers_as_in(const KnownModel& model);

/// What a person says of a training run; all the rest follows from it.
struct Recipe {
    std::string task = "dates";
    std::optional<HostType> host;       ///< what suits task and attention if absent
    std::string attention;              ///< a score, a normaliser or a mechanism of the catalogue
    ParameterValues values{};           ///< of the mechanism's knobs
    std::optional<AttentionSpec> own{}; ///< in place of both, a mechanism that is in no catalogue
    std::string own_name{};             ///< what its maker calls it
    LayerList attentions{};             ///< in place of all that, where layers differ
    bool copies = false;                ///< recurrent hosts: may say a word of the source as it is
    double coverage_loss = 0;           ///< recurrent hosts: what looking again costs
    std::optional<DecoderStyle> style;  ///< of recurrent hosts; bahdanau for additive scores, else luong
    Index hops = 1;                     ///< recurrent hosts: how often a step asks
    std::optional<Index> width;
    std::optional<Index> heads;   ///< of a Transformer; if absent those of `own`, or 4
    std::optional<Index> layers;  ///< of an encoder and of its decoder
    std::optional<Index> turns;   ///< of a Transformer: how often its layers are gone through
    /// Those of a Transformer; if absent what suits the task, or none where a mechanism has its own.
    std::optional<PositionEncoding> places;
    /// How many tokens a Transformer's decoder reads at a time; 0: the whole text.
    std::optional<Index> segment;
    std::optional<Index> steps;
    std::optional<double> rate;  ///< the learning rate at its peak
    std::uint64_t seed = 1;
    Index parts = 2;  ///< of a batch, each computed by a thread of its own
};

/// A recipe as it is carried out.
struct Preparation {
    std::string name;  ///< "dates-additive-gru"
    TrainingSettings settings;
    double goal = 0;  ///< the exact match that such a model is to reach; 0: there is none
};

inline constexpr double least_rate = 1e-6, largest_rate = 1;

/// Settings that have been seen to work, for this task, host and attention. A mechanism that is more than a
/// score or a normaliser in its host, or whose knobs are set, attends by its program
/// (CommonSettings::mechanism); so does every mechanism of a
/// list of layers. Throws Error that lists the attentions of this host when it cannot have the one that is
/// named, that says why a mechanism cannot learn there, and in which layer, when the task is not for the
/// host, and with the numbers of heads that would do when these do not divide the width.
Preparation prepare(const Recipe& recipe);

}  // namespace headlight
