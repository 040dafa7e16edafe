#include "core/text/sign_meaning.h"

#include <utility>

namespace headlight {

std::string_view sign_meaning(std::string_view token) {
    constexpr std::string_view beginning = "the beginning of a text", end = "the end of a text",
                               filling = "a place that is filled up and means nothing",
                               hidden = "a word that is hidden",
                               unknown = "a word that the model does not know";
    constexpr std::pair<std::string_view, std::string_view> meanings[] = {
        {"<s>", beginning},
        {"<bos>", beginning},
        {"[BOS]", beginning},
        {"<|begin_of_text|>", beginning},
        {"<|startoftext|>", beginning},
        {"[CLS]", "the beginning, from where the whole text is judged"},
        {"</s>", end},
        {"<eos>", end},
        {"[EOS]", end},
        {"<|end_of_text|>", end},
        {"<|endoftext|>", end},
        {"[SEP]", "the end of a sentence or a part"},
        {"<pad>", filling},
        {"[PAD]", filling},
        {"<mask>", hidden},
        {"[MASK]", hidden},
        {"<unk>", unknown},
        {"[UNK]", unknown},
    };
    for (const auto& [sign, meaning] : meanings)
        if (token == sign)
            return meaning;
    return {};
}

}  // namespace headlight
