#include "app/cli/cite_command.h"

#include "app/cli/offered_words.h"
#include "app/cli/output.h"
#include "core/catalog/bibtex.h"
#include "core/io/shipped_models.h"
#include "core/model/host.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace headlight {
namespace {

constexpr Flag cite_options[] = {
    {"--help", "", "this text", "-h"},
};

std::vector<std::string> citable_names() {
    std::vector<std::string> names = mechanism_ids();
    const std::vector<std::string> models = model_names();
    names.insert(names.end(), models.begin(), models.end());
    return names;
}

constexpr Command cite_usage{"cite",
                             "[MECHANISM | MODEL]...",
                             "Prints how to cite Headlight, and the papers of mechanisms, as BibTeX: each "
                             "paper once. A model of the program has those of what attends in it.",
                             cite_options,
                             std::numeric_limits<std::size_t>::max(),
                             citable_names};

/// The mechanism that attends at a site of a model: the first of the catalogue, in teaching order, with that
/// score, normaliser and arrangement of heads, and nothing else that is special; else that is known for its
/// normaliser.
const Mechanism* attending_mechanism(const AttentionSpec& spec) {
    const Mechanism* with_normalizer = nullptr;
    for (const Mechanism& each : mechanisms()) {
        const AttentionSpec own = build_spec(each, {});
        const bool is_plain = own.algorithm.type == AlgorithmType::composed && !is_masked(own.mask) &&
                              own.position.type == PositionType::none && !each.papers.empty();
        if (!is_plain || own.normalizer.type != spec.normalizer.type)
            continue;
        if (own.score.type == spec.score.type && own.heads.type == spec.heads.type)
            return &each;
        with_normalizer = with_normalizer ? with_normalizer : &each;
    }
    return with_normalizer;
}

std::vector<const Mechanism*> cited_mechanisms(const std::string& name) try {
    const ShippedModel* model = find_shipped_model(name);
    if (find_mechanism(name) || !model) {
        const Mechanism* called = find_mechanism(name) ? nullptr : find_mechanism_called(name);
        return {called ? called : &mechanism(name)};
    }
    std::vector<const Mechanism*> attending;
    for (const SiteDescription& site : read_shipped_model(*model).model->host->sites())
        if (const Mechanism* found = attending_mechanism(site.spec))
            attending.push_back(found);
    return attending;
} catch (const Error& error) {
    throw UsageError(error);
}

int cite(const Arguments& arguments) {
    std::vector<const Mechanism*> cited;
    for (const std::string& name : arguments.operands())
        std::ranges::copy(cited_mechanisms(name), std::back_inserter(cited));
    print(bibtex(cited));
    return 0;
}

}  // namespace

int cite_command(const CommandUse& use) { return use(cite_usage, cite); }

}  // namespace headlight
