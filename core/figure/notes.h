#pragma once

#include "core/figure/panel_maker.h"

#include <span>

namespace headlight {

/// "Changed by hand: “cat” gets no weight, head 2.": what a person set in the run, with the site where that
/// is not the one that is shown; empty where nothing was.
std::string changes_in_words(const Trace& trace, const std::string& site);

/// The keys of the weights at a site in words, "“<s>”, “,”": those that there are.
std::string keys_in_words(const Trace& trace, const std::string& site, const std::vector<Index>& keys);

/// "Hidden: “<s>”, 61.3 % of the weights; the others of each row share what it gave.", as far as it is known
/// what they had of how many maps; empty without such tokens. Of pooled heads the share is the mean of those
/// of the heads, before the mean or the largest of their weights is taken, and the sentence says so; likewise
/// of pooled layers.
std::string hidden_keys_note(const std::string& tokens, std::optional<double> mass, bool is_average,
                             bool are_norms, Index pooled_heads = 0, Index pooled_layers = 0);
/// Returns the note of a figure with hidden_tokens.
std::string hidden_keys_note(const Figure& figure);

/// Says in the caption that points of large maps show the number that is furthest from 0, where it said the
/// largest one: some are negative.
void tell_furthest_numbers(Figure& figure);

/// Takes over what hidden keys had of large maps into their panels and the caption, once it is known.
void tell_hidden_mass(Figure& figure);

/// How many lines of some panels are not drawn, and how much of the sum they are.
class LeftOutLines {
public:
    explicit LeftOutLines(std::span<const Panel> panels = {});
    void add(const LeftOutLines& others);

    /// "Not drawn: 612 weaker lines, 3.1 % of the sum.", or where nobody chose the stronger ones, "26 lines
    /// too faint to be seen"; empty where every line is drawn.
    std::string note() const;

private:
    Index count_ = 0;
    double sum_ = 0, left_out_sum_ = 0;
    bool are_faint_ = true;
};

/// Takes out of the caption what explains a sign that is not drawn any more: unknown words whose labels an
/// author left out.
void drop_unneeded_notes(Figure& figure);

/// The caption of a picture in which no label of an unknown word has room.
std::string without_unknown_words(std::string caption);

/// Says in the caption who forbids what is hatched, in place of what the first of two alone says.
void tell_masks(Figure& figure);

/// Takes out of the caption how the tokens of two texts are paired, where only one of the texts is drawn.
void drop_pairing_note(Figure& figure);

/// What a reader must know to read the figure rightly: hatching, unknown words, row sums, what was not
/// recorded.
std::string figure_caption(const PanelMaker& maker, const Figure& figure);

/// The same where the panels are differences: what holds for these.
std::string difference_caption(const PanelMaker& maker, const Figure& figure);

/// The figure in words, for screen readers and as the alternative text of exports: what it shows, and its
/// largest numbers by token.
std::string figure_description(const Figure& figure);

}  // namespace headlight
