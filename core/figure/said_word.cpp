#include "core/figure/said_word.h"

#include "core/figure/ticks.h"
#include "core/kernels/power_sum.h"

#include <algorithm>

namespace headlight {

std::string SaidWord::probability_text() const { return probability ? format_fixed(*probability, 2) : ""; }

std::optional<SaidWord> said_word(const Trace& trace, const std::string& site, Index step) {
    const Stage* logits = site.empty() ? nullptr : trace.find("logits", site);
    if (!logits || logits->size() == 0)
        return std::nullopt;
    const TokenLabels& tokens = trace.tokens_at(site);
    const Index words = logits->shape.back();
    SaidWord said;
    said.stage = logits->name;
    said.step = std::clamp<Index>(step, 0, logits->size() / words - 1);
    const auto row = trace.values(*logits).subspan(static_cast<std::size_t>(said.step * words),
                                                   static_cast<std::size_t>(words));
    const auto at = static_cast<std::size_t>(said.step);
    if (at < tokens.query.size())
        said.word = tokens.query[at];
    const Index known = std::ranges::find(tokens.key, said.word) - tokens.key.begin();
    if (said.word.empty() || known >= words)
        return said;
    said.probability = kernels::sum_of_powers(row).share(row[static_cast<std::size_t>(known)]);
    return said;
}

SaidWord word_behind(const Trace& trace, const std::string& site, Index step) {
    const std::vector<std::string>& words = trace.tokens_at(site).query;
    SaidWord said;
    said.step = std::min(step, std::max<Index>(std::ssize(words), 1) - 1);
    const auto next = static_cast<std::size_t>(said.step) + 1;
    said.is_written = next < words.size();
    if (said.is_written)
        said.word = words[next];
    return said;
}

}  // namespace headlight
