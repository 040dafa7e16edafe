#pragma once

#include "core/figure/figure.h"

#include <memory>

class QPrinter;
class QWidget;

namespace headlight {

/// Draws the figure onto the printer's page, in the middle of its margins and as large as they allow, up to
/// twice the size at which it is comfortable to read.
void print_figure(const Figure& figure, QPrinter& printer);

/// Shows the page that would be printed, where a person chooses paper, direction and printer. Lying where the
/// figure is wider than high.
void preview_print(const std::shared_ptr<const Figure>& figure, QWidget* parent);

}  // namespace headlight
