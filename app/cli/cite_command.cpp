#include "app/cli/cite_command.h"

#include "app/cli/bibtex.h"
#include "app/cli/offered_words.h"
#include "app/cli/output.h"

namespace headlight {
namespace {

constexpr Flag options[] = {
    {"--help", "", "this text", "-h"},
};
constexpr Command command{"cite",
                          "[MECHANISM]",
                          "Prints how to cite Headlight, and the papers of a mechanism, as BibTeX. Where a "
                          "paper was printed the catalogue does not say: please add it.",
                          options,
                          1,
                          mechanism_ids};

const Mechanism& cited_mechanism(const std::string& id) try {
    return mechanism(id);
} catch (const Error& error) {
    throw UsageError(error);
}

int cite(const Arguments& arguments) {
    std::string text = bibtex_of_headlight();
    if (!arguments.operands().empty()) {
        char suffix = 'a';
        const std::vector<Paper>& papers = cited_mechanism(arguments.operands().front()).papers;
        for (const Paper& paper : papers)
            text += '\n' + bibtex(paper, papers.size() == 1 ? std::string() : std::string(1, suffix++));
    }
    print(text);
    return 0;
}

}  // namespace

int cite_command(const CommandUse& use) { return use(command, cite); }

}  // namespace headlight
