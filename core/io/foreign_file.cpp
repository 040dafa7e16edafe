#include "core/io/foreign_file.h"

#include "core/io/descriptor.h"
#include "core/io/files.h"
#include "core/io/installed_manual.h"
#include "core/io/json_text.h"
#include "core/io/safetensors_view.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <vector>

namespace headlight {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

using Holds = ForeignFile::Holds;

constexpr std::size_t largest_document = std::size_t(16) << 20;

/// The bytes that a file has from `offset` on, at most `count`; fewer when it cannot be read.
std::string part_of(const Descriptor& file, std::size_t offset, std::size_t count) {
    std::string bytes(count, '\0');
    std::size_t used = 0;
    while (used < count) {
        const ssize_t got =
            ::pread(file.number(), bytes.data() + used, count - used, static_cast<off_t>(offset + used));
        if (got <= 0)
            break;
        used += static_cast<std::size_t>(got);
    }
    bytes.resize(used);
    return bytes;
}

// JSON

std::string text_of(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool is_ours(const json& object) { return text_of(object, "format").starts_with("headlight-"); }

struct ModelFamily {
    std::string_view type, name;
};
/// `model_type` of config.json as people write it.
constexpr std::array families{
    ModelFamily{"albert", "ALBERT"},
    ModelFamily{"bart", "BART"},
    ModelFamily{"bert", "BERT"},
    ModelFamily{"bloom", "BLOOM"},
    ModelFamily{"clip", "CLIP"},
    ModelFamily{"deberta", "DeBERTa"},
    ModelFamily{"deberta-v2", "DeBERTa"},
    ModelFamily{"deepseek_v3", "DeepSeek-V3"},
    ModelFamily{"distilbert", "DistilBERT"},
    ModelFamily{"electra", "ELECTRA"},
    ModelFamily{"falcon", "Falcon"},
    ModelFamily{"gemma", "Gemma"},
    ModelFamily{"gemma2", "Gemma 2"},
    ModelFamily{"gemma3", "Gemma 3"},
    ModelFamily{"gpt2", "GPT-2"},
    ModelFamily{"gpt_neo", "GPT-Neo"},
    ModelFamily{"gpt_neox", "GPT-NeoX"},
    ModelFamily{"gptj", "GPT-J"},
    ModelFamily{"llama", "Llama"},
    ModelFamily{"longformer", "Longformer"},
    ModelFamily{"mamba", "Mamba"},
    ModelFamily{"marian", "Marian"},
    ModelFamily{"mistral", "Mistral"},
    ModelFamily{"mixtral", "Mixtral"},
    ModelFamily{"mt5", "mT5"},
    ModelFamily{"opt", "OPT"},
    ModelFamily{"phi", "Phi"},
    ModelFamily{"phi3", "Phi-3"},
    ModelFamily{"qwen2", "Qwen2"},
    ModelFamily{"qwen3", "Qwen3"},
    ModelFamily{"roberta", "RoBERTa"},
    ModelFamily{"t5", "T5"},
    ModelFamily{"vit", "ViT"},
    ModelFamily{"whisper", "Whisper"},
    ModelFamily{"xlm-roberta", "XLM-RoBERTa"},
};

/// "Llama" from config.json; empty when it is no model's.
std::string family_of(const json& config) {
    const std::string type = text_of(config, "model_type");
    const auto known = std::ranges::find(families, type, &ModelFamily::type);
    if (known != families.end())
        return std::string(known->name);
    if (!type.empty())
        return excerpt(type);
    const auto list = config.find("architectures");
    if (list == config.end() || !list->is_array() || list->empty() || !list->front().is_string())
        return {};
    const auto& name = list->front().get_ref<const std::string&>();
    return excerpt(name.substr(0, std::min(name.find("For"), name.find("LMHead"))));
}

/// "a Hugging Face Llama checkpoint" where config.json says that their library wrote it. Others name their
/// classes as well: a type that is none of theirs is not called so.
std::string checkpoint_of(const std::string& family, const json& config) {
    const std::string type = text_of(config, "model_type");
    const bool is_of_others = !type.empty() && std::ranges::count(families, type, &ModelFamily::type) == 0;
    const bool is_theirs =
        config.contains("transformers_version") || (config.contains("architectures") && !is_of_others);
    return is_theirs ? "a Hugging Face " + family + " checkpoint" : "a checkpoint of " + family;
}

std::optional<ForeignFile> foreign_document(const json& document) {
    if (!document.is_object() || is_ours(document))
        return std::nullopt;
    if (document.contains("nbformat"))
        return ForeignFile{"a Jupyter notebook", Holds::other};
    if (document.contains("weight_map"))
        return ForeignFile{"the index of a Hugging Face checkpoint", Holds::model};
    if (document.contains("peft_type"))
        return ForeignFile{"the configuration of an adapter (PEFT)", Holds::model};
    if (document.contains("added_tokens") && document.contains("model"))
        return ForeignFile{"a tokenizer (tokenizer.json)", Holds::model};
    if (document.contains("tokenizer_class"))
        return ForeignFile{"the configuration of a tokenizer", Holds::model};
    if (const std::string family = family_of(document); !family.empty())
        return ForeignFile{"the configuration of " + checkpoint_of(family, document), Holds::model};
    return std::nullopt;
}

JsonDocument document_in(const fs::path& file) try {
    return parse_json(read_file(file, largest_document), {.repeated_fields = true});
} catch (const Error&) {
    return {};
}

// Folders

std::optional<ForeignFile> foreign_folder(const fs::path& folder) {
    const auto has = [&](const char* name) {
        std::error_code ignored;
        return fs::exists(folder / name, ignored);
    };
    if (has("config.json")) {
        const JsonDocument config = document_in(folder / "config.json");
        if (config->is_object() && is_ours(*config))
            return std::nullopt;
        if (const std::string family = config->is_object() ? family_of(*config) : ""; !family.empty())
            return ForeignFile{checkpoint_of(family, *config), Holds::model};
    }
    if (has("saved_model.pb"))
        return ForeignFile{"a TensorFlow SavedModel", Holds::model};
    if (has("params.json") && has("consolidated.00.pth"))
        return ForeignFile{"a Llama checkpoint as Meta publishes it", Holds::model};
    if (has("adapter_config.json"))
        return ForeignFile{"an adapter (PEFT)", Holds::model};
    for (const char* weights : {"model.safetensors", "pytorch_model.bin", "model.safetensors.index.json"})
        if (has(weights) && !has("checkpoint.safetensors"))
            return ForeignFile{"a checkpoint without its config.json", Holds::model};
    if (has("tokenizer.json") || has("tokenizer_config.json"))
        return ForeignFile{"a tokenizer without a model", Holds::other};
    // A folder into which one model was downloaded.
    std::error_code error;
    for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error))
        if (extension_of(file->path()) == ".gguf")
            return ForeignFile{"a folder with a GGUF model", Holds::model};
    return std::nullopt;
}

/// The weights of a checkpoint are of the model that config.json beside them names.
ForeignFile with_family(ForeignFile weights, const fs::path& folder) {
    if (const auto checkpoint = foreign_folder(folder);
        checkpoint &&
        (checkpoint->name.starts_with("a Hugging Face") || checkpoint->name.starts_with("a checkpoint of ")))
        weights.name = "the weights of " + checkpoint->name;
    return weights;
}

std::string advice(Holds holds) {
    switch (holds) {
    case Holds::model:
        return ": Headlight cannot run it yet; " + place_in_manual("other-programs.md") +
               " tells how to bring its attention";
    case Holds::numbers:
        return ": " + place_in_manual("other-programs.md") + " tells how to bring its numbers";
    case Holds::text:
        return ": save it as .txt in UTF-8 for its words";
    case Holds::answer:
        return ": probably what a server answered in place of the file; download it again";
    case Holds::picture:
    case Holds::other:
        break;
    }
    return {};
}

}  // namespace

std::optional<ForeignFile> foreign_json(std::string_view text) {
    try {
        return foreign_document(*parse_json(text, {.repeated_fields = true}));
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::optional<ForeignFile> foreign_safetensors(std::string_view header) {
    if (header.size() < safetensors_length_bytes)
        return std::nullopt;
    try {
        const JsonDocument names =
            parse_json(header.substr(safetensors_length_bytes), {.repeated_fields = true});
        if (!names->is_object())
            return std::nullopt;
        const auto metadata = names->find(safetensors_metadata);
        if (metadata != names->end() && metadata->is_object() && is_ours(*metadata))
            return std::nullopt;
        bool has_weights = false;
        for (const auto& [name, entry] : names->items()) {
            if (name.find("lora_") != std::string::npos)
                return ForeignFile{"an adapter (LoRA)", Holds::model};
            has_weights |= name.ends_with(".weight");
        }
        return has_weights ? std::optional(ForeignFile{"the weights of a model", Holds::model})
                           : std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::optional<ForeignFile> foreign_file(const fs::path& path) try {
    constexpr std::size_t part = std::size_t(64) << 10;
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0)
        return std::nullopt;
    if (S_ISDIR(status.st_mode))
        return foreign_folder(path);
    if (!S_ISREG(status.st_mode))
        return std::nullopt;
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!file.is_open())
        return std::nullopt;
    const auto size = static_cast<std::size_t>(status.st_size);
    const std::string head = part_of(file, 0, std::min(size, part));
    const std::string extension = extension_of(path);
    if (extension == ".safetensors" && head.size() > safetensors_length_bytes) {
        std::uint64_t length = 0;
        std::memcpy(&length, head.data(), sizeof length);
        if (length <= std::min(size, largest_document)) {
            auto found = foreign_safetensors(part_of(file, 0, safetensors_length_bytes + length));
            return found ? std::optional(with_family(*std::move(found), fs::absolute(path).parent_path()))
                         : std::nullopt;
        }
    }
    if (extension == ".json" && size <= largest_document)
        if (auto found = foreign_json(part_of(file, 0, size)))
            return found;
    return foreign_bytes(head, part_of(file, size - std::min(size, part), part), extension);
} catch (const std::exception&) {  // memory or a file system that fails: then nobody knows what it is
    return std::nullopt;
}

Error foreign_refusal(const std::string& what, const std::string& name, const ForeignFile& file,
                      const std::string& expected) {
    const bool promises_tensors =
        file.holds == Holds::answer && extension_of(fs::path(name)) == ".safetensors";
    const std::string readable = (promises_tensors ? "a safetensors file (" : "what Headlight reads (") +
                                 place_in_manual("files.md") + ")";
    return Error({what, name, expected.empty() ? readable : expected, file.name + advice(file.holds)});
}

}  // namespace headlight
