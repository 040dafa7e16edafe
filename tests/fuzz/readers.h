#pragma once

// Every reader of a file that a person may open, as a function from bytes: what is not an Error is a bug.
// What was accepted must also be usable, and come back from its own writer. The fuzz targets feed them what
// libFuzzer invents; tests/core/readers_test.cpp feeds them, on every machine, right files with bytes
// changed.

#include "core/attention/executor.h"
#include "core/attention/spec_json.h"
#include "core/attention/typed_formula.h"
#include "core/figure/build_figure.h"
#include "core/graph/formula_builder.h"
#include "core/io/all_maps.h"
#include "core/io/capture_file.h"
#include "core/io/checkpoint_file.h"
#include "core/io/figure_npz.h"
#include "core/io/files.h"
#include "core/io/foreign_file.h"
#include "core/io/inputs_file.h"
#include "core/io/json_text.h"
#include "core/io/layers_file.h"
#include "core/io/map_table.h"
#include "core/io/maps_in_lines.h"
#include "core/io/mechanism_file.h"
#include "core/io/safetensors.h"
#include "core/io/session_place.h"
#include "core/io/trace_file.h"
#include "core/io/training_folder.h"
#include "core/lesson/lesson_file.h"
#include "core/tensor/visible_text.h"
#include "core/text/word_vectors.h"
#include "tests/fuzz/capture_readers.h"
#include "tests/fuzz/model_readers.h"
#include "tests/fuzz/reader.h"
#include "tests/fuzz/refused.h"
#include "tests/fuzz/session_reader.h"
#include "tests/support/safetensors_bytes.h"

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::test {

inline bool read_safetensors(std::string_view bytes) {
    return unless_refused([&] {
        const std::string written = write_safetensors(parse_safetensors(bytes));
        require(write_safetensors(parse_safetensors(written)) == written, "safetensors come back");
    });
}

inline bool read_spec(std::string_view bytes) {
    return unless_refused([&] {
        const AttentionSpec spec = spec_from_json(parse_json(bytes));
        require(spec_from_json(parse_json(to_json(spec).dump())) == spec, "a spec comes back");
        Inputs inputs;
        inputs.query = Tensor({3, 4}, 0.5);
        plan_if_small(spec, inputs);
        inputs.key = Tensor({2, 4}, -0.25);
        plan_if_small(spec, inputs);
    });
}

inline bool read_mechanism(std::string_view bytes) {
    return unless_refused([&] {
        const CustomMechanism mechanism = parse_mechanism(bytes);
        require(parse_mechanism(write_mechanism(mechanism)) == mechanism, "a mechanism comes back");
        Inputs inputs;
        inputs.query = Tensor({3, 4}, 0.5);
        plan_if_small(mechanism.spec, inputs);
    });
}

/// Numbers that a formula counts or multiplies by, so small that it is built and run at once.
inline bool has_small_numbers(const FormulaNode& node) {
    constexpr double largest = 16;
    if (node.kind == FormulaNode::Kind::number && node.number > largest)
        return false;
    return std::ranges::all_of(node.parts, [](const FormulaNode& part) { return has_small_numbers(part); });
}
inline bool has_small_numbers(const std::vector<FormulaLine>& lines) {
    return std::ranges::all_of(lines, [](const FormulaLine& line) {
        const bool is_counted =
            !line.times || (line.times->kind == FormulaNode::Kind::number && has_small_numbers(*line.times));
        return is_counted && has_small_numbers(line.value) && has_small_numbers(line.body);
    });
}

/// A program of the lines, from three matrices, a column of places and numbers.
inline void build_from_few_names(const std::vector<FormulaLine>& lines, Index heads) {
    Program program;
    FormulaNames names;
    names.heads = heads;
    names.tokens = 3;
    names.known = {"q", "k", "v", "i", "n", "d"};
    names.reserved = {"output"};
    const auto matrix = [&](const std::string& name, GivenTensor::Kind kind, const Extent& extent) {
        const auto number = [](Index at) { return 0.5 + static_cast<double>(at); };
        return program.give({name, kind, extent, {extent.size(), number}, ""});
    };
    names.find = [&](const std::string& name) -> std::optional<Expression> {
        if (name == "n" || name == "d")
            return Expression(name == "n" ? 3 : 2);
        if (name == "q" || name == "k" || name == "v")
            return matrix(name, GivenTensor::Kind::input, {heads, 3, 2});
        if (name == "i")
            return matrix(name, GivenTensor::Kind::constant, {0, 3, 1});
        return {};
    };
    names.declare = [&](const std::string& name, const std::vector<Index>& extents) {
        const Index columns = extents.back(), rows = extents.size() > 1 ? extents[extents.size() - 2] : 1;
        return matrix(name, GivenTensor::Kind::parameter,
                      {extents.size() > 2 ? extents.front() : 0, rows, columns});
    };
    build_formula(lines, names, program);
    parameters_of(lines, names);
}

/// Builds it from few names, then runs it: on three tokens, with one head and with two that look back alone.
inline bool read_formula(std::string_view bytes) {
    const std::string text(bytes);
    return unless_refused([&] {
        typed_formula(text);
        const std::vector<FormulaLine> lines = parse_formula(text);
        if (!has_small_numbers(lines))
            return;
        for (const Index heads : {0, 2})
            unless_refused([&] { build_from_few_names(lines, heads); });
        AttentionSpec spec;
        spec.algorithm.type = AlgorithmType::formula;
        spec.algorithm.options["text"] = text;
        Inputs inputs;
        inputs.query = Tensor({3, 4}, 0.5);
        plan_if_small(spec, inputs);
        spec.heads = {HeadsType::multi, 2};
        spec.mask = {CausalMask{}};
        plan_if_small(spec, inputs);
    });
}

inline bool read_layers_text(std::string_view bytes) {
    return unless_refused([&] { parse_layers(bytes); });
}

inline void use_inputs(const Inputs& inputs) {
    const std::string written = write_inputs_json(inputs);
    require(write_inputs_json(parse_inputs_json(written)) == written, "inputs come back");
    plan_if_small({}, inputs);
}

inline bool read_inputs_json(std::string_view bytes) {
    return unless_refused([&] { use_inputs(parse_inputs_json(bytes)); });
}

inline bool read_inputs_safetensors(std::string_view bytes) {
    return unless_refused([&] {
        const Inputs inputs = parse_inputs_safetensors(bytes);
        bool has_only_matrices = true;  // what JSON can hold
        for (const auto& [name, tensor] : inputs.parameters)
            has_only_matrices &= tensor.rank() <= 2 && !tensor.empty();
        if (has_only_matrices)
            use_inputs(inputs);
    });
}

inline bool read_inputs_csv(std::string_view bytes) {
    unless_refused([&] { maps_in_table(bytes); });
    unless_refused([&] { maps_in_lines(bytes); });
    return unless_refused([&] { use_inputs(parse_inputs_csv(bytes)); });
}

/// Every view of the trace, with selections beyond its ends, at one stage that follows from `written`, the
/// trace as a file: of thousands of traces that differ in a byte every view sees every stage, and each takes
/// a seventh of the time.
inline void draw(const Trace& trace, std::string_view written) {
    static constexpr std::array stages{"weights", "scores",  "query",  "output",
                                       "energy",  "row_sum", "nothing"};
    const char* stage = stages[std::hash<std::string_view>()(written) % stages.size()];
    for (const ViewKind view :
         {ViewKind::stages, ViewKind::heatmap, ViewKind::grid, ViewKind::steps, ViewKind::lines}) {
        ViewSettings settings;
        settings.view = view;
        settings.selection = {"", stage, 1'000'000, 1'000'000, 1'000'000, 1'000'000};
        settings.decoding_step = 1'000'000;
        unless_refused([&] { to_csv(build_figure(trace, settings)); });
    }
}

inline bool read_trace_json(std::string_view bytes) {
    return unless_refused([&] {
        const Trace trace = parse_trace_json(bytes);
        const std::string written = write_trace_json(trace);
        require(write_trace_json(parse_trace_json(written)) == written, "a trace comes back from JSON");
        draw(trace, written);
    });
}

inline bool read_trace_safetensors(std::string_view bytes) {
    return unless_refused([&] {
        const Trace trace = parse_trace_safetensors(bytes);
        const std::string written = write_trace_json(trace);
        require(write_trace_json(parse_trace_json(written)) == written,
                "a trace comes back from safetensors");
        draw(trace, written);
    });
}

/// With a question that nobody can be asked yet.
inline Lesson half_written_lesson(const Session& first, const Session& then) {
    LessonStep step;
    step.title = "First";
    step.texts = {"One", "Two"};
    step.states = {first, then};
    step.question.emplace();
    Lesson lesson;
    lesson.title = "Mine";
    lesson.steps = {step};
    return lesson;
}

inline bool read_lesson_draft(std::string_view bytes) {
    return unless_refused([&] {
        const std::string written = write_lesson_draft(parse_lesson_draft(bytes));
        require(write_lesson_draft(parse_lesson_draft(written)) == written, "a draft comes back");
    });
}

inline bool read_word_vectors(std::string_view bytes) {
    return unless_refused([&] {
        const WordVectors vectors(std::as_bytes(std::span(bytes.data(), bytes.size())));
        for (const char* word : {"at", "CAT", "", "größe", "zzz"})
            vectors.find(word);
    });
}

/// Two words, "at" and "cat", in the format of docs/word-vectors.md.
inline std::string small_word_vectors() {
    return safetensors_bytes(R"({"__metadata__":{"format":"headlight-word-vectors/1","typical_norm":"2.5"},)"
                             R"("offsets":{"dtype":"U32","shape":[3],"data_offsets":[0,12]},)"
                             R"("scales":{"dtype":"F32","shape":[2],"data_offsets":[12,20]},)"
                             R"("vectors":{"dtype":"I8","shape":[2,3],"data_offsets":[20,26]},)"
                             R"("words":{"dtype":"U8","shape":[5],"data_offsets":[26,31]}})",
                             {"\0\0\0\0\2\0\0\0\5\0\0\0\0\0\0\x3F\0\0\x80\x3F\1\xFE\0\x7F\0\x80"
                              "atcat",
                              31});
}

/// Whether the bytes are named as another program's.
inline bool read_foreign_file(std::string_view bytes) {
    bool is_named = foreign_json(bytes) || foreign_safetensors(bytes);
    for (const char* extension : {"", ".onnx", ".pt"})
        if (const auto found = foreign_bytes(bytes, bytes, extension)) {
            require(found->name == visible(found->name), "a name can be shown");
            is_named = true;
        }
    return is_named;
}

inline std::vector<Reader> made_readers() {
    const auto captured = [](const std::string& name) {
        return read_file(HEADLIGHT_SOURCE_DIR "/tests/support/captures/" + name);
    };
    Inputs inputs;
    inputs.query = Tensor({{1, 0.5}, {-2, 3e-300}});
    inputs.key = Tensor({{1, 1}});
    inputs.tokens = {{"a", "ü"}, {"k"}, {false, true}, {}};
    inputs.parameters["W_q"] = Tensor({{1, 2}, {3, 4}});
    inputs.parameters["v"] = Tensor({2}, {1, 2});
    SafetensorsFile tensors{
        {{"query", inputs.query}, {"W_q", inputs.parameters["W_q"]}, {"g", Tensor({}, 2.0)}},
        {{"tokens", R"({"query": ["a", "b"]})"}}};

    AttentionSpec spec;
    spec.mask = {AllOf{{Mask{CausalMask{}}, Mask{Not{{Mask{PaddingMask{0}}}}},
                        Mask{MatrixMask{{{true, true}, {true, false}}}}}}};
    spec.score.type = ScoreType::additive;
    spec.heads = {HeadsType::multi, 2};
    Inputs self;
    self.query = inputs.query;
    Trace trace = record(std::make_shared<const Plan>(plan(spec, self)));
    trace.session = R"({"format":"headlight-session/1"})";

    ViewSettings one_map;
    one_map.view = ViewKind::heatmap;
    const std::vector<LabelledMaps> few_maps =
        parse_capture(std::make_shared<HeldBytes>("[[[0.5, 0.5], [1, 0]]]"), ".json");

    Session session = example_session();
    session.sequence.query_text = "a b";
    session.sequence.vectors.dimension = 4;
    session.mechanism = "multi_head";
    session.values = {{"heads", Index(2)}, {"temperature", 2.0}};
    session.edited["W_q"] = std::make_shared<const Tensor>(inputs.parameters["W_q"]);
    session.exported = ExportOptions{85, {}, 300, false};
    Session with_file = session;
    with_file.sequence.file = std::make_shared<const Inputs>(inputs);
    Session with_image = session;
    with_image.sequence.image = cut({2, 1, {0, 127, 255, 90, 160, 230}});
    with_image.sequence.image_name = "ü.png";
    with_image.values["heads"] = Index(1);
    Session composed = session;
    adopt(composed, {"Mine", spec});
    composed.drawn_mask = std::make_shared<const MatrixMask>(MatrixMask{{{true, false}, {true, true}}});

    return {
        {"safetensors",
         read_safetensors,
         {write_safetensors(tensors), write_safetensors(tensors, StoredType::f32)}},
        {"spec", read_spec, {to_json(spec).dump(), to_json(AttentionSpec{}).dump()}},
        {"mechanism", read_mechanism, {write_mechanism({"Mine, größer", spec})}},
        {"formula",
         read_formula,
         {"scores = q @ k.T / sqrt(d) - abs(i - j) / 4\nweights = softmax(where(allowed, scores, -inf))\n"
          "context = weights @ v\n",
          "scores = sum(w[4] * tanh((q @ W_1[d, 4])[:, None] + (k @ W_2[heads, d, 4])[None, :]))\r\n"
          "weights = sparsemax(scores + pick(b[heads, 1, 3], 0, minimum(abs(i - j), 2)))",
          "kn = normalize(k)\nbeta = [0.5, 1, 0.25]\n"
          "context = scan(S = zeros(d, d_v), z = 0,\n"
          "    S + beta[0:1, 0:1] * kn[t].T @ (v[t] - kn[t] @ S), z + k[t - 1], q[t] @ S)",
          "P = softmax(q @ k.T)  # rows\nrepeat 3:\n    P = P / sum(P, axis=-2)\n    P = P / P.sum(axis=-1)\n"
          "weights = P",
          "half = [[True, False], [False, True]]\nx1 = concat([-q[:, 1:], q[:, :1]]) ** 2 // 0.5 % 3\n"
          "c = not (1 < i <= 2) or j != i and i - j >= 0\nweights = (x1[:, 0:1] − k[:, 0:1]ᵀ) * c"}},
        {"layers",
         read_layers_text,
         {R"(["window", {"attention": "window", "set": {"size": 2}}, {"spec": {"score": {"type": "dot"}}}])",
          R"({"encoder": ["linformer"], "decoder": ["window"]})",
          R"(["window", {"attention": "window", "shares": 1}])"}},
        {"inputs_json", read_inputs_json, {write_inputs_json(inputs)}},
        {"inputs_safetensors", read_inputs_safetensors, {write_safetensors(tensors)}},
        {"inputs_csv",
         read_inputs_csv,
         {"token;x;y\r\n\"a;\"\"b\";1;-2.5e3\r\nc;3;4\r\n", "1,2\n3,4\n", "sep=;\rtoken;x;y\ra;1;2\rb;0;1\r",
          "# x y\n0.1 0.2\n"}},
        {"trace_json", read_trace_json, {write_trace_json(trace)}},
        {"trace_safetensors", read_trace_safetensors, {write_trace_safetensors(trace)}},
        {"session",
         read_session,
         {write_session(session), write_session(with_file), write_session(with_image),
          write_session(composed), write_session_to("/session.json", session, LessonPlace{"softmax", 1, 1})}},
        {"lesson_draft", read_lesson_draft, {write_lesson_draft(half_written_lesson(session, composed))}},
        {"foreign_file",
         read_foreign_file,
         {"GGUF\3" + std::string(35, '\0') + "general.architecture\b" + std::string(3, '\0') + "\5" +
              std::string(7, '\0') + "llama",
          "PK\3\4" + std::string(22, '\0') + "\5" + std::string(3, '\0') + "a.npyPK\1\2" +
              std::string(24, '\0') + "\5" + std::string(17, '\0') + "a.npy",
          R"({"model_type": "llama"})", safetensors_bytes(R"({"h.0.weight":{}})"), "\x08\x07\x12\x07pytorch",
          "\x89HDF\r\n\x1a\nkeras_version"}},
        {"word_vectors", read_word_vectors, {small_word_vectors()}},
        {"model_config", read_model_config, {smallest_model().config}},
        {"model_weights", read_model_weights, {smallest_model().weights}},
        {"tokenizer", read_tokenizer, {smallest_model().target_tokenizer}},
        {"checkpoint",
         read_checkpoint,
         {write_checkpoint({smallest_settings(), Training(smallest_settings()).checkpoint()})}},
        {"capture_npz",
         read_capture_npz,
         {captured("self.npz"), captured("translation.npz"), to_npz(build_figure(trace, one_map)),
          maps_npz(few_maps)}},
        {"capture_implied", read_capture_implied, {captured("implied.npz")}},
        {"capture_npy", read_capture_npy, {captured("plain.npy"), captured("by_columns.npy")}},
        {"capture_json",
         read_capture_json,
         {"[[[0.5, 0.5], [1, 0]]]", "[[[[1]], [[1]]]]", "[[1, 0], [0, 1]]",
          R"({"tokens": ["a"], "attentions": [null, [[[1]]]]})"}},
        {"capture_notes",
         read_capture_notes,
         {R"({"views": {"all": {"left_text": ["a"], "right_text": ["b"]}}})",
          R"({"axes": ["batch", "head", "query", "key"], "choose": {"batch": 1}, "layer_numbers": {"all": [0, 5]}})",
          R"({"query_tokens": ["a"], "key_tokens": ["b"],
              "terms": {"scale": 0.5, "causal": true, "window": [2, null], "softcap": 5, "sinks": [[1, 0]]}})",
          R"({"terms": {"weights": "implied", "scale": 1, "causal": true, "decay": "log", "normalised": true}})"}},
        {"headvis_config",
         read_headvis_config,
         {R"({"heads": [[0, 1], [5, 8]], "metrics": ["qk_distance"], "head_data_pattern": "L{layer}H{head}.json",
              "pipeline_config": {"sparse_topk_per_row": 8, "sparse_threshold": 0.005}})",
          R"({"heads": [[0, 0]], "metrics": []})"}},
        {"headvis_metrics",
         read_headvis_metrics,
         {R"([{"layer": 0, "head": 1, "qk_distance": 2.5, "induction_score": null}, {"layer": 1, "head": 0}])"}},
        {"headvis_head",
         read_headvis_head,
         {R"({"sequences": [{"sequence_id": 7, "interval": 2, "tokens": ["a", "ü"], "seq_len": 2,
              "attention_indices": [0, 3], "attention_values": [1.0, 0.75], "max_activation": 0.75},
              {"tokens": ["b"], "attention_indices": [], "attention_values": [], "max_activation": null}]})"}},
        {"training_record", read_training_record, {write_training_record(small_record())}},
        {"training_summary",
         read_training_summary,
         {write_training_summary({"copy", TrainingPhase::stopped, 3, 9, 0.99, {0.5, 4}})}},
    };
}

/// Made once: their seeds are runs and trainings.
inline const std::vector<Reader>& readers() {
    static const std::vector<Reader> all = made_readers();
    return all;
}

}  // namespace headlight::test
