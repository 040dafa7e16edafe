#include "core/model/tasks/english_french/translation.h"

#include "core/model/tasks/english_french/sentence.h"
#include "core/model/tasks/english_french/spelling.h"

#include <algorithm>
#include <numeric>

namespace headlight::english_french {
namespace {

class RandomChoices final : public Choices {
public:
    explicit RandomChoices(Random& random) : random_(random) {}

    std::size_t choose(std::span<const int> weights) override {
        Index left = random_.below(std::accumulate(weights.begin(), weights.end(), 0));
        std::size_t chosen = 0;
        while (left >= weights[chosen])
            left -= weights[chosen++];
        return chosen;
    }
    void say(std::string_view english) override { append(english_, english); }

    Tokens english() && { return std::move(english_); }

private:
    Random& random_;
    Tokens english_;
};

/// Goes through all ways to build a sentence, depth first: each time the grammar is asked anew, the earlier
/// choices are repeated, and the last one is another. A way is left at the first word that is not the one
/// looked for.
class Search final : public Choices {
public:
    explicit Search(std::span<const std::string> wanted) : wanted_(wanted) {}

    std::size_t choose(std::span<const int> weights) override {
        if (failed_)  // whatever comes now, the way is left
            return allowed(weights, 0);
        if (depth_ == path_.size())
            path_.push_back({allowed(weights, 0), {}});
        Step& step = path_[depth_++];
        if (step.weights.empty())
            step.weights.assign(weights.begin(), weights.end());
        return step.chosen;
    }

    void say(std::string_view english) override {
        if (failed_)
            return;
        Tokens words;
        append(words, english);
        for (const std::string& word : words)
            if (said_ == wanted_.size() || wanted_[said_++] != word) {
                failed_ = true;
                return;
            }
    }

    bool found() const { return !failed_ && said_ == wanted_.size(); }

    /// To the next way; false when all were tried.
    bool advance() {
        while (!path_.empty()) {
            Step& last = path_.back();
            last.chosen = allowed(last.weights, last.chosen + 1);
            if (last.chosen < last.weights.size()) {
                depth_ = said_ = 0;
                failed_ = false;
                return true;
            }
            path_.pop_back();
        }
        return false;
    }

private:
    struct Step {
        std::size_t chosen;
        std::vector<int> weights;
    };

    static std::size_t allowed(std::span<const int> weights, std::size_t from) {
        while (from < weights.size() && weights[from] == 0)
            ++from;
        return from;
    }

    std::span<const std::string> wanted_;
    std::vector<Step> path_;
    std::size_t depth_ = 0, said_ = 0;
    bool failed_ = false;
};

}  // namespace

SentencePair draw_sentence(Random& random) {
    RandomChoices choices(random);
    SentencePair pair;
    pair.french = say_sentence(choices);
    pair.english = std::move(choices).english();
    return pair;
}

std::vector<Tokens> translations(std::span<const std::string> english) {
    std::vector<Tokens> found;
    Search search(english);
    do {
        Tokens french = say_sentence(search);
        if (search.found())
            found.push_back(std::move(french));
    } while (search.advance());
    return found;
}

}  // namespace headlight::english_french
