#include "core/io/training_folder.h"

#include "core/attention/json_object.h"
#include "core/io/files.h"
#include "core/io/json_text.h"
#include "core/io/model_folder.h"
#include "core/io/model_json.h"
#include "core/tensor/error.h"

namespace headlight {

namespace fs = std::filesystem;
using nlohmann::json;

template <>
std::span<const Word<TrainingPhase>> words() {
    static constexpr Word<TrainingPhase> list[] = {
        {TrainingPhase::training, "training", "it learns"},
        {TrainingPhase::paused, "paused", "it goes on when it is asked to"},
        {TrainingPhase::stopped, "stopped", "it was ended before its last step"},
        {TrainingPhase::finished, "finished", "it has done all of its steps"},
    };
    return list;
}

namespace {

constexpr const char* training_document = "read training run";
constexpr const char* summary_format = "headlight-training/1";
constexpr const char* summary_name = "run.json";
constexpr std::size_t longest_summary = std::size_t(1) << 16;

template <class Parse>
auto parsed(const fs::path& file, std::size_t limit, const Parse& parse) {
    const std::string bytes = read_file(file, limit);
    return in_file(file.string(), [&] { return parse(bytes); });
}

}  // namespace

std::string write_training_summary(const TrainingSummary& summary) {
    return write_json({{"format", summary_format},
                       {"name", summary.name},
                       {"title", summary.title},
                       {"phase", to_word(summary.phase)},
                       {"steps_done", summary.steps},
                       {"steps", summary.of},
                       {"goal", summary.goal},
                       {"exact_match", summary.exact_match.share},
                       {"held_out_examples", summary.exact_match.examples}});
}

TrainingSummary parse_training_summary(std::string_view text) {
    const JsonDocument document = parse_json(text);
    JsonObject object(*document, training_document);
    if (const std::string format = object.text("format", {}); format != summary_format)
        object.refuse("format", '"' + std::string(summary_format) + '"',
                      format.empty() ? "none" : '"' + excerpt(format) + '"');
    TrainingSummary summary;
    summary.name = object.text("name", {});
    summary.title = object.text("title", {});
    summary.phase = object.word("phase", TrainingPhase::paused);
    summary.of = object.integer("steps", 0, 0, most_steps);
    summary.steps = object.integer("steps_done", 0, 0, summary.of);
    summary.goal = object.number("goal", 0);
    summary.exact_match = {object.number("exact_match", 0),
                           object.integer("held_out_examples", 0, 0, most_steps)};
    for (const char* share : {"goal", "exact_match"})
        if (const double value = object.number(share, 0); !(value >= 0 && value <= 1))
            object.refuse(share, "a number from 0 to 1", describe(*object.find(share)));
    return summary;
}

void write_training_summary(const fs::path& folder, const TrainingSummary& summary) {
    write_file_atomically(folder / summary_name, write_training_summary(summary));
}

void write_training_folder(const fs::path& folder, const TrainingSummary& summary,
                           const TrainingRecord& record, const Checkpoint& checkpoint) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw Error({"write folder", folder.string(), "a place that can be written", error.message()});
    write_file_atomically(folder / training_record_name, write_training_record(record));
    write_file_atomically(folder / checkpoint_name, write_checkpoint(checkpoint));
    write_training_summary(folder, summary);
}

TrainingSummary read_training_summary(const fs::path& folder) {
    return parsed(folder / summary_name, longest_summary,
                  [](const std::string& text) { return parse_training_summary(text); });
}

TrainingRecord read_training_record(const fs::path& folder) {
    return parsed(folder / training_record_name, largest_file,
                  [](const std::string& bytes) { return parse_training_record(bytes); });
}

Checkpoint read_training_checkpoint(const fs::path& folder) {
    return parsed(folder / checkpoint_name, largest_file,
                  [](const std::string& bytes) { return parse_checkpoint(bytes); });
}

}  // namespace headlight
