#pragma once

#include "core/catalog/mechanism.h"
#include "core/text/split.h"
#include "core/text/token_vectors.h"
#include "tests/support/attention_runs.h"

namespace headlight::test {

/// A mechanism run on its own example.
class Example {
public:
    explicit Example(const std::string& id, const ParameterValues& values = {},
                     PositionType position = PositionType::none) {
        const Mechanism& mechanism = headlight::mechanism(id);
        query_ = split_text(mechanism.example.query, TokenSplit::words);
        if (!mechanism.example.key.empty())
            key_ = split_text(mechanism.example.key, TokenSplit::words);
        const SequenceVectors vectors = token_vectors(query_, key_, {});
        inputs_.query = vectors.query.vectors;
        if (!key_.empty())
            inputs_.key = vectors.key.vectors;
        else
            key_ = query_;
        unknown_ = vectors.query.unknown;
        unknown_.insert(unknown_.end(), vectors.key.unknown.begin(), vectors.key.unknown.end());
        AttentionSpec spec = build_spec(mechanism, values);
        if (position != PositionType::none)
            spec.position = {position, {}};
        plan_ = planned(spec, inputs_);
        weights_ = run(plan_).weights;
    }

    const Plan& plan() const { return *plan_; }
    const std::vector<std::string>& words() const { return query_; }
    bool knows_every_word() const { return std::ranges::find(unknown_, true) == unknown_.end(); }
    std::span<const double> row(Index query) const& {
        return std::span(weights_).subspan(static_cast<std::size_t>(query * plan_->keys),
                                           static_cast<std::size_t>(plan_->keys));
    }
    std::span<const double> row(const std::string& query) const& { return row(place(query_, query)); }
    /// A copy, of an example that is gone with its line.
    std::vector<double> row(const auto& query) && {
        const auto found = static_cast<const Example&>(*this).row(query);
        return {found.begin(), found.end()};
    }
    double weight(const std::string& query, const std::string& key) const {
        return row(query)[static_cast<std::size_t>(place(key_, key))];
    }
    /// The key that `query` looks at most, itself left out.
    std::string favourite(const std::string& query) const {
        std::string best;
        double most = -1;
        for (std::size_t j = 0; j < key_.size(); ++j)
            if (key_[j] != query && row(query)[j] > most) {
                most = row(query)[j];
                best = key_[j];
            }
        return best;
    }

private:
    static Index place(const std::vector<std::string>& words, const std::string& word) {
        return std::ranges::find(words, word) - words.begin();
    }

    std::vector<std::string> query_;
    std::vector<std::string> key_;
    std::vector<bool> unknown_;
    Inputs inputs_;
    std::shared_ptr<const Plan> plan_;
    std::vector<double> weights_;
};

}  // namespace headlight::test
