#include "core/io/tokenizer_file.h"

#include "core/attention/json_object.h"
#include "core/io/json_text.h"
#include "core/tensor/error.h"

namespace headlight {

using nlohmann::json;

namespace {

constexpr const char* tokenizer_document = "read tokenizer";
constexpr std::size_t most_words = 65536;
constexpr Index text_marks = 2;  ///< where a text begins and ends

/// A token that is found before the text is split.
json added_token(const Vocabulary& vocabulary, Index number) {
    return {{"id", number},
            {"content", vocabulary.word(number)},
            {"single_word", false},
            {"lstrip", false},
            {"rstrip", false},
            {"normalized", false},
            {"special", number < text_marks}};
}

bool is_one_character(const std::string& word) {
    std::size_t characters = 0;
    for (const char byte : word)
        characters += (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u;
    return characters == 1;
}

}  // namespace

std::string write_tokenizer(const Vocabulary& vocabulary, Writing writing) {
    const bool in_characters = writing == Writing::characters;
    json added = json::array();
    nlohmann::ordered_json numbers = nlohmann::ordered_json::object();
    for (Index number = 0; number < vocabulary.size(); ++number) {
        if (number < text_marks || (in_characters && !is_one_character(vocabulary.word(number))))
            added.push_back(added_token(vocabulary, number));
        numbers[vocabulary.word(number)] = number;
    }
    nlohmann::ordered_json document = {{"version", "1.0"},
                                       {"truncation", nullptr},
                                       {"padding", nullptr},
                                       {"added_tokens", added},
                                       {"normalizer", nullptr}};
    if (in_characters) {
        document["pre_tokenizer"] = {
            {"type", "Split"}, {"pattern", {{"Regex", "."}}}, {"behavior", "Isolated"}, {"invert", false}};
        document["post_processor"] = nullptr;
        document["decoder"] = {{"type", "Fuse"}};
    } else {
        document["pre_tokenizer"] = {{"type", "WhitespaceSplit"}};
        document["post_processor"] = nullptr;
        document["decoder"] = nullptr;
    }
    // The word for what is unknown is not in the vocabulary: there is no vector for it, and tokenizers then
    // refuse such text, as we do.
    document["model"] = {{"type", "WordLevel"}, {"vocab", numbers}, {"unk_token", "<unk>"}};
    return document.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

Vocabulary parse_tokenizer(std::string_view text) {
    const JsonDocument document = parse_json(text);
    JsonObject object(*document, tokenizer_document);
    JsonObject model(object.required("model", "a word-level model"), tokenizer_document,
                     object.pointer("model"));
    const std::string type = model.text("type", {});
    if (type != "WordLevel")
        model.refuse("type", "\"WordLevel\"", type.empty() ? "none" : '"' + excerpt(type) + '"');
    const json& numbers = model.required("vocab", "an object with a number for each word");
    if (!numbers.is_object() || numbers.size() < text_marks || numbers.size() > most_words)
        model.refuse("vocab",
                     "an object of " + std::to_string(text_marks) + " to " + std::to_string(most_words) +
                         " words",
                     numbers.is_object() ? std::to_string(numbers.size()) + " words" : describe(numbers));

    std::vector<const std::string*> words(numbers.size());
    for (const auto& [word, number] : numbers.items()) {
        const bool fits = number.is_number_unsigned() && number.get<std::size_t>() < words.size();
        if (!fits || words[number.get<std::size_t>()] != nullptr)
            throw Error({tokenizer_document, pointer_to(model.pointer("vocab"), word),
                         "each number from 0 to " + std::to_string(words.size() - 1) + " once",
                         describe(number)});
        words[number.get<std::size_t>()] = &word;
    }
    const Vocabulary none;
    for (Index mark = 0; mark < text_marks; ++mark)
        if (const std::string& word = *words[static_cast<std::size_t>(mark)]; word != none.word(mark))
            throw Error({tokenizer_document, model.pointer("vocab"),
                         '"' + none.word(mark) + "\" as number " + std::to_string(mark),
                         '"' + excerpt(word) + '"'});
    std::vector<std::string> rest;
    for (std::size_t i = text_marks; i < words.size(); ++i)
        rest.push_back(*words[i]);
    return Vocabulary(rest);
}

}  // namespace headlight
