#pragma once

#include "core/tensor/tensor.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// What flows into what: parts of a mechanism or a model, and arrows between them. Parts stand in columns,
/// each as wide as what draws it measures its widest text; downwards, places are in lines of text.
struct Flow {
    enum class Light {
        quiet,
        firm,  ///< what is in view follows from it
        lit,   ///< in view
    };
    /// What a click on a part selects; nothing where the stage is empty.
    struct Place {
        std::string site, stage;
        Index head = 0;
        std::optional<Index> query, key;
        bool operator==(const Place&) const = default;
    };
    struct Node {
        enum class Kind {
            box,    ///< a stage, a layer or a tensor
            frame,  ///< around others, which say so by `inside`; its title is above them
            word,   ///< a token
            mark,   ///< the state of a token
            gap,    ///< in the place of layers that are folded
        };
        Kind kind = Kind::box;
        std::string title{};
        std::string shape{};  ///< below the title: "8 × 6 × 6"; may be empty
        std::string words{};  ///< what there is to say of it beside its title: "8 heads × 6 queries × 6 keys"
        std::string meaning{};  ///< a sentence for who does not know its title: what it holds; may be empty
        /// In whose proportion a small rectangle beside the words is drawn; 0: none is.
        Index rows = 0, columns = 0;
        Index column = 0;
        double line = 0;    ///< its middle
        double height = 1;  ///< in lines
        Index inside = -1;  ///< the frame that it stands in
        Light light = Light::quiet;
        bool is_named = true;    ///< its title has room
        bool is_answer = false;  ///< what a model says: a question of a lesson may ask for it
        Place place{};
        /// How many numbers a stage has; of a model the weight of its arrow. NaN where there is none.
        double number = std::numeric_limits<double>::quiet_NaN();
    };
    struct Edge {
        Index from = 0, to = 0;     ///< of the nodes
        std::vector<double> via{};  ///< the lines that it has in the columns between its ends
        std::optional<double> weight{};
        double share = 0;        ///< of the thickest arrow, as which it is drawn; 0: as a thin line
        bool is_dashed = false;  ///< a weight below 0, or what is known only to come before the other
        Light light = Light::quiet;
    };
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::vector<double> gaps;  ///< [column]: left of it, in lines; that of the first says nothing
    double lines = 0;          ///< how high it is
    /// Where rows of parts are all so many lines apart, the picture may go downwards where it has no room
    /// from left to right; 0: it may not.
    double pitch = 0;
    std::string words;               ///< what it shows, in sentences
    std::vector<std::string> notes;  ///< that stand under the picture
};

inline const Flow::Node& flow_node(const Flow& flow, Index node) {
    return flow.nodes[static_cast<std::size_t>(node)];
}

/// The part in view: the last that is lit, or nothing.
std::optional<Index> lit_node(const Flow& flow);

/// The parts that a person can select: those with a place, and a title to be called by.
bool is_selectable(const Flow::Node& node);

/// "Scores, 8 heads × 6 queries × 6 keys, from Query and Key", and what it holds: what a screen reader says
/// of a part, and the tooltip.
std::string node_in_words(const Flow& flow, Index node);

/// A line for each part and for each arrow, a line of titles first.
std::vector<std::vector<std::string>> lines_of(const Flow& flow);

}  // namespace headlight
