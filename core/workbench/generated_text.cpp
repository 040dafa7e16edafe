#include "core/workbench/generated_text.h"

#include "core/figure/site_words.h"

#include <algorithm>

namespace headlight {
namespace {

/// Each word with what text_of() puts in front of it.
std::vector<std::string> written_words(const Task& task, const std::vector<std::string>& words) {
    std::vector<std::string> written;
    std::size_t length = 0;
    for (std::size_t count = 1; count <= words.size(); ++count) {
        const std::string text = text_of(task, std::span(words).first(count), Side::target);
        written.push_back(text.substr(length));
        length = text.size();
    }
    return written;
}

}  // namespace

bool has_layers(const Transcript& transcript) {
    return std::ranges::any_of(transcript.sites,
                               [](const SiteRecord& each) { return is_of_later_layer(each.site.name); });
}

std::size_t word_start(const std::string& written) {
    return written.size() > 1 && written.front() == ' ' ? 1 : 0;
}

bool is_cut(const Transcript& transcript) {
    if (transcript.is_over || !transcript.beams)
        return !transcript.is_over;
    // Elsewhere in the tree a text goes on, or better ones have taken its place.
    const auto& [tree, words, first_step, followed] = *transcript.beams;
    return tree.nodes[static_cast<std::size_t>(followed)].is_kept &&
           std::ranges::count(tree.nodes, followed, &BeamNode::parent) == 0;
}

std::vector<TextPiece> text_pieces(const Transcript& transcript, Index step) {
    const Task& task = transcript.model->model->task;
    std::vector<std::string> words;
    for (const TranscriptStep& each : transcript.steps)
        words.push_back(each.said);
    if (transcript.is_over && !words.empty() && words.back() == "</s>")
        words.pop_back();
    const std::vector<std::string> written = written_words(task, words);
    std::vector<TextPiece> pieces;
    for (std::size_t i = 0; i < written.size(); ++i) {
        using Time = TextPiece::Time;
        const auto at = static_cast<Index>(i);
        pieces.push_back({written[i], at,
                          at < step    ? Time::past
                          : at == step ? Time::present
                                       : Time::future,
                          transcript.steps[i].is_chosen});
    }
    return pieces;
}

std::vector<ComparedWord> compared_words(const Task& task, const std::vector<std::string>& words,
                                         const std::vector<std::string>& others) {
    const std::size_t rows = words.size(), columns = others.size();
    std::vector<std::vector<int>> common(rows + 1, std::vector<int>(columns + 1, 0));
    for (std::size_t i = rows; i-- > 0;)
        for (std::size_t j = columns; j-- > 0;)
            common[i][j] = words[i] == others[j] ? common[i + 1][j + 1] + 1
                                                 : std::max(common[i + 1][j], common[i][j + 1]);
    const std::vector<std::string> written = written_words(task, words);
    std::vector<ComparedWord> compared;
    std::size_t j = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        // Skips of the other text that lose nothing.
        while (j < columns && words[i] != others[j] && common[i][j + 1] == common[i][j])
            ++j;
        const bool is_same = j < columns && words[i] == others[j] && common[i][j] == common[i + 1][j + 1] + 1;
        compared.push_back({written[i], !is_same});
        if (is_same)
            ++j;
    }
    return compared;
}

}  // namespace headlight
