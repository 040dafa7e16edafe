#include "core/model/utterance.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr Index most_choices = 8;

}  // namespace

std::vector<std::string> own_words(const TaskModel& model, std::span<const Index> said, std::size_t given) {
    std::vector<Index> own(said.begin() + static_cast<std::ptrdiff_t>(std::min(given, said.size())),
                           said.end());
    if (!own.empty() && own.back() == Vocabulary::end)
        own.pop_back();
    return model.target.words(own);
}

const SpokenSite* Utterance::find(std::string_view site) const {
    const auto found = std::ranges::find(
        sites, site, [](const SpokenSite& each) { return std::string_view(each.site.name); });
    return found == sites.end() ? nullptr : &*found;
}

UtteredStep uttered(const Vocabulary& words, const SpokenStep& step, Index said) {
    UtteredStep uttered;
    uttered.read = words.word(step.token);
    uttered.said = words.word(said);
    if (step.copying)
        uttered.generates = step.copying->generates;
    Index rank = 0;
    for (const Candidate& each : candidates(step.logits, words.size())) {
        ++rank;
        if (each.token == said)
            uttered.probability = each.probability;
        if (rank <= most_choices || each.token == said)
            uttered.choices.push_back(
                {words.word(each.token), each.probability, rank,
                 step.copying ? each.probability * step.copying->copied_share(each.token) : 0});
    }
    return uttered;
}

UtteredBeams uttered(const Vocabulary& words, const BeamTree& tree, Index first_step,
                     const std::vector<std::string>& followed) {
    UtteredBeams beams{tree, {}, first_step, 0};
    for (const BeamNode& node : tree.nodes)
        beams.words.push_back(words.word(node.token));
    for (const std::string& word : followed) {
        Index child = 1;
        while (child < std::ssize(tree.nodes) &&
               (tree.nodes[static_cast<std::size_t>(child)].parent != beams.followed ||
                beams.words[static_cast<std::size_t>(child)] != word))
            ++child;
        if (child == std::ssize(tree.nodes)) {
            beams.followed = 0;
            break;
        }
        beams.followed = child;
    }
    if (beams.followed == 0)
        beams.followed = tree.best;
    return beams;
}

}  // namespace headlight
