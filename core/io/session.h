#pragma once

#include "core/analysis/token_units.h"
#include "core/attention/inputs.h"
#include "core/catalog/mechanism.h"
#include "core/figure/view_settings.h"
#include "core/image/patches.h"
#include "core/io/export_options.h"
#include "core/io/mechanism_file.h"
#include "core/model/generation_request.h"
#include "core/text/split.h"
#include "core/text/token_vectors.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace headlight {

class JsonDocument;

/// Where the token vectors come from.
struct SequenceSettings {
    std::string query_text;
    std::string key_text;  ///< cross attention
    TokenSplit split = TokenSplit::words;
    VectorSettings vectors;
    /// Vectors from a file instead of text; shared, because undo keeps many sessions.
    std::shared_ptr<const Inputs> file;
    std::string file_name;  ///< what the panel shows for `file`
    /// Patches of an image instead of text or a file; in cross attention the query text looks at them.
    PatchedPicture image;
    std::string image_name;  ///< what the panel shows for `image`
    bool operator==(const SequenceSettings&) const = default;
};

/// How the parameters of projections and scores are made.
enum class ParameterOrigin { xavier, identity, file };

/// A mechanism beside the session's own, on the same token vectors.
struct ComparedMechanism {
    std::string mechanism = "scaled_dot_product";
    ParameterValues values;
    std::optional<CustomMechanism> custom{};  ///< in place of the catalogue's mechanism
    bool operator==(const ComparedMechanism&) const = default;
};
inline constexpr Index most_compared = 5;

/// A trained model in place of a mechanism, and what it is to say.
struct SessionModel {
    std::string name;  ///< of one that comes with the program, or the folder of another
    GenerationRequest request;
    bool operator==(const SessionModel&) const = default;
};

/// Attention that was computed elsewhere.
struct SessionCapture {
    std::string file;  ///< a capture, or a trace
    TokenUnit unit = TokenUnit::token;
    TokenSpelling spelling = TokenSpelling::text;
    bool operator==(const SessionCapture&) const = default;
};

/// What the maps of a session are compared with, one by one, on the tokens that both have.
struct Counterpart {
    enum class Kind {
        text,     ///< of a mechanism or a model: it reads another one
        model,    ///< another one, by its name or folder, which reads the same
        capture,  ///< of a capture: the file of another one, or of a trace
    };
    Kind kind = Kind::text;
    std::string value;
    bool operator==(const Counterpart&) const = default;
};

/// All that is edited in a session: what undo steps over, and what there is to save. A plain value.
struct SessionEdits {
    SequenceSettings sequence;
    std::string mechanism = "scaled_dot_product";  ///< id in the catalogue
    ParameterValues values;                        ///< the knobs that differ from their defaults
    std::optional<CustomMechanism> custom;         ///< in place of the catalogue's mechanism
    /// Speaks in place of the mechanism, which stays for when the model goes.
    std::optional<SessionModel> model;
    /// Shown in place of the mechanism. Not with a model.
    std::optional<SessionCapture> capture;
    std::optional<Counterpart> counterpart;  ///< takes part where it has_counterpart()
    /// Drawn by hand for these very tokens, in place of the mechanism's. Immutable and shared.
    std::shared_ptr<const MatrixMask> drawn_mask;
    ParameterOrigin origin = ParameterOrigin::xavier;
    /// Parameters that a person edited or opened, by name; they win over `origin`. Immutable and shared.
    std::map<std::string, std::shared_ptr<const Tensor>> edited;
    /// Parameters that an equivalence sets, by name: "identity", "zeros" or "ones", in the shape that each
    /// spec asks for. They belong to the comparison that shows it; `edited` wins over them, they over
    /// `origin`.
    std::map<std::string, std::string> equated;
    std::uint64_t seed = 1;
    MaskOrder mask_order = MaskOrder::after_scale;
    std::optional<double> mask_value;
    PositionType position = PositionType::none;
    std::vector<ComparedMechanism> compared;  ///< up to most_compared
    FigureSettings figure;
    /// How the figure that carries this session was exported; nothing where it was not.
    std::optional<ExportOptions> exported;
    bool operator==(const SessionEdits&) const = default;

    /// Whether what attends, and what it reads, can be compared with something of that kind.
    bool allows(Counterpart::Kind kind) const;
    bool has_counterpart() const { return counterpart && allows(counterpart->kind); }
    /// Who attends is the mechanism, and not a model or the one whose maps were captured.
    bool runs_mechanism() const { return !model && !capture; }
    /// The model, or the file of the capture; empty for the mechanism.
    std::string attends_elsewhere() const {
        return model ? model->name : capture ? capture->file : std::string();
    }
};

/// Everything needed to come back to a view: the edits, and where they were being looked at. What a session
/// file and an exported figure carry.
struct Session : SessionEdits {
    ViewState view;
    bool operator==(const Session&) const = default;
};

/// What determines the session's figure, its numbers apart.
inline ViewSettings view_settings(const Session& session) { return {session.view, session.figure}; }

/// Whether the two differ at most in how they are looked at.
inline bool same_edits(const Session& a, const Session& b) {
    return static_cast<const SessionEdits&>(a) == static_cast<const SessionEdits&>(b);
}

/// The worked example that a first start shows.
Session example_session();

/// The spec that the session's mechanism, knobs and settings build. What lays tokens on a grid lays them as
/// the session's image does, if it has one. Throws Error when they cannot be combined.
AttentionSpec session_spec(const Session& session);

/// The parameters that the formula of the session's own mechanism declares, as far as its text says them: a
/// file that is opened into the session may have them beside those of the catalogue.
std::vector<std::string> own_parameter_names(const Session& session);

/// `session` on its mechanism again, in place of a model or a capture.
Session on_its_mechanism(Session session);

/// Puts a mechanism of one's own in place of the catalogue's. What the session has beside a mechanism
/// (sinusoidal positions, the order and value of the mask) becomes what its spec says; a drawn mask goes, and
/// so does a model.
void adopt(Session& session, CustomMechanism mechanism);

/// The spec of one of the compared ones: its own, with the session's source where it has that knob.
AttentionSpec compared_spec(const Session& session, const ComparedMechanism& compared);

/// Token vectors and labels of a sequence, and the parameters of its file. The key text counts for cross
/// attention alone, where an image takes its place. Throws Error (empty text, ...).
Inputs sequence_inputs(const SequenceSettings& sequence, SourceType source);

/// Token vectors, labels and parameters of the session, ready for plan(). Parameters that only a formula had
/// wait for it: what the session runs now has no use for them. Throws Error (empty text, ...).
Inputs session_inputs(const Session& session);
/// The same for another spec than the session's own.
Inputs session_inputs(const Session& session, const AttentionSpec& spec);

nlohmann::json to_json(const Session& session);
Session session_from_json(const nlohmann::json& document);

std::string write_session(const Session& session);
Session parse_session(std::string_view text);
/// The document that parse_session() reads, with matrices as packed numbers.
JsonDocument parse_session_document(std::string_view text);

}  // namespace headlight
