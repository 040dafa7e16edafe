// The examples that docs/ prints are read by the program that it describes.

#include "core/attention/spec_json.h"
#include "core/figure/build_figure.h"
#include "core/io/files.h"
#include "core/io/inputs_file.h"
#include "core/io/json_text.h"
#include "core/io/layers_file.h"
#include "core/io/model_json.h"
#include "core/io/trace_file.h"

#include <gtest/gtest.h>

namespace headlight::manual_test { namespace {

/// The first fenced block of this language after the heading.
std::string example(const std::string& file, const std::string& heading, const std::string& language) {
    const std::string manual = "\n" + read_file(HEADLIGHT_SOURCE_DIR "/docs/" + file);
    const std::string fence = "\n```" + language + "\n";
    const std::size_t section = manual.find("\n" + heading + "\n");
    const std::size_t begin = manual.find(fence, section) + fence.size();
    EXPECT_NE(section, std::string::npos) << heading;
    return manual.substr(begin, manual.find("\n```", begin) - begin);
}

TEST(Manual, ItsInputsAreInputs) {
    const Inputs inputs = parse_inputs_json(example("files.md", "## Inputs", "json"));
    EXPECT_EQ(inputs.query.shape(), (Shape{2, 2}));
    EXPECT_EQ(inputs.key->shape(), (Shape{3, 2}));
    EXPECT_EQ(inputs.parameters.size(), 3u);
    const Inputs matrix = parse_inputs_csv(example("files.md", "## Inputs", "csv"));
    EXPECT_EQ(matrix.query.shape(), (Shape{2, 2}));
    EXPECT_EQ(matrix.tokens.query.front(), "le");
}

TEST(Manual, ItsTraceIsATrace) {
    const Trace trace = parse_trace_json(example("files.md", "## Trace", "json"));
    EXPECT_EQ(trace.stages().size(), 2u);
}

TEST(Manual, ItsTraceOfAnotherProgramIsATrace) {
    const Trace trace = parse_trace_json(example("other-programs.md", "## Weights as a trace", "json"));
    EXPECT_EQ(trace.stages().front().site, "encoder.0.self");
    EXPECT_EQ(trace.tokens_at("encoder.0.self").query.size(), 3u);
    ViewSettings view;
    view.view = ViewKind::heatmap;
    view.selection.site = "encoder.0.self";
    EXPECT_EQ(build_figure(trace, view).panels.size(), 1u);
}

TEST(Manual, ItsModelIsAModel) {
    const nlohmann::json document = *parse_json(example("files.md", "## Model", "json"));
    const TrainingSettings settings = training_settings_from_json(document);
    EXPECT_EQ(model_of(settings)->host->sites().size(), 1u);
    // What is left out has its default.
    EXPECT_EQ(to_json(settings)["configuration"]["attention"]["score"]["type"], "additive");
    EXPECT_EQ(to_json(settings)["training"]["adam"], document["training"]["adam"]);
}

TEST(Manual, ItsLayersAreLayers) {
    const LayerList list = parse_layers(example("command-line.md", "### Layers that differ", "json"));
    EXPECT_EQ(list.all.size(), 3u);
}

TEST(Manual, ItsSpecHasTheDefaults) {
    const nlohmann::json document = *parse_json(example("spec.md", "# The words of a spec", "json"));
    EXPECT_EQ(spec_from_json(document), AttentionSpec{});
    EXPECT_EQ(document, to_json(AttentionSpec{}));
    EXPECT_NO_THROW(mask_from_json(parse_json(example("spec.md", "## `mask`", "json")), ""));
}

}}  // namespace headlight::manual_test
