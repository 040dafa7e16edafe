#include "core/io/shipped_models.h"

#include "core/io/model_folder.h"
#include "core/tensor/error.h"
#include "core/tensor/words.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

namespace headlight {
namespace {

/// A row and the folder of resources/models that is called so are one model.
struct ModelRow {
    std::string_view name, title;
    std::string_view in_any{}, in_shown{};
    bool sees = false;
};

constexpr ModelRow model_rows[] = {
    {"translate-additive-gru",
     "English to French, additive attention (Bahdanau)",
     {},
     "In \"the black cat does not sleep\", which becomes le chat noir ne dort pas, noir looks at "
     "\"black\" and chat at \"cat\", the other way round; ne looks at \"not\", but pas at \"sleep\", the "
     "verb that it closes; le looks at \"cat\", the noun ahead that gives its gender."},
    {"translate-transformer",
     "English to French, Transformer",
     {},
     "In \"the black cat does not sleep\", which becomes le chat noir ne dort pas, every head of both "
     "decoder layers agrees on these: noir looks at \"black\" and chat at \"cat\", the other way round; "
     "dort looks at \"sleep\"; pas looks at \"not\". On the others the heads of decoder layer 2 divide "
     "the work. Head 1: ne looks at \"sleep\", the verb that it stands before; le looks at \"the\". Head "
     "2: ne looks at \"not\"; le looks at \"cat\", the noun ahead that gives its gender."},
    {"reviews-hierarchical", "Reviews of several sentences, hierarchical attention (HAN)"},
    {"whereabouts-coattention", "A question about a text, co-attention (BiDAF)",
     "In the first layer the words of each sentence look at its name or at its place. Where the text "
     "looks at its question the weights are nearly even. Where the label is asked for there is one row "
     "over the text: it marks the sentence that is asked for, and leaves the others dark."},
    {"distances-triangles", "Distances on a line, triangle attention"},
    {"copy-gnmt", "Copy, additive attention (Bahdanau), 3 layers"},
    {"copy-dense", "Copy, additive attention (no state)",
     "The diagonal, though no state says how far the answer has come: each step asks with the letter that it "
     "said last and with its place."},
    {"copy-hops", "Copy, dot attention (Luong), 3 hops"},
    {"copy-universal", "Copy, Universal Transformer"},
    {"reverse-pointer", "Reverse, pointer network"},
    {"reverse-transformer", "Reverse, Transformer"},
    {"reverse-convolutional", "Reverse, convolutions with attention (Gehring)"},
    {"reverse-two-streams", "Reverse, two streams (XLNet)"},
    {"sort-gpt", "Sort, decoder-only Transformer (GPT)",
     "No diagonal: behind => the rows look at characters that are still to be written. In layer 2 the "
     "brightest cell of head 1 is mostly in the column of the very next one; other heads look further "
     "ahead, or at characters that were just written."},
    {"dates-additive-gru", "Dates in many formats, additive attention (Bahdanau)"},
    {"dates-luong", "Dates in many formats, general attention (Luong)"},
    {"hard-attention-dates", "Dates in many formats, hard additive attention (Bahdanau)",
     "One cell is lit in each row: the letter that was drawn. The last digit of the year draws that digit "
     "itself; most other steps draw letters that tell little, for each letter's vector knows of its "
     "neighbours, too. The soft weights, from which it is drawn, show how sure each step was."},
    {"induction-xl", "Repeated random letters, Transformer-XL",
     "In layer 1, clearest in head 4, a faint stripe a whole period below the diagonal, on the same "
     "letter one time before. No head has the one sharp induction stripe, a period less one below the "
     "diagonal: in layer 2 the weight spreads over many letters."},
    {"induction-gpt", "Repeated random letters, decoder-only Transformer (GPT)"},
    {"brackets-encoder", "Balanced brackets, Transformer encoder (BERT)"},
    {"distinct-set", "Different letters, Set Transformer"},
    {"distinct-slots", "Different letters, slot attention in rounds",
     "In the first layer letters that are the same look alike: their rows are equal, and so are their "
     "columns. Where the label is asked for there is a row for each slot: the slots compete for the "
     "letters, round by round, and letters that are the same go the same way."},
    {.name = "race-vit",
     .title = "Who is ahead, Vision Transformer (ViT)",
     .in_any =
         "In the one layer each patch looks at itself alone: no patch knows another. Only the class token, "
         "which asks for the label, can tell who is ahead: over the picture its one row lights up that "
         "runner, in whichever lane. Write another one in front, and the light jumps.",
     .sees = true},
};

std::vector<ShippedModel> models_of_rows() {
    std::vector<ShippedModel> models;
    models.reserve(std::size(model_rows));
    for (const ModelRow& row : model_rows)
        if (const auto files = std::ranges::find(shipped_files(), row.name, &ShippedFiles::name);
            files != shipped_files().end())
            models.push_back({*files, row.title, row.in_any, row.in_shown, row.sees});
    return models;
}

}  // namespace

std::span<const ShippedModel> shipped_models() {
    static const std::vector<ShippedModel> models = models_of_rows();
    return models;
}

const ShippedModel* find_shipped_model(std::string_view name) {
    const auto found = std::ranges::find(shipped_models(), name, &ShippedModel::name);
    return found == shipped_models().end() ? nullptr : &*found;
}

TrainedModel read_shipped_model(const ShippedModel& model) {
    try {
        return parse_model(model.config, model.weights, model.tokenizer, model.target_tokenizer);
    } catch (const Error& error) {
        throw error.within(std::string(model.name));
    }
}

TrainedModel open_model(const std::string& name_or_folder) {
    std::error_code ignored;
    if (std::filesystem::exists(name_or_folder, ignored))
        return read_model_folder(name_or_folder);
    if (const ShippedModel* shipped = find_shipped_model(name_or_folder))
        return read_shipped_model(*shipped);
    std::vector<std::string> names;
    for (const ShippedModel& model : shipped_models())
        names.emplace_back(model.name);
    std::string expected = "a folder that headlight train made";
    if (!names.empty())
        expected += ", or " + list_of(names);
    throw Error({"open model", "", expected, quoted_with_hint(excerpt(name_or_folder), names)});
}

bool is_missing(const std::string& name_or_folder) {
    std::error_code ignored;
    return !find_shipped_model(name_or_folder) && !std::filesystem::is_directory(name_or_folder, ignored);
}

std::string whole_name(const std::string& name_or_folder) {
    std::error_code ignored;
    if (!std::filesystem::exists(name_or_folder, ignored))
        return name_or_folder;
    const std::filesystem::path path = std::filesystem::absolute(name_or_folder).lexically_normal();
    return (path.has_filename() ? path : path.parent_path()).string();  // "mine/" is mine
}

}  // namespace headlight
