#include "app/cli/cite_command.h"

#include "app/cli/offered_words.h"
#include "app/cli/output.h"
#include "core/catalog/bibtex.h"

namespace headlight {
namespace {

constexpr Flag cite_options[] = {
    {"--help", "", "this text", "-h"},
};
constexpr Command cite_usage{"cite",
                             "[MECHANISM]",
                             "Prints how to cite Headlight, and the papers of a mechanism, as BibTeX.",
                             cite_options,
                             1,
                             mechanism_ids};

const Mechanism& cited_mechanism(const std::string& id) try {
    return mechanism(id);
} catch (const Error& error) {
    throw UsageError(error);
}

int cite(const Arguments& arguments) {
    print(arguments.operands().empty() ? bibtex_of_headlight()
                                       : bibtex(cited_mechanism(arguments.operands().front())));
    return 0;
}

}  // namespace

int cite_command(const CommandUse& use) { return use(cite_usage, cite); }

}  // namespace headlight
