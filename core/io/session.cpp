#include "core/io/session.h"

#include "core/attention/parameters.h"
#include "core/attention/spec_words.h"
#include "core/attention/typed_formula.h"
#include "core/attention/widths.h"
#include "core/figure/another_text.h"
#include "core/io/grid_columns.h"
#include "core/io/inputs_check.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

std::vector<std::string> tokens_of(const std::string& text, TokenSplit split, const char* name) try {
    return split_text(text, split);
} catch (const Error& error) {
    throw error.within(name);
}

/// Empty when every token is known: then nothing is marked.
std::vector<bool> unless_all_known(const std::vector<bool>& unknown) {
    return std::ranges::find(unknown, true) == unknown.end() ? std::vector<bool>() : unknown;
}

/// What leaves vectors as they are: 1 on the diagonal, which begins anew after `block` rows (the query's,
/// where a key is concatenated to it); no bias; every feature of the energy counted once.
Tensor identity_parameter(const ParameterInfo& parameter, Index block) {
    if (parameter.constant)
        return Tensor(parameter.shape, *parameter.constant);
    Tensor tensor(parameter.shape);
    if (tensor.rank() == 2) {
        for (Index row = 0; row < tensor.rows(); ++row)
            if (const Index column = row < block ? row : row - block; column < tensor.cols())
                tensor(row, column) = 1;
    } else if (parameter.name == "v" || parameter.name == "g") {
        std::ranges::fill(tensor.values(), 1.0);
    }
    return tensor;
}

/// What an equivalence says of a parameter, in its shape.
Tensor equated_parameter(const std::string& word, const Shape& shape) {
    Tensor tensor(shape);
    if (word == "ones")
        std::ranges::fill(tensor.values(), 1.0);
    if (word == "identity" && tensor.rank() == 2)
        for (Index i = 0; i < std::min(tensor.rows(), tensor.cols()); ++i)
            tensor(i, i) = 1;
    return tensor;
}

/// The parameters of the spec that an equivalence sets and nobody edited.
void equate(Inputs& inputs, const Session& session, const AttentionSpec& spec) {
    for (const ParameterInfo& parameter :
         required_parameters(spec, dimensions_of(inputs), inputs.parameters)) {
        const auto equated = session.equated.find(parameter.name);
        if (equated != session.equated.end() && !session.edited.contains(parameter.name))
            inputs.parameters.insert_or_assign(parameter.name,
                                               equated_parameter(equated->second, parameter.shape));
    }
}

/// Parameters of the spec that are not there yet.
void complete_with_identity(Inputs& inputs, const AttentionSpec& spec) {
    const TokenDimensions tokens = dimensions_of(inputs);
    const Index query_width = widths_of(spec, tokens, inputs.parameters).query / spec.heads.count();
    for (const ParameterInfo& parameter : required_parameters(spec, tokens, inputs.parameters)) {
        const bool is_concatenation = spec.score.type == ScoreType::concat && parameter.name == "W";
        const Index block = is_concatenation ? query_width : parameter.shape.front();
        inputs.parameters.try_emplace(parameter.name, identity_parameter(parameter, block));
    }
}

}  // namespace

namespace {

/// A mechanism that has a position term of its own keeps it.
void add_position(AttentionSpec& spec, const Session& session) {
    if (spec.position.type == PositionType::none)
        spec.position.type = session.position;
}

/// The patches of an image lie as they lie in the image.
AttentionSpec on_image(AttentionSpec spec, const SequenceSettings& sequence) {
    if (sequence.image)
        set_grid_columns(spec, sequence.image.columns);
    return spec;
}

bool has_knob(const Mechanism& mechanism, const std::string& name) {
    return std::ranges::find(mechanism.parameters, name, &MechanismParameter::name) !=
           mechanism.parameters.end();
}

}  // namespace

AttentionSpec compared_spec(const Session& session, const ComparedMechanism& compared) {
    if (compared.custom) {
        AttentionSpec spec = compared.custom->spec;
        add_position(spec, session);
        return on_image(std::move(spec), session.sequence);
    }
    const Mechanism& other = mechanism(compared.mechanism);
    ParameterValues values = compared.values;
    if (has_knob(other, "source"))
        values["source"] = to_word(session_spec(session).source.type);
    AttentionSpec spec = build_spec(other, values);
    add_position(spec, session);
    return on_image(std::move(spec), session.sequence);
}

bool SessionEdits::allows(Counterpart::Kind kind) const {
    switch (kind) {
    case Counterpart::Kind::text:
        return !capture && (model || (!sequence.file && !sequence.image));
    case Counterpart::Kind::model:
        return model.has_value();
    case Counterpart::Kind::capture:
        return capture.has_value();
    }
    return false;
}

Session on_its_mechanism(Session session) {
    if (session.runs_mechanism())
        return session;
    session.counterpart.reset();
    session.figure = for_another_text(session.figure);
    if (session.capture)
        session.figure.range = FigureSettings().range;
    session.model.reset();
    session.capture.reset();
    session.view.selection = {};
    session.view.decoding_step.reset();
    return session;
}

void adopt(Session& session, CustomMechanism mechanism) {
    AttentionSpec& spec = mechanism.spec;
    session = on_its_mechanism(std::move(session));
    session.position = PositionType::none;
    if (spec.position == Position{PositionType::sinusoidal})
        std::swap(session.position, spec.position.type);
    session.mask_order = std::exchange(spec.mask_order, MaskOrder::after_scale);
    session.mask_value = std::exchange(spec.mask_value, std::nullopt);
    session.drawn_mask = nullptr;
    session.custom = std::move(mechanism);
}

AttentionSpec session_spec(const Session& session) {
    AttentionSpec spec =
        session.custom ? session.custom->spec : build_spec(mechanism(session.mechanism), session.values);
    add_position(spec, session);
    if (session.drawn_mask)
        spec.mask = {*session.drawn_mask};
    spec.mask_order = session.mask_order;
    spec.mask_value = session.mask_value;
    return on_image(std::move(spec), session.sequence);
}

namespace {

/// The patches, and in cross attention the words that look at them.
Inputs image_inputs(const SequenceSettings& sequence, SourceType source) {
    const PatchGrid grid = sequence.image.grid();
    Tensor patches = patch_vectors(*sequence.image.picture, grid, sequence.vectors);
    Inputs inputs;
    if (source == SourceType::self) {
        inputs.query = std::move(patches);
        inputs.tokens.query = patch_labels(grid);
        return inputs;
    }
    inputs.tokens.query = tokens_of(sequence.query_text, sequence.split, "query text");
    TokenVectors words = token_vectors(inputs.tokens.query, {}, sequence.vectors).query;
    inputs.query = std::move(words.vectors);
    inputs.tokens.query_unknown = unless_all_known(words.unknown);
    inputs.key = std::move(patches);
    inputs.tokens.key = patch_labels(grid);
    return inputs;
}

}  // namespace

Inputs sequence_inputs(const SequenceSettings& sequence, SourceType source) {
    if (sequence.image)
        return image_inputs(sequence, source);
    if (sequence.file)
        return *sequence.file;
    Inputs inputs;
    inputs.tokens.query = tokens_of(sequence.query_text, sequence.split, "query text");
    if (source == SourceType::cross)
        inputs.tokens.key = tokens_of(sequence.key_text, sequence.split, "key text");
    SequenceVectors vectors = token_vectors(inputs.tokens.query, inputs.tokens.key, sequence.vectors);
    inputs.query = std::move(vectors.query.vectors);
    inputs.tokens.query_unknown = unless_all_known(vectors.query.unknown);
    if (source == SourceType::cross) {
        inputs.key = std::move(vectors.key.vectors);
        inputs.tokens.key_unknown = unless_all_known(vectors.key.unknown);
    }
    return inputs;
}

Inputs session_inputs(const Session& session) { return session_inputs(session, session_spec(session)); }

std::vector<std::string> own_parameter_names(const Session& session) {
    return session.custom ? formula_parameter_names(session.custom->spec) : std::vector<std::string>();
}

Inputs session_inputs(const Session& session, const AttentionSpec& spec) {
    Inputs inputs = inputs_for(spec.source.type, sequence_inputs(session.sequence, spec.source.type));
    if (session.origin != ParameterOrigin::file)
        inputs.parameters.clear();
    for (const auto& [name, tensor] : session.edited)
        inputs.parameters.insert_or_assign(name, *tensor);
    std::erase_if(inputs.parameters, [own = formula_parameter_names(spec)](const auto& parameter) {
        return !is_known_parameter(parameter.first, own);
    });
    if (!session.equated.empty())
        equate(inputs, session, spec);
    if (session.origin == ParameterOrigin::identity)
        complete_with_identity(inputs, spec);
    return inputs;
}

Session example_session() {
    Session session;
    session.mechanism = "scaled_dot_product";
    session.sequence.query_text =
        "the doctor and the nurse drank coffee and tea while the dog chased the cat";
    return session;
}

}  // namespace headlight
