#include "core/catalog/coverage_documentation.h"

#include "core/catalog/coverage.h"
#include "core/catalog/documentation_text.h"

#include <algorithm>
#include <array>

namespace headlight {
namespace {

struct NumberSection {
    char letter;  ///< that its numbers begin with
    const char* title;
};

constexpr NumberSection number_sections[] = {
    {'S', "Scores"},      {'P', "Positions"}, {'M', "Masks"},
    {'N', "Normalisers"}, {'H', "Heads"},     {'K', "Kernels, low rank and recurrence"},
    {'E', "Execution"},   {'R', "Models"},    {'X', "Images"}};

constexpr auto coverages = std::to_array({AttentionCoverage::whole, AttentionCoverage::in_part,
                                          AttentionCoverage::none, AttentionCoverage::no_attention});

std::string in_code(const std::string& words) { return '`' + words + '`'; }

std::string shown_by_mechanism(const ShownBy& shown) {
    std::string text = markdown_link(in_code(shown.name), "catalogue/" + shown.name + ".md");
    for (const std::string& setting : shown.settings)
        text += ' ' + in_code(setting);
    return text;
}

std::string shown_by_training(const ShownBy& shown) {
    std::string command = "train " + shown.name, file;
    for (const std::string& setting : shown.settings) {
        const auto equals = setting.find('=');
        const std::string option = setting.substr(0, equals);
        command += " --" + option;
        if (equals == std::string::npos)
            continue;
        const std::string value = setting.substr(equals + 1);
        command += ' ' + (option == "layers" ? "FILE" : value);
        if (option == "layers")
            file = " with " + in_code(value);
    }
    return in_code(command) + file;
}

std::string shown_by_text(const ShownBy& shown) {
    switch (shown.kind) {
    case ShownBy::Kind::mechanism:
        return shown_by_mechanism(shown);
    case ShownBy::Kind::model:
        return "model " + in_code(shown.name);
    case ShownBy::Kind::training:
        return shown_by_training(shown);
    }
    return "";
}

std::string coverage_row(const CoveredAttention& attention) {
    std::string text = "| ";
    if (!attention.id.empty())
        text += attention.id + " | ";
    text += table_cell(attention.title) + " | " + to_string(attention.coverage()) + " | ";
    std::vector<std::string> shown;
    for (const ShownBy& each : attention.shown_by)
        shown.push_back(shown_by_text(each));
    return text + table_cell(listed(shown, "; ")) + " | " + table_cell(attention.reason) + " |\n";
}

/// "32 | 29 | 2 | 1 | 0": how many there are, and how many of each coverage.
std::string coverage_counts(std::span<const CoveredAttention* const> attentions) {
    std::string text = std::to_string(attentions.size());
    for (const AttentionCoverage each : coverages)
        text += " | " + std::to_string(std::ranges::count(attentions, each, &CoveredAttention::coverage));
    return text;
}

std::vector<const CoveredAttention*> numbers_of(const NumberSection& section) {
    std::vector<const CoveredAttention*> numbers;
    for (const CoveredAttention& number : catalogue_numbers())
        if (number.id.front() == section.letter)
            numbers.push_back(&number);
    return numbers;
}

std::vector<const CoveredAttention*> pointers(std::span<const CoveredAttention> attentions) {
    std::vector<const CoveredAttention*> list;
    for (const CoveredAttention& each : attentions)
        list.push_back(&each);
    return list;
}

std::string coverage_counts_head(const std::string& what) {
    return "| " + what + " | in all | whole | in part | none | no attention |\n|---|---|---|---|---|---|\n";
}

std::string numbers_part() {
    std::string text = coverage_counts_head("section");
    for (const NumberSection& section : number_sections)
        text += std::string("| [") + section.letter + ", " + section.title + "](#" +
                heading_anchor(section.title) + ") | " + coverage_counts(numbers_of(section)) + " |\n";
    text += "| all | " + coverage_counts(pointers(catalogue_numbers())) + " |\n\n";
    for (const NumberSection& section : number_sections) {
        text += std::string("### ") + section.title +
                "\n\n| number | attention | shown | by | what is missing, or why |\n|---|---|---|---|---|\n";
        for (const CoveredAttention* number : numbers_of(section))
            text += coverage_row(*number);
        text += '\n';
    }
    return text;
}

std::string public_part() {
    std::string text = coverage_counts_head("catalogue");
    for (const PublicCatalogue& catalogue : public_catalogues())
        text += "| [" + catalogue.title + "](#" + heading_anchor(catalogue.title) + ") | " +
                coverage_counts(pointers(catalogue.items)) + " |\n";
    for (const PublicCatalogue& catalogue : public_catalogues()) {
        text += "\n### " + catalogue.title + "\n\n<" + catalogue.address +
                ">\n\n| there | shown | by | what is missing, or why |\n|---|---|---|---|\n";
        for (const CoveredAttention& item : catalogue.items)
            text += coverage_row(item);
    }
    return text;
}

}  // namespace

std::string coverage_markdown() {
    const auto numbers = catalogue_numbers();
    const auto attentions = std::ranges::count(numbers, true, &CoveredAttention::is_attention);
    return "<!-- Written by the target catalogue_docs from core/catalog: change the tables there, then run "
           "scripts/build_docs.sh. -->\n\n"
           "# Which attentions are covered\n\n"
           "Two lists that the program is held to: the numbers of our list of attentions, S1 to X36, and "
           "what "
           "public collections and libraries have. Each row says what shows it here. *Whole*: all that the "
           "row names can be looked at. *In part*: the row says what is missing. *None*: it is not there, "
           "and "
           "the row says what would have to be. *No attention*: nothing is weighed, or nothing new is to be "
           "seen.\n\n"
           "A name with a link is a mechanism of the catalogue, and what stands behind it is set: "
           "`headlight run strided --set part=A -o t.json`. A model comes with the program: `headlight "
           "attend "
           "sort-gpt --text cab`. What begins with `train` is trained: `headlight train dates --host lstm`; "
           "a "
           "list of layers is what the file of `--layers` holds. `headlight list --json` has the first list "
           "for scripts, as `catalogue`.\n\n"
           "## The numbers\n\n" +
           std::to_string(numbers.size()) + " numbers, of which " + std::to_string(attentions) +
           " are attention.\n\n" + numbers_part() +
           "## Public catalogues\n\n"
           "As they were in 2026, or in the last version that had them. A file that has no attention of its "
           "own is left out or stands with others.\n\n" +
           public_part();
}

}  // namespace headlight
