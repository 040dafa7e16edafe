#include "core/model/transcript.h"

#include <algorithm>

namespace headlight {

std::vector<std::string> own_words(const TaskModel& model, std::span<const Index> said, std::size_t given) {
    std::vector<Index> own(said.begin() + static_cast<std::ptrdiff_t>(std::min(given, said.size())),
                           said.end());
    if (!own.empty() && own.back() == Vocabulary::end)
        own.pop_back();
    return model.target.words(own);
}

const SiteRecord* Transcript::find(std::string_view site) const {
    const auto found = std::ranges::find(
        sites, site, [](const SiteRecord& each) { return std::string_view(each.site.name); });
    return found == sites.end() ? nullptr : &*found;
}

TranscriptStep transcript_step(const Vocabulary& words, const GenerationStep& step, Index said) {
    TranscriptStep result;
    result.read = words.word(step.token);
    result.said = words.word(said);
    if (step.copying)
        result.generates = step.copying->generates;
    const auto add = [&](const Candidate& each, Index rank) {
        result.choices.push_back(
            {words.word(each.token), each.probability, rank,
             step.copying ? each.probability * step.copying->copied_share(each.token) : 0});
    };
    const std::vector<Candidate>& best = step.ranking.best();
    for (std::size_t i = 0; i < best.size(); ++i)
        add(best[i], static_cast<Index>(i) + 1);
    result.probability = step.ranking.probability(step.logits, said);
    if (std::ranges::find(best, said, &Candidate::token) == best.end())
        add({said, result.probability}, rank_of(step.logits, said));
    return result;
}

TranscriptBeams transcript_beams(const Vocabulary& words, const BeamTree& tree, Index first_step,
                                 const std::vector<std::string>& followed) {
    TranscriptBeams beams{tree, {}, first_step, 0};
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
