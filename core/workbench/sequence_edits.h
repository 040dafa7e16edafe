#pragma once

#include "core/workbench/edit.h"

namespace headlight {

// What a person does with the tokens that attend and are attended to: texts, images, their vectors. `called`
// is what the control calls the choice.

Edit type_query(Session session, const std::string& text);
Edit type_key(Session session, const std::string& text);
Edit choose_split(Session session, TokenSplit split, std::string_view called);
/// One-hot vectors get an axis for every distinct token, so that the choice does not end in an error message.
Edit choose_vectors(Session session, VectorKind kind, std::string_view called);
inline constexpr Index widest_vectors = 512;  ///< numbers that a person asks for
Edit set_dimension(Session session, Index dimension, int gesture);
Edit choose_reduction(Session session, Reduction reduction, std::string_view called);
Edit seed_vectors(Session session, std::uint64_t seed);
Edit add_positions(Session session, bool on);

/// An image from the clipboard: its patches become the tokens (with_image).
Edit paste_image(Session session, PatchedPicture image);
/// The same with the picture that comes with the program, a patch of its left tree in focus, which finds the
/// other tree.
Edit show_example_picture(Session session, PatchedPicture picture);
Edit cut_image(Session session, Index columns, int gesture);
/// To the text that was there before the image.
Edit leave_image(Session session);
/// To the text that was there before the vectors of a file.
Edit leave_file(Session session);

}  // namespace headlight
