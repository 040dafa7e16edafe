#pragma once

#include "core/figure/figure.h"
#include "core/io/export_options.h"

#include <QByteArray>
#include <QSizeF>

#include <string>

namespace headlight {

// Figures in pages that need nothing else: no network, no other file.

/// A <figure> with the picture as SVG, its numbers for the pointer and the arrow keys, and a slider where it
/// has decoding steps. It comes to life in an html_page().
QByteArray html_figure(const Figure& figure, QSizeF points, const ExportOptions& options);

/// A page with that title; `style` is CSS, `body` HTML in which there may be figures.
QByteArray html_page(const std::string& title, const QByteArray& style, const QByteArray& body);

}  // namespace headlight
