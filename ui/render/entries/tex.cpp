#include "ui/render/exporter_declarations.h"
#include "ui/render/pgf_drawing.h"
#include "ui/render/pgfplots_figure.h"
#include "ui/render/session_comment.h"

namespace headlight {
namespace {

constexpr char tex_first_line[] = "% Drawn by Headlight: a document in LaTeX";

/// Type 1 fonts in any size with the letters of Latin scripts, where they are installed; pdfLaTeX alone would
/// make bitmaps of them. With other programs the fonts of the system.
constexpr char tex_fonts[] =
    "\\ifdefined\\Umathchar\\usepackage{fontspec}\\else"
    "\\IfFileExists{lmodern.sty}{\\usepackage[T1]{fontenc}\\usepackage{lmodern}}{}\\fi\n";

/// pgfplots where it can draw the figure; else as the .pgf has it.
QByteArray write_tex(const Figure& figure, QSizeF points, const ExportOptions& options) {
    const bool is_plotted = is_for_pgfplots(figure);
    const QByteArray preamble = is_plotted ? pgfplots_preamble() : QByteArray("\\usepackage{pgf}\n");
    const QByteArray picture = is_plotted ? pgfplots_figure(figure, points)
                                          : "\\makeatletter\n" + pgf_macros() +
                                                pgf_drawing(drawn_items(figure, points, options), points);
    return QByteArray(tex_first_line) + "\n\\documentclass[border=0pt]{standalone}\n" + tex_fonts + preamble +
           "\\begin{document}%\n" + picture + "\\end{document}\n" + session_comment(figure.session, "%");
}

}  // namespace

Exporter declare_exporter_tex() {
    Exporter exporter{ExportFormat::tex};
    exporter.order = 5;
    exporter.title = "LaTeX, a plot of pgfplots";
    exporter.about = "LaTeX is a document with the matrices as plots of pgfplots, their numbers inside";
    exporter.session_in = [](const QByteArray& bytes) {
        return session_in_comment(bytes, tex_first_line, "%");
    };
    exporter.write = write_tex;
    return exporter;
}

}  // namespace headlight
