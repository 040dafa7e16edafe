#pragma once

#include <span>
#include <string>
#include <vector>

namespace headlight {

/// What shows a kind of attention, and what is set of it.
struct ShownBy {
    enum class Kind {
        mechanism,  ///< `headlight run NAME`
        model,      ///< a model inside the program
        training    ///< a model to be trained: `headlight train NAME`
    };
    Kind kind = Kind::mechanism;
    std::string name;  ///< the mechanism's id, the model's name, the task's id
    /// "causal=true": of a mechanism what `--set` takes. Options of a training without their hyphens:
    /// "host=gpt", "copy"; "layers" has the list itself where the command line has a file.
    std::vector<std::string> settings;
};

/// How much of a kind of attention the program shows.
enum class AttentionCoverage { whole, in_part, none, no_attention };

/// "whole", "in part", "none", "no attention".
std::string to_string(AttentionCoverage coverage);

/// A row of a list of attentions, and what shows it here.
struct CoveredAttention {
    std::string id;  ///< "S1"; empty in a public catalogue
    std::string title;
    std::vector<ShownBy> shown_by;
    std::string reason;  ///< what is missing, or why it is no attention; empty where all of it is shown
    bool is_attention = true;

    AttentionCoverage coverage() const;
};

/// The list of attentions that the program is held to, S1 to X36 in its order.
std::span<const CoveredAttention> catalogue_numbers();

/// What somebody else's library or collection has, in its order.
struct PublicCatalogue {
    std::string title;
    std::string address;
    std::vector<CoveredAttention> items;
};

std::span<const PublicCatalogue> public_catalogues();

}  // namespace headlight
