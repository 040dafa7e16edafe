#include "core/workbench/sequence_edits.h"

#include "core/io/image_session.h"
#include "core/tensor/counted.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <set>
#include <utility>

namespace headlight {
namespace {

/// Texts that cannot be split have none: an empty one is reported where it is run.
Index distinct_tokens(const SequenceSettings& sequence) {
    std::set<std::string> distinct;
    for (const std::string* text : {&sequence.query_text, &sequence.key_text}) {
        try {
            for (std::string& token : split_text(*text, sequence.split))
                distinct.insert(std::move(token));
        } catch (const Error&) {
            continue;
        }
    }
    return std::ssize(distinct);
}

}  // namespace

Edit type_query(Session session, const std::string& text) {
    session.sequence.query_text = text;
    return {"Type the query", std::move(session), typing_key("query_text", text)};
}

Edit type_key(Session session, const std::string& text) {
    session.sequence.key_text = text;
    return {"Type the key", std::move(session), typing_key("key_text", text)};
}

Edit choose_split(Session session, TokenSplit split, std::string_view called) {
    session.sequence.split = split;
    return {"Split into " + in_lower_case(called), std::move(session)};
}

Edit choose_vectors(Session session, VectorKind kind, std::string_view called) {
    VectorSettings& vectors = session.sequence.vectors;
    vectors.kind = kind;
    if (kind == VectorKind::one_hot)
        vectors.dimension = std::max(vectors.dimension, distinct_tokens(session.sequence));
    return {"Vectors: " + in_lower_case(called), std::move(session)};
}

Edit set_dimension(Session session, Index dimension, int gesture) {
    session.sequence.vectors.dimension = dimension;
    return {"Dimension " + std::to_string(dimension), std::move(session), gesture_key("dimension", gesture)};
}

Edit choose_reduction(Session session, Reduction reduction, std::string_view called) {
    session.sequence.vectors.reduction = reduction;
    return {"Shorten: " + in_lower_case(called), std::move(session)};
}

Edit seed_vectors(Session session, std::uint64_t seed) {
    session.sequence.vectors.seed = seed;
    return {"Seed of the token vectors", std::move(session), "vector_seed"};
}

Edit add_positions(Session session, bool on) {
    session.position = on ? PositionType::sinusoidal : PositionType::none;
    return {on ? "Add positions" : "Remove positions", std::move(session)};
}

Edit paste_image(Session session, PatchedPicture image) {
    return {"Paste an image", with_image(std::move(session), std::move(image), "Pasted image")};
}

Edit show_example_picture(Session session, PatchedPicture picture) {
    session = with_image(std::move(session), std::move(picture), "Example picture");
    Selection& selection = session.view.selection;
    selection.key = 6 * session.sequence.image.columns + 2;
    if (reads_image_alone(session))
        selection.query = selection.key;
    return {"Example picture", std::move(session)};
}

Edit cut_image(Session session, Index columns, int gesture) {
    return {counted(columns, "patch", "patches") + " across", with_patch_columns(std::move(session), columns),
            gesture_key("patch_columns", gesture)};
}

Edit leave_image(Session session) { return {"Back to text", without_image(std::move(session))}; }

Edit leave_file(Session session) {
    session.sequence.file = nullptr;
    session.sequence.file_name.clear();
    return {"Back to text", std::move(session)};
}

}  // namespace headlight
