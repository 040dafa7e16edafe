#include "core/catalog/catalogue_documentation.h"

#include "core/catalog/documentation_text.h"
#include "core/catalog/family.h"
#include "core/catalog/knob_documentation.h"
#include "core/catalog/lessons.h"

namespace headlight {
namespace {

constexpr const char* introduction = R"(# The catalogue of attention

Attention is one idea in many dresses. Something asks: the *query*. Something can be found: the *keys*. Something is handed on: the *values*. Every query meets every key, and how well the two fit is a number, the *score*. A row of scores becomes a row of *weights*, most often positive and with a sum of 1, and what the query gets is the mean of the values under these weights, its *context*. Write a row for each query and a column for each key, and the weights are a map of who looks at whom. This is a book of such maps.

![The way of a sentence through scaled dot-product attention: token vectors, scores, scaled scores, exponentials, weights and context, each a small picture; below them the token vectors times their transpose are the scores, a map with a number in each cell.](images/stages.png)

*The whole way, in small pictures above: token vectors, scores, scaled scores, their exponentials, weights, context. Below, the first step of it: every word’s vector times every word’s vector is the map of scores, and “doctor” and “nurse” fit each other well.*

Nearly every mechanism differs from the next in a single step of that way, and the chapters follow it: where queries and keys come from, how they are compared, how scores become weights, which pairs may meet, how order comes in, how several heads share the work. The later chapters leave the way for shortcuts, memories and images. Within a chapter the order is one to teach in, and each mechanism has a page that can be read on its own.

## How to read a page

The chapters below have a line for each mechanism: its year, how its page begins, and what holds for it, in words that `headlight list --search` and the search line of the window know too. The name leads to its page.

A page has a formula, a paragraph, a picture, and then the small print: what is often printed wrongly, what it is the same as, what it costs, what always holds, and who stands beside it. In the costs there are n queries and m keys; d is the width of a query and a key, d_v that of a value, D that of a token, and H the number of heads.

Each picture was drawn by Headlight on the words that are quoted under it. Rows look, columns are looked at. Colours run from the smallest number to the largest, of all stages that are compared with the one shown (a context with its values), so read the bar beside the map before you call a map dark; blue and red lie on the two sides of zero. Σ is the sum of a row, where that is not 1. Token vectors are small English ones that ship with the program. What training would have found is drawn at random from seed 1, and a page says so where it matters: such a map is a map before the first lesson, and its shape counts, not its favourite words.

The pictures are alive. Each carries its session: open the file in Headlight and you stand at that example, with every number on the way and every knob to turn. On the command line, `headlight render docs/images/mechanisms/rope.png -o rope.pdf` draws it again for print, and `headlight run rope -o rope.json` writes down all stages. When a page says “the same as”, a test holds both to it, and the window has a button that shows them side by side.
)";

constexpr const char* course =
    "These pages stand on one another. Read them in a row; everything else in the chapters is for looking "
    "around, left and right of the road. The lessons that the program plays, with questions for a "
    "class, are another course, shorter and for those who begin: [lessons.md](lessons.md) lists them.";

constexpr const char* about_common_knobs = "Many mechanisms have these, so that they are explained once. "
                                           "Where one of them starts elsewhere, the page "
                                           "says so.";

std::string link_to_page(const Mechanism& mechanism) {
    return markdown_link(mechanism.name, "catalogue/" + mechanism.id + ".md");
}

std::string properties(const Mechanism& mechanism, const IsLinear& is_linear) {
    std::vector<std::string> labels;
    for (const SearchedProperty& each : searched_properties())
        if (each.has(mechanism, is_linear))
            labels.emplace_back(each.label);
    // What has none of the properties has no rows that sum to 1 either, and that can be said.
    return labels.empty() ? "rows need not sum to 1" : listed(labels);
}

std::string contents() {
    std::string text = "\n## Contents\n\n";
    for (const Family& family : families())
        text += "- " + markdown_link(family.name, '#' + heading_anchor(family.name)) + ", " +
                std::to_string(mechanisms_of(family.name).size()) + " mechanisms\n";
    return text;
}

std::string course_of_lessons() {
    std::vector<std::string> links;
    for (const Mechanism* each : lessons())
        links.push_back(link_to_page(*each));
    return "\n## A course through " + std::to_string(links.size()) + " pages\n\n" + course + "\n\n" +
           listed(links, " → ") + "\n\n";
}

std::string family_chapter(const Family& family, const IsLinear& is_linear) {
    std::string text = "## " + family.name + "\n\n" + family.introduction +
                       "\n\n| mechanism | year | its page begins | what holds |\n|---|---|---|---|\n";
    for (const Mechanism* each : mechanisms_of(family.name))
        text += "| " + link_to_page(*each) + " | " + std::to_string(each->year()) + " | " +
                table_cell(first_sentence(each->explanation)) + " | " + properties(*each, is_linear) + " |\n";
    return text + "\n";
}

}  // namespace

std::string catalogue_markdown(const IsLinear& is_linear) {
    std::string text = "<!-- Written by the target catalogue_docs from core/catalog: change the declarations "
                       "there, then run "
                       "scripts/build_docs.sh. -->\n\n";
    ((text += introduction) += contents()) += course_of_lessons();
    for (const Family& family : families())
        text += family_chapter(family, is_linear);
    return text + "## Common knobs\n\n" + about_common_knobs + "\n\n" + common_knobs_table();
}

}  // namespace headlight
