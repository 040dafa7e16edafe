// Figures for LaTeX and Typst: what they say, what comes back from them, and what the typesetters make of
// them where they are installed.

#include "core/figure/build_figure.h"
#include "core/figure/colour.h"
#include "core/io/files.h"
#include "tests/support/sample_traces.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_file.h"
#include "ui/render/export.h"
#include "ui/render/latex_text.h"
#include "ui/render/painter.h"
#include "ui/render/pgfplots_figure.h"

#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTest>

namespace headlight::document_export_test {

namespace {

const std::string carried = "{\"text\": \"% \\\\ <ü> & '注意' 🙂\", \"view\": 1}";

/// What LaTeX, Typst or a list of labels could trip over.
const std::vector<std::string> hostile{
    "$x$",    "100%",   "a&b",  "#1",  "a_b", "{x}", "~",     "^",    "\\end", "\"q\"",
    "`'",     "--",     "a,b",  "x]y", "<s>", "|",   "naïve", "注意", "שלום",  "e\u0301🙂\u200D",
    "a\nb\t", "// *c*", "#let", "\xff"};

Trace labelled(const std::vector<std::string>& labels) {
    const auto count = static_cast<Index>(labels.size());
    Trace trace({{"", "weights", {Axis::query, Axis::key}, {count, count}}});
    trace.tokens.query = trace.tokens.key = labels;
    double at = 0;
    for (double& number : trace.values(trace.stages()[0]))
        number = 0.5 + 0.5 * std::sin(at += 0.7);
    return trace;
}

Figure figure_in(const Trace& trace, ViewKind view = ViewKind::heatmap,
                 const std::string& session = carried) {
    ViewSettings settings;
    settings.view = view;
    settings.theme = FigureTheme::paper;
    Figure figure = build_figure(trace, settings);
    figure.session = session;
    return figure;
}

ExportOptions wide(double mm) {
    ExportOptions options;
    options.width_mm = mm;
    return options;
}

QString tool(const char* name) { return QStandardPaths::findExecutable(QLatin1String(name)); }

QByteArray output_of(const QString& program, const QStringList& arguments,
                     const std::filesystem::path& folder);

/// What typesets that format and is not here, by its name; empty where all is: a TeX without the class of
/// these documents says no more of it than that a file was not found.
QByteArray missing_typesetter(ExportFormat format, const char* reader) {
    const bool is_typst = format == ExportFormat::typ;
    for (const char* program : {is_typst ? "typst" : "pdflatex", reader})
        if (tool(program).isEmpty())
            return program + QByteArray(" is not installed");
    if (!is_typst)
        for (const char* file : {"standalone.cls", "pgfplots.sty"})
            if (output_of(tool("kpsewhich"), {QLatin1String(file)}, ".").startsWith("FAILED"))
                return file +
                       QByteArray(" is not installed (Debian's texlive-latex-extra, texlive-pictures)");
    return {};
}

QByteArray output_of(const QString& program, const QStringList& arguments,
                     const std::filesystem::path& folder) {
    QProcess process;
    process.setWorkingDirectory(QString::fromStdString(folder.string()));
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    process.waitForFinished(120'000);
    const QByteArray output = process.readAll();
    return process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0
               ? output
               : "FAILED\n" + output.right(3000);
}

/// x.pdf from the file of that format; a .pgf is read into a document.
QByteArray typeset(const QByteArray& bytes, ExportFormat format, const std::filesystem::path& folder) {
    if (format == ExportFormat::typ) {
        write_file_atomically(folder / "x.typ", bytes.toStdString());
        return output_of(tool("typst"), {"compile", "x.typ", "x.pdf"}, folder);
    }
    if (format == ExportFormat::pgf) {
        write_file_atomically(folder / "figure.pgf", bytes.toStdString());
        // A package that gives < and > another meaning, as those for some languages do, must not matter.
        write_file_atomically(folder / "x.tex",
                              std::string("\\documentclass[border=0pt]{standalone}\\usepackage{pgf}"
                                          "\\begin{document}\\catcode`\\<=13 \\catcode`\\>=13 "
                                          "\\input{figure.pgf}\\end{document}"));
    } else {
        write_file_atomically(folder / "x.tex", bytes.toStdString());
    }
    return output_of(tool("pdflatex"), {"-interaction=nonstopmode", "-halt-on-error", "x.tex"}, folder);
}

QImage picture_of(const std::filesystem::path& folder) {
    output_of(tool("pdftoppm"), {"-r", "144", "-png", "-singlefile", "x.pdf", "x"}, folder);
    return QImage(QString::fromStdString((folder / "x.png").string()));
}

constexpr ExportFormat formats[] = {ExportFormat::tex, ExportFormat::pgf, ExportFormat::typ};

}  // namespace

class DocumentExportTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void a_title_of_rows_keeps_clear_of_what_is_below_in_a_plot_too() {
        Figure figure = figure_in(samples::band(2, 12));
        figure.caption = "Σ: row sums.";
        const QByteArray whole = "{query (who looks)}";
        QVERIFY(pgfplots_figure(figure, QSizeF(240, 300)).contains(whole));
        const QByteArray low = pgfplots_figure(figure, QSizeF(240, 80));
        QVERIFY(low.contains("{query}") && !low.contains(whole));
    }

    void texts_mean_nothing_to_latex_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("latex");
        QTest::newRow("plain") << "cat" << QByteArray("cat");
        QTest::newRow("specials") << "#$%&_{}" << QByteArray("\\#\\$\\%\\&\\_\\{\\}");
        QTest::newRow("macros") << "\\~^"
                                << QByteArray("\\textbackslash{}\\textasciitilde{}\\textasciicircum{}");
        QTest::newRow("quotes") << "\"`" << QByteArray("\\string\"{}\\textasciigrave{}");
        QTest::newRow("ligatures") << "a--b,,''" << QByteArray("a-{}-b,{},'{}'");
        QTest::newRow("lines") << "a\nb\tc" << QByteArray("a b c");
        QTest::newRow("other scripts") << "注" << QByteArray("\\headlightsign{6CE8}{注}");
        QTest::newRow("composed") << "e\u0301" << QByteArray("\\headlightsign{E9}{é}");
        QTest::newRow("joiner") << QString(QChar(0x200D)) << QByteArray("\\headlightsign{}{\xE2\x80\x8D}");
        QTest::newRow("powers") << "10⁻⁵" << QByteArray("10\\ensuremath{^{-}}\\ensuremath{^5}");
        QTest::newRow("formulas") << "−∞" << QByteArray("\\ensuremath{-}\\ensuremath{\\infty}");
    }
    void texts_mean_nothing_to_latex() {
        QFETCH(QString, text);
        QFETCH(QByteArray, latex);
        QCOMPARE(latex_text(text), latex);
    }

    void sessions_come_back() {
        for (const ExportFormat format : formats) {
            const QByteArray bytes = export_figure(figure_in(labelled(hostile)), format, wide(170));
            QCOMPARE(embedded_session(bytes), std::optional(carried));
            const std::string long_one(100'000, 'x');
            QCOMPARE(embedded_session(export_figure(figure_in(labelled(hostile), ViewKind::heatmap, long_one),
                                                    format, wide(170))),
                     std::optional(long_one));
            QCOMPARE(embedded_session(export_figure(figure_in(labelled(hostile), ViewKind::heatmap, ""),
                                                    format, wide(170))),
                     std::nullopt);
        }
    }

    void damaged_sessions_are_none() {
        for (const ExportFormat format : formats) {
            const QByteArray whole = export_figure(figure_in(labelled(hostile)), format, wide(170));
            for (qsizetype length = 0; length < whole.size(); length += 1 + whole.size() / 100)
                embedded_session(whole.left(length));
            const auto start = whole.indexOf(" headlight-session ");
            QByteArray damaged = whole;
            damaged[start + 25] = '!';
            QCOMPARE(embedded_session(damaged), std::nullopt);
            QCOMPARE(embedded_session(whole.mid(1)), std::nullopt);
        }
    }

    void the_same_figure_gives_the_same_bytes() {
        const Figure figure = figure_in(samples::sentence());
        for (const ExportFormat format : formats)
            QCOMPARE(export_figure(figure, format, wide(85)), export_figure(figure, format, wide(85)));
    }

    /// As Typst reads strings: a backslash stands before a quotation mark and before itself.
    void typst_has_every_label_as_a_string() {
        const QString typst =
            QString::fromUtf8(export_figure(figure_in(labelled(hostile)), ExportFormat::typ, wide(250)));
        static const QRegularExpression words(QStringLiteral(
            "(?m)^  hl-text\\(.*rgb\\(\"#[0-9a-f]+\"\\), \"((?:[^\"\\\\\n]|\\\\[\"\\\\])*)\"(?:, [a-z]+: "
            "[^,]+)*\\)$"));
        QStringList found;
        auto match = words.globalMatch(typst);
        while (match.hasNext())
            found += match.next()
                         .captured(1)
                         .replace(QLatin1String("\\\""), QLatin1String("\""))
                         .replace(QLatin1String("\\\\"), QLatin1String("\\"));
        QCOMPARE(found.size(), typst.count(QLatin1String("\n  hl-text(")));
        for (const char* label : {"$x$", "100%", "#1", "\\end", "\"q\"", "// *c*", "#let", "注意", "שלום"})
            QVERIFY2(found.contains(QString::fromUtf8(label)), label);
    }

    /// In the document's font their parts would stand apart, or over one another.
    void titles_with_subscripts_are_one_text() {
        Figure figure = figure_in(labelled({"a", "b"}));
        figure.title = "With W_q and W_k";
        QVERIFY(export_figure(figure, ExportFormat::pgf, wide(170)).contains("With W\\_q and W\\_k"));
        QVERIFY(export_figure(figure, ExportFormat::typ, wide(170)).contains("\"With W_q and W_k\""));
    }

    /// The numbers of the matrix stand in the file, to six digits.
    void a_plot_has_the_numbers() {
        const Figure figure = figure_in(labelled({"a", "b", "c"}));
        const QString tex = QString::fromUtf8(export_figure(figure, ExportFormat::tex, wide(85)));
        static const QRegularExpression cell(QStringLiteral("(\\d) (\\d) ([0-9.e-]+)\\\\\\\\"));
        auto match = cell.globalMatch(tex);
        int found = 0;
        while (match.hasNext()) {
            const auto each = match.next();
            const int column = each.captured(1).toInt(), row = each.captured(2).toInt();
            const double value = figure.panels[0].values[static_cast<std::size_t>(Index{3} * row + column)];
            QVERIFY(std::abs(each.captured(3).toDouble() - value) < 1e-5);
            ++found;
        }
        QCOMPARE(found, 9);
    }

    void every_view_is_typeset_data() {
        QTest::addColumn<ExportFormat>("format");
        QTest::addColumn<ViewKind>("view");
        for (const ExportFormat format : formats)
            for (const ViewKind view : {ViewKind::heatmap, ViewKind::grid, ViewKind::stages, ViewKind::lines,
                                        ViewKind::steps, ViewKind::text})
                QTest::addRow("%s %s", format.extension().data(), view.word().data()) << format << view;
    }
    void every_view_is_typeset() {
        QFETCH(ExportFormat, format);
        QFETCH(ViewKind, view);
        if (const QByteArray missing = missing_typesetter(format, "pdftotext"); !missing.isEmpty())
            QSKIP(missing.constData());
        const test::TemporaryFolder folder;
        const QByteArray output = typeset(
            export_figure(figure_in(samples::sentence(), view), format, wide(170)), format, folder.path());
        QVERIFY2(!output.startsWith("FAILED"), output.constData());
        const QByteArray text = output_of(tool("pdftotext"), {"-layout", "x.pdf", "-"}, folder.path());
        QVERIFY2(text.contains("river"), text.constData());
    }

    void labels_stand_on_one_line() {
        const QByteArray tex =
            export_figure(figure_in(labelled({"them", "sleep", "acorn"})), ExportFormat::tex, wide(85));
        QCOMPARE(tex.count("text depth="), 2);  // of rows and of columns
        if (const QByteArray missing = missing_typesetter(ExportFormat::tex, "pdftotext"); !missing.isEmpty())
            QSKIP(missing.constData());
        const test::TemporaryFolder folder;
        const QByteArray output = typeset(tex, ExportFormat::tex, folder.path());
        QVERIFY2(!output.startsWith("FAILED"), output.constData());
        const QString text =
            QString::fromUtf8(output_of(tool("pdftotext"), {"-bbox", "x.pdf", "-"}, folder.path()));
        QSet<double> bottoms;
        for (const char* label : {"them", "sleep", "acorn"}) {
            const auto pattern = QStringLiteral("yMax=\"([0-9.]+)\">%1<").arg(QLatin1String(label));
            auto found = QRegularExpression(pattern).globalMatch(text);
            double top = 1e9;  // that of the column
            while (found.hasNext())
                top = std::min(top, found.next().captured(1).toDouble());
            bottoms += top;
        }
        QCOMPARE(bottoms.size(), 1);
        QVERIFY2(*bottoms.begin() < 1e9, qPrintable(text));
    }

    void hostile_labels_are_typeset_data() {
        QTest::addColumn<ExportFormat>("format");
        for (const ExportFormat format : formats)
            QTest::newRow(format.extension().data()) << format;
    }
    void hostile_labels_are_typeset() {
        QFETCH(ExportFormat, format);
        if (const QByteArray missing = missing_typesetter(format, "pdftotext"); !missing.isEmpty())
            QSKIP(missing.constData());
        const test::TemporaryFolder folder;
        const QByteArray output =
            typeset(export_figure(figure_in(labelled(hostile)), format, wide(170)), format, folder.path());
        QVERIFY2(!output.startsWith("FAILED"), output.constData());
        const QByteArray text = output_of(tool("pdftotext"), {"-layout", "x.pdf", "-"}, folder.path());
        for (const char* label : {"$x$", "100%", "a&b", "#1", "{x}", "\\end", "a,b", "x]y", "#let"})
            QVERIFY2(text.contains(label), (label + QByteArray(" is not in\n") + text).constData());
    }

    void what_a_font_lacks_is_a_number_data() {
        QTest::addColumn<QString>("program");
        for (const char* program : {"pdflatex", "lualatex"})
            QTest::newRow(program) << program;
    }
    void what_a_font_lacks_is_a_number() {
        QFETCH(QString, program);
        if (tool(program.toLatin1().constData()).isEmpty() || tool("pdftotext").isEmpty())
            QSKIP(qPrintable(program + QStringLiteral(" or pdftotext is not installed")));
        const test::TemporaryFolder folder;
        write_file_atomically(folder / "x.tex", export_figure(figure_in(labelled({"cat", "注", "é"})),
                                                              ExportFormat::tex, wide(85))
                                                    .toStdString());
        const QByteArray output =
            output_of(program, {"-interaction=nonstopmode", "-halt-on-error", "x.tex"}, folder.path());
        if (output.contains("luatex85.sty' not found"))
            QSKIP("lualatex is not whole: the package luatex85 is missing");
        QVERIFY2(!output.startsWith("FAILED"), output.constData());
        const QByteArray text = output_of(tool("pdftotext"), {"-layout", "x.pdf", "-"}, folder.path());
        QVERIFY2(text.contains("6CE8") && text.contains("cat"), text.constData());
    }

    void labels_keep_clear_of_titles_in_a_wider_font() {
        if (const QByteArray missing = missing_typesetter(ExportFormat::tex, "pdftotext"); !missing.isEmpty())
            QSKIP(missing.constData());
        const std::string narrow(30, 'i');  // in typewriter letters twice as wide as laid out
        QByteArray tex =
            export_figure(figure_in(labelled({narrow, narrow, "x"})), ExportFormat::tex, wide(85));
        tex.replace("\\begin{document}", "\\renewcommand\\familydefault{\\ttdefault}\\begin{document}");
        const test::TemporaryFolder folder;
        const QByteArray output = typeset(tex, ExportFormat::tex, folder.path());
        QVERIFY2(!output.startsWith("FAILED"), output.constData());
        const QString words =
            QString::fromUtf8(output_of(tool("pdftotext"), {"-bbox", "x.pdf", "-"}, folder.path()));
        const auto edge = [&](const QString& word, const char* side) {
            const auto found =
                QRegularExpression(QStringLiteral("%1=\"([0-9.]+)\"[^>]*>%2").arg(QLatin1String(side), word))
                    .match(words);
            return found.hasMatch() ? found.captured(1).toDouble() : std::nan("");
        };
        const double title = edge(QStringLiteral("query"), "xMax"),
                     label = edge(QStringLiteral("i+"), "xMin");
        QVERIFY2(title < label,
                 qPrintable(QStringLiteral("%1 and %2 in %3").arg(title).arg(label).arg(words)));
    }

    void a_plot_is_no_larger_than_the_memory_of_tex() {
        const auto plot = [](Index rows, Index columns) {
            ViewSettings settings;
            settings.view = ViewKind::heatmap;
            settings.scale = ScaleKind::logarithmic;  // a column more
            return export_figure(build_figure(samples::band(rows, columns), settings), ExportFormat::tex,
                                 wide(85));
        };
        QVERIFY(plot(70, 71).contains("\\addplot"));
        QVERIFY(!plot(71, 71).contains("\\addplot"));
        if (const QByteArray missing = missing_typesetter(ExportFormat::tex, "pdflatex"); !missing.isEmpty())
            QSKIP(missing.constData());
        const test::TemporaryFolder folder;
        const QByteArray output = typeset(plot(70, 71), ExportFormat::tex, folder.path());
        QVERIFY2(!output.startsWith("FAILED"), output.constData());
    }

    void cells_have_their_colours_data() { hostile_labels_are_typeset_data(); }
    void cells_have_their_colours() {
        QFETCH(ExportFormat, format);
        if (const QByteArray missing = missing_typesetter(format, "pdftoppm"); !missing.isEmpty())
            QSKIP(missing.constData());
        Figure figure = figure_in(labelled({"a", "b", "c"}));
        figure.panels[0].values_in_cells = false;
        figure.panels[0].forbidden = {0, 0, 0, 0, 0, 1, 0, 0, 0};
        const ExportOptions options = wide(85);
        const test::TemporaryFolder folder;
        const QByteArray output = typeset(export_figure(figure, format, options), format, folder.path());
        QVERIFY2(!output.startsWith("FAILED"), output.constData());
        const QImage image = picture_of(folder.path());
        const double width = 85 * 72 / 25.4, unit = 2;
        QVERIFY(std::abs(image.width() - width * unit) < 2);
        const FigureLayout layout =
            layout_figure(figure, QRectF(0, 0, width, natural_height(figure, width)), 1);
        const QRectF cells = layout.panels[0].cells;
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column) {
                const QPointF middle(cells.left() + (column + 0.4) * cells.width() / 3,
                                     cells.top() + (row + 0.4) * cells.height() / 3);
                const QColor seen = image.pixelColor((middle * unit).toPoint());
                const Rgb expected = figure.panels[0].scale.colour(
                    figure.panels[0].values[static_cast<std::size_t>(Index{3} * row + column)]);
                const int distance =
                    std::max({std::abs(seen.red() - expected.red), std::abs(seen.green() - expected.green),
                              std::abs(seen.blue() - expected.blue)});
                const bool forbidden = row == 1 && column == 2;
                QVERIFY2(forbidden ? seen.lightness() > 160 : distance <= 4,
                         qPrintable(QStringLiteral("%1,%2: %3").arg(row).arg(column).arg(seen.name())));
            }
    }
};

QTEST_MAIN(DocumentExportTest)

}  // namespace headlight::document_export_test

#include "document_export_test.moc"
