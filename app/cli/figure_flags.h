#pragma once

#include "app/cli/arguments.h"
#include "core/figure/figure.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// What `render` takes to draw a figure as its author wants it: the words of FigureOptions.
std::vector<Flag> figure_flags();

/// The options in the file of --figure; nothing where it was not given. Throws Error that names the file and
/// the field.
std::optional<FigureOptions> figure_options_in_file(const Arguments& arguments);

/// What --view names that is no view of a trace: beam, learning, costs. Nothing for a view.
std::optional<std::string> asked_subject(const Arguments& arguments);

/// `view` with what the arguments say of its options. Throws UsageError for what no figure can have.
ViewSettings with_figure_flags(const Arguments& arguments, ViewSettings view);

/// Throws UsageError where `figure`, as its view has made it, lacks heads, rows, columns or cells that the
/// arguments ask for: a script must never get the picture of others.
void require_chosen(const Arguments& arguments, const ViewSettings& view, const Figure& figure);

/// Throws UsageError that names near ones where the system lacks the font that the arguments ask for. After
/// Qt has begun.
void require_font(const Arguments& arguments);

/// Whether the value of --rows or --columns is a range of them, and not the name of an axis.
bool is_slice_word(const std::string& word);

}  // namespace headlight
