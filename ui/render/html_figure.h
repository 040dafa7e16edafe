#pragma once

#include "core/figure/figure.h"
#include "core/io/export_options.h"

#include <QByteArray>
#include <QSizeF>

namespace headlight {

// Figures in pages that need nothing else: no network, no other file.

/// A <figure> with the picture as SVG, its numbers for the pointer and the arrow keys, and a slider where it
/// has decoding steps. It comes to life in a page with html_style() in a <style> and html_script() in a
/// <script> behind it.
QByteArray html_figure(const Figure& figure, QSizeF points, const ExportOptions& options);
QByteArray html_style();
QByteArray html_script();

}  // namespace headlight
