#include "core/catalog/mechanism_documentation.h"

#include "core/catalog/bibtex.h"
#include "core/catalog/documentation_text.h"
#include "core/catalog/family.h"
#include "core/catalog/knob_documentation.h"
#include "core/catalog/lessons.h"
#include "core/catalog/used_by.h"

#include <algorithm>
#include <iterator>

namespace headlight {
namespace {

/// The pages stand in a folder beside the index.
std::string heading_of_index(const std::string& name) { return "../catalogue.md#" + heading_anchor(name); }

std::string link_to(const std::string& id) { return markdown_link(mechanism(id).name, id + ".md"); }

/// Whether it only draws in one of its modes, which is not the standard one.
bool draws_in_a_mode(const Mechanism& mechanism) {
    return std::ranges::any_of(mechanism.parameters, [](const MechanismParameter& knob) {
        return knob.name == "mode" && knob.standard != ParameterValue(std::string("sample"));
    });
}

std::string promises(const Mechanism& mechanism) {
    const MechanismProperties& properties = mechanism.properties;
    std::vector<std::string> list;
    if (properties.row_stochastic)
        list.emplace_back("every row of weights sums to 1");
    if (properties.causal)
        list.emplace_back("no query uses a key after it");
    if (properties.permutation_equivariant)
        list.emplace_back("shuffling the tokens only shuffles the output");
    if (properties.streaming)
        list.emplace_back("step by step gives what all at once gives");
    if (properties.random)
        list.emplace_back(draws_in_a_mode(mechanism) ? "in mode sample another seed gives another result"
                                                     : "another seed gives another result");
    if (properties.needs_whole_text)
        list.emplace_back("it needs the whole text, so that no decoder has it");
    return listed(list, "; ");
}

/// "`heads` = 1 and `slope` = 0.5"
std::string settings(const ParameterValues& values) {
    std::string text;
    for (const auto& [name, value] : values)
        (((text += text.empty() ? "`" : " and `") += name) += "` = ") += plain_value(value);
    return text;
}

/// Where it is another mechanism, or itself with other knobs.
std::string sameness(const Mechanism& mechanism) {
    std::string text;
    for (const Equivalence& each : mechanism.equivalences) {
        const std::string here = settings(each.here), there = settings(each.there);
        if (each.id == mechanism.id)
            (((text += "- **The same** with ") += here) += " as ") +=
                there.empty() ? "without" : "with " + there;
        else {
            (text += "- **The same as** ") += link_to(each.id);
            (text += there.empty() ? "" : " with ") += there;
            (text += here.empty() ? "" : there.empty() ? ", if " : ", if here ") += here;
        }
        ((text += ": ") += clause(each.when)) += '\n';
    }
    return text;
}

std::string note(const char* title, const std::string& text) {
    return text.empty() ? text : "- **" + std::string(title) + ".** " + sentence(text) + "\n";
}

std::string quoted(const std::string& words) { return "“" + words + "”"; }

/// The picture, and under it the words that it is of and what to look for.
std::string picture(const Mechanism& mechanism, std::string in_words) {
    std::ranges::replace(in_words, '\n', ' ');
    const ExampleInput& example = mechanism.example;
    std::string text = "![" + in_words;
    ((text += "](../images/mechanisms/") += mechanism.id) += ".png)\n\n*";
    text += quoted(example.query);
    if (!example.key.empty())
        (text += " looks at ") += quoted(example.key);
    if (!example.values.empty())
        (text += ", with ") += settings(example.values);
    return ((text += ".* ") += example.look_for) += "\n\n";
}

/// "after [A](a.md), before [B](b.md)": where it stands among those, if it does.
std::string place_among(const std::vector<const Mechanism*>& row, const Mechanism& mechanism) {
    const auto place = std::ranges::find(row, mechanism.id, &Mechanism::id);
    std::vector<std::string> sides;
    if (place != row.end() && place != row.begin())
        sides.push_back("after " + link_to((*std::prev(place))->id));
    if (place != row.end() && std::next(place) != row.end())
        sides.push_back("before " + link_to((*std::next(place))->id));
    return listed(sides);
}

std::string related_ones(const Mechanism& mechanism) {
    std::vector<std::string> links;
    for (const std::string& id : mechanism.related)
        links.push_back(link_to(id));
    return listed(links);
}

/// Who has it in layers, as far as the catalogue knows, and of those that are named how their layers follow
/// one another where they differ; names stay as they are written, "gpt-oss".
std::string models_of(const Mechanism& mechanism) {
    constexpr std::size_t most = 8;
    const std::vector<const KnownModel*> models = used_by(mechanism.id);
    if (models.empty())
        return "";
    std::string text = "- **In models.** " + list_of_models(models, most) + ".\n";
    for (const KnownModel* each : named_of(models, most))
        if (!each->layers.empty())
            ((text += "  - ") += layers_text(*each)) += '\n';
    return text;
}

/// To be copied into what cites the paper: with all authors, and where it appeared.
std::string as_bibtex(const Mechanism& mechanism) {
    const Mechanism* const alone = &mechanism;
    return "\n```bibtex\n" + bibtex_of_papers(std::span(&alone, 1)) + "```\n";
}

/// Above the heading: the index, and the chapter in it.
std::string way_back(const Mechanism& mechanism) {
    return markdown_link("The catalogue", "../catalogue.md") + " › " +
           markdown_link(mechanism.family, heading_of_index(mechanism.family)) + "\n\n";
}

}  // namespace

std::string mechanism_markdown(const Mechanism& mechanism, const std::string& in_words) {
    std::string text = "<!-- Written by the target catalogue_docs from core/catalog/entries/" + mechanism.id +
                       ".cpp: change the declaration there, then run scripts/build_docs.sh. -->\n\n";
    text += way_back(mechanism);
    text += "# " + mechanism.name + "\n\n";
    text += "*" + to_string(mechanism.papers) + ".* Also called " + listed(mechanism.also_known_as) + ".\n\n";
    text += "$$\n" + without_classes(mechanism.formula) + "\n$$\n\n";
    text += mechanism.explanation + "\n\n";
    text += picture(mechanism, in_words);
    text += note("Common mistakes", mechanism.correction);
    text += sameness(mechanism);
    text += note("Cost", mechanism.cost);
    text += note("Always", promises(mechanism));
    text += knob_lines(mechanism, heading_of_index("Common knobs"));
    text += models_of(mechanism);
    text += note("See also", related_ones(mechanism));
    text += note("In the chapter", place_among(mechanisms_of(mechanism.family), mechanism));
    text += note("In the course", place_among(lessons(), mechanism));
    return text + as_bibtex(mechanism);
}

}  // namespace headlight
