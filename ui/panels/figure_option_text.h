#pragma once

#include "core/figure/figure_options.h"

#include <QString>

#include <map>
#include <optional>
#include <string>

namespace headlight {

// Options of a figure as a person types them in a field. What cannot be read changes nothing: false.

/// "label → other", a line each.
QString renamed_text(const std::map<std::string, std::string>& renamed);
/// A line without an arrow, or what may stand for one ("->", "="), renames nothing.
std::map<std::string, std::string> renamed_labels(const QString& text);

/// Some rows or columns; empty: all.
bool read_slice(std::optional<AxisSlice>& slice, const std::string& text);
/// Cells to frame, with spaces between them.
bool read_marks(FigureOptions& options, const std::string& text);
/// Notes beside cells, with semicolons between them.
bool read_notes(FigureOptions& options, const std::string& text);
/// The pattern of tokens whose labels are left out.
bool read_hidden(FigureOptions& options, const std::string& text);

}  // namespace headlight
