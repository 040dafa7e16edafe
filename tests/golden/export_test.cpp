// Exported files as other programs see them: sizes, text, fonts, cells, sessions; the same bytes each time.

#include "core/figure/build_figure.h"
#include "core/figure/cell_codes.h"
#include "core/figure/colour.h"
#include "core/tensor/error.h"
#include "tests/support/sample_traces.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_file.h"
#include "ui/render/cell_image.h"
#include "ui/render/export.h"
#include "ui/render/figure_in_width.h"
#include "ui/render/figure_style.h"
#include "ui/render/painter.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTest>
#include <QXmlStreamReader>
#include <QtEndian>

namespace headlight::export_test {

namespace {

const std::string session = "{\"text\": \"<ü> & '注意' 🙂\", \"view\": 1}";

Figure sample(const Trace& trace, const std::string& carried = session, ScaleKind scale = ScaleKind::linear) {
    ViewSettings settings;
    settings.view = ViewKind::heatmap;
    settings.theme = FigureTheme::paper;
    settings.scale = scale;
    Figure figure = build_figure(trace, settings);
    figure.session = carried;
    return figure;
}

ExportOptions one_column() {
    ExportOptions options;
    options.width_mm = 85;
    return options;
}

/// What a program prints about some bytes; nothing when it is not installed.
std::optional<QString> tool_output(const QString& tool, const QStringList& arguments,
                                   const QByteArray& input) {
    const QString path = QStandardPaths::findExecutable(tool);
    if (path.isEmpty())
        return std::nullopt;
    QProcess process;
    process.start(path, arguments);
    process.write(input);
    process.closeWriteChannel();
    process.waitForFinished();
    return QString::fromUtf8(process.readAllStandardOutput());
}

/// The contrast of the number in a cell with its ground, as WCAG 2 counts: 4.5 is enough for all eyes.
double most_contrast(const QImage& image, const QRectF& cell) {
    const auto light = [&](QPointF at) {
        const QRgb colour = image.pixel(at.toPoint());
        const auto byte = [](int channel) { return static_cast<std::uint8_t>(channel); };
        return luminance({byte(qRed(colour)), byte(qGreen(colour)), byte(qBlue(colour))}) + 0.05;
    };
    const QRectF inside =
        cell.adjusted(0.12 * cell.width(), 0.12 * cell.height(), -0.12 * cell.width(), -0.12 * cell.height());
    const double ground = light(inside.topLeft());
    double most = 1;
    for (int row = 0; row < inside.height(); ++row)
        for (int column = 0; column < inside.width(); ++column) {
            const double ink = light({inside.left() + column, inside.top() + row});
            most = std::max(most, std::max(ink, ground) / std::min(ink, ground));
        }
    return most;
}

quint32 number_at(const QByteArray& bytes, qsizetype at) {
    return qFromBigEndian<quint32>(bytes.constData() + at);
}

/// A chunk with its length and an empty check sum, which the reader of sessions does not ask for.
QByteArray chunk(const QByteArray& type, const QByteArray& data, std::optional<quint32> claimed = {}) {
    QByteArray length(4, '\0');
    qToBigEndian(claimed.value_or(static_cast<quint32>(data.size())), length.data());
    return length + type + data + QByteArray(4, '\0');
}

const QByteArray png_start("\x89PNG\r\n\x1a\n", 8);

}  // namespace

class ExportTest : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void formats_go_by_extension() {
        QCOMPARE(export_format("a/b.PNG"), ExportFormat::png);
        QCOMPARE(export_format("b.svg"), ExportFormat::svg);
        QCOMPARE(export_format("b.pdf"), ExportFormat::pdf);
        QCOMPARE(export_format("b.csv"), ExportFormat::csv);
        for (const char* name : {"b.bmp", "b", "png", ".png"})
            QVERIFY_EXCEPTION_THROWN(export_format(name), Error);
    }

    void widths_are_read_with_their_unit_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("mm");
        QTest::addColumn<int>("pixels");
        QTest::newRow("mm") << "85mm" << 85.0 << 0;
        QTest::newRow("cm") << " 8.5 cm " << 85.0 << 0;
        QTest::newRow("in") << "3.5in" << 88.9 << 0;
        QTest::newRow("px") << "1200px" << 0.0 << 1200;
        QTest::newRow("name") << "acl" << 77.0 << 0;
        QTest::newRow("name in capitals") << " IEEE-Double " << 182.0 << 0;
        QTest::newRow("inches by name") << "neurips" << 139.7 << 0;
        QTest::newRow("a slide") << "16:9" << 338.6582 << 0;
        for (const char* wrong : {"", "85", "mm", "-85mm", "1e3mm", "85pt", "0mm", "9mm", "2001mm", "49px",
                                  "20001px", "85mm mm", "٨٥mm", "acl2", "double", "16"})
            QTest::addRow("refused %s", wrong) << wrong << 0.0 << 0;
    }

    void widths_are_read_with_their_unit() {
        QFETCH(QString, text);
        QFETCH(double, mm);
        QFETCH(int, pixels);
        if (mm == 0 && pixels == 0) {
            QVERIFY_EXCEPTION_THROWN(parse_width(text), Error);
            try {
                parse_width(text);
            } catch (const Error& error) {  // names of places are for the help, hints for who mistyped
                QVERIFY2(error.detail().expected.size() < 120, error.detail().expected.c_str());
                if (text == QLatin1String("85"))
                    QCOMPARE(error.detail().got, std::string("\"85\" (did you mean \"85mm\"?)"));
            }
            return;
        }
        const ExportOptions options = parse_width(text);
        QCOMPARE(options.width_mm.value_or(0), mm);
        QCOMPARE(options.width_px.value_or(0), pixels);
    }

    void png_has_the_width_and_the_resolution() {
        ExportOptions options = one_column();
        options.dpi = 150;
        const QByteArray bytes = export_figure(sample(samples::masked_out()), ExportFormat::png, options);
        QCOMPARE(number_at(bytes, 16), 502u);  // 85 mm at 150 dots per inch
        const auto physical = bytes.indexOf("pHYs");
        QCOMPARE(number_at(bytes, physical + 4), 5906u);  // dots per metre
        options.width_mm.reset();
        options.width_px = 640;
        QCOMPARE(render_image(sample(samples::masked_out()), options).width(), 640);
    }

    void earlier_steps_keep_the_colours_of_the_bar() {
        ViewSettings settings;
        settings.view = ViewKind::steps;
        settings.theme = FigureTheme::dark;
        settings.values_in_cells = false;
        Figure figure = build_figure(samples::sentence(), settings);
        Panel& panel = figure.panels.front();
        const auto colour = [&] {
            const QImage image = render_image(figure, {});
            const double unit = ExportOptions().dpi / 72;
            const FigureLayout layout =
                layout_figure(figure, QRectF(0, 0, image.width(), image.height()), unit);
            const QRectF cells = layout.panels.front().cells;
            return image.pixel((cells.topLeft() + QPointF(0.5 * cells.width() / double(panel.columns),
                                                          0.5 * cells.height() / double(panel.rows)))
                                   .toPoint());
        };
        for (const char* map : {"viridis", "cividis", "diverging"}) {
            panel.scale.map = map;
            const std::optional<Index> newest = std::exchange(panel.newest_row, std::nullopt);
            const QRgb all_at_once = colour();
            panel.newest_row = newest;
            QCOMPARE(colour(), all_at_once);
        }
    }

    void only_the_row_that_is_selected_has_its_colour() {
        ViewSettings settings;
        settings.view = ViewKind::steps;
        settings.decoding_step = 4;
        Figure figure = build_figure(samples::sentence(), settings);
        Panel& panel = figure.panels.front();
        Index newest = *panel.newest_row;
        const auto right_edge_of_the_newest = [&] {
            const QImage image = render_image(figure, {});
            const FigureLayout layout =
                layout_figure(figure, QRectF(QPointF(), QSizeF(image.size())), ExportOptions().dpi / 72);
            const QRectF cells = layout.panels.front().cells;
            const double height = cells.height() / double(panel.rows);
            const QPointF edge(cells.right(), cells.top() + (double(newest) + 0.5) * height);
            return image.pixelColor(edge.toPoint());
        };
        const FigureStyle style = figure_style(figure);
        panel.selected_row = newest;
        QCOMPARE(right_edge_of_the_newest(), style.mark);
        panel.selected_row = 1;
        QCOMPARE(right_edge_of_the_newest(), style.text);
        // Where all rows are there, another one that is selected is the only one in a frame.
        panel.newest_row = newest = panel.rows - 1;
        QVERIFY(right_edge_of_the_newest() != style.text);
        panel.selected_row = newest;
        QCOMPARE(right_edge_of_the_newest(), style.mark);
    }

    void the_newest_row_is_seen_on_dark_cells() {
        ViewSettings settings;
        settings.view = ViewKind::steps;
        settings.theme = FigureTheme::projector;
        settings.decoding_step = 6;  // one row is yet to come
        Figure figure = build_figure(samples::sentence(), settings);
        Panel& panel = figure.panels.front();
        QCOMPARE(*panel.newest_row, panel.rows - 2);
        panel.selected_row = 1;
        std::vector<double> dark(static_cast<std::size_t>(panel.rows * panel.columns), panel.scale.low);
        panel.values = std::move(dark);
        panel.forbidden.clear();
        const QImage image = render_image(figure, {});
        const QRectF cells =
            layout_figure(figure, QRectF(QPointF(), QSizeF(image.size())), ExportOptions().dpi / 72)
                .panels.front()
                .cells;
        const double middle = cells.bottom() - 1.5 * cells.height() / double(panel.rows);
        const QColor background = figure_style(figure).background;
        bool is_light_around = false;
        for (int inside = 0; inside < 12; ++inside)
            is_light_around |=
                image.pixelColor(QPointF(cells.right() - inside, middle).toPoint()) == background;
        QVERIFY(is_light_around);
    }

    void earlier_steps_are_read_as_easily_as_the_newest() {
        ViewSettings settings;
        settings.view = ViewKind::steps;
        for (const FigureTheme theme : {FigureTheme::light, FigureTheme::dark})
            for (const char* map : {"cividis", "viridis"}) {
                settings.theme = theme;
                settings.colour_map = map;
                const Figure figure = build_figure(samples::sentence(), settings);
                const Panel& panel = figure.panels.front();
                const QImage image = render_image(figure, {});
                const FigureLayout layout = layout_figure(figure, QRectF(0, 0, image.width(), image.height()),
                                                          ExportOptions().dpi / 72);
                QVERIFY(layout.panels.front().values);
                const CellCodes codes = cell_codes(panel, panel.rows, panel.columns);
                const QRectF cells = layout.panels.front().cells;
                const QSizeF cell(cells.width() / double(panel.columns), cells.height() / double(panel.rows));
                for (Index row = 0; row <= *panel.newest_row; ++row)
                    for (Index column = 0; column < panel.columns; ++column) {
                        const std::uint16_t code = codes.at(row, column);
                        if (code == CellCodes::forbidden || code == CellCodes::missing)
                            continue;
                        const QPointF corner(double(column) * cell.width(), double(row) * cell.height());
                        const double contrast = most_contrast(image, QRectF(cells.topLeft() + corner, cell));
                        QVERIFY2(contrast >= 4.5, qPrintable(QStringLiteral("%1, row %2, column %3: %4")
                                                                 .arg(QLatin1String(map))
                                                                 .arg(row)
                                                                 .arg(column)
                                                                 .arg(contrast)));
                    }
            }
    }

    void svg_has_real_text_with_its_glyphs_and_crisp_cells() {
        const QByteArray bytes = export_figure(sample(samples::sentence()), ExportFormat::svg, one_column());
        QSet<QString> texts;
        int images = 0;
        QXmlStreamReader reader(bytes);
        while (!reader.atEnd()) {
            reader.readNext();
            if (!reader.isStartElement())
                continue;
            if (reader.name() == QLatin1String("svg"))
                QCOMPARE(reader.attributes().value(QLatin1String("width")).toString(),
                         QStringLiteral("85.000mm"));
            if (reader.name() == QLatin1String("text"))
                texts.insert(reader.readElementText().trimmed());
            else if (reader.name() == QLatin1String("title"))
                QCOMPARE(reader.readElementText(),
                         QStringLiteral("Multi-head scaled dot-product self-attention, causal"));
            else if (reader.name() == QLatin1String("desc"))
                QVERIFY(reader.readElementText().contains(QStringLiteral("“bank” → “The” 0.968")));
            else
                images += reader.name() == QLatin1String("image");
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        for (const char* word : {"bank", "muddyish", "0.97", "Weights, head 1 of 4"})
            QVERIFY2(texts.contains(QString::fromLatin1(word)), word);
        QCOMPARE(images, 2);  // the cells and the colour bar
        QCOMPARE(bytes.count("@font-face"), 3);
        QVERIFY(bytes.contains("image-rendering:pixelated"));
        QVERIFY(QSvgRenderer(bytes).isValid());
    }

    void zeros_of_a_matrix_are_written_alike_data() {
        QTest::addColumn<double>("neighbour");
        QTest::addColumn<QString>("written");
        QTest::newRow("the zeros of a sparse row") << 0.5 << QStringLiteral("0");
        QTest::newRow("beside a weight that is written as one") << 1e-7 << QStringLiteral("0 0.00");
    }
    void zeros_of_a_matrix_are_written_alike() {
        QFETCH(const double, neighbour);
        QFETCH(const QString, written);
        Figure figure = sample(samples::sentence());
        Panel& panel = figure.panels.front();
        std::vector<double> values(panel.values.size(), 0.5);
        const auto second_row = values.begin() + panel.columns;
        second_row[0] = 0;
        second_row[1] = neighbour;
        panel.values = std::move(values);
        QStringList zeros;
        QXmlStreamReader reader(export_figure(figure, ExportFormat::svg, one_column()));
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text"))
                if (const QString text = reader.readElementText().trimmed();
                    text == QLatin1String("0") || text == QLatin1String("0.00"))
                    zeros += text;
        QCOMPARE(zeros.join(u' '), written);
    }

    void svg_has_no_character_that_xml_forbids() {
        Figure figure = sample(samples::masked_out());
        figure.title = std::string("a\x1b") + "b\uffff" + std::string("c\0d", 3);
        const QByteArray bytes = export_figure(figure, ExportFormat::svg, one_column());
        QXmlStreamReader reader(bytes);
        while (!reader.atEnd())
            reader.readNext();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    }

    void svg_of_other_scripts_brings_their_glyphs() {
        Trace trace = samples::masked_out();
        trace.tokens.query = {"انتباه", "注意", "नमस्ते", "now"};
        const QByteArray bytes = export_figure(sample(trace), ExportFormat::svg, one_column());
        QVERIFY(bytes.contains("U+627"));  // alef, drawn by a font of the system where it has one
        QVERIFY(QSvgRenderer(bytes).isValid());
    }

    void pdf_has_the_exact_page_and_its_text_can_be_searched() {
        const QByteArray bytes = export_figure(sample(samples::sentence()), ExportFormat::pdf, one_column());
        QVERIFY(bytes.startsWith("%PDF-1.4"));
        static const QRegularExpression media_box(QStringLiteral("/MediaBox \\[ 0 \\S+ (\\S+) \\S+ \\]"));
        const auto page = media_box.match(QString::fromLatin1(bytes));
        QVERIFY(page.hasMatch());
        QVERIFY(std::abs(page.captured(1).toDouble() - 85 / 25.4 * 72) < 1e-4);
        QVERIFY(bytes.contains("/ColorSpace [ /Indexed /DeviceRGB"));
        QVERIFY(bytes.contains("/FontFile2"));
        const auto text =
            tool_output(QStringLiteral("pdftotext"), {QStringLiteral("-"), QStringLiteral("-")}, bytes);
        if (!text)
            QSKIP("pdftotext is not installed (poppler-utils)");
        for (const char* word : {"bank", "river", "0.97", "Weights, head 1 of 4", "key (what is looked at)"})
            QVERIFY2(text->contains(QString::fromLatin1(word)), word);
    }

    void pdf_keeps_signs_that_a_font_would_draw_otherwise() {
        Figure figure = sample(samples::sentence());
        figure.title = "At 8:00, 5-7 and −5: 3×4, (A-B) -2 -> 3x4 <0x0A> --> fi";
        const auto text = tool_output(QStringLiteral("pdftotext"), {QStringLiteral("-"), QStringLiteral("-")},
                                      export_figure(figure, ExportFormat::pdf, one_column()));
        if (!text)
            QSKIP("pdftotext is not installed (poppler-utils)");
        for (const char* part :
             {"8:00", "5-7", "−5:", "3×4", "(A-B)", "-2", "->", "3x4", "<0x0A>", "-->", "fi"})
            QVERIFY2(text->contains(QString::fromUtf8(part)),
                     qPrintable(part + QStringLiteral(" in ") + *text));
    }

    void vector_cells_are_rectangles() {
        ExportOptions options = one_column();
        options.vector_cells = true;
        const Figure figure = sample(samples::sentence());
        QVERIFY(!export_figure(figure, ExportFormat::pdf, options).contains("/Indexed"));
        QCOMPARE(export_figure(figure, ExportFormat::svg, options).count("<image"), 1);  // the colour bar
        QVERIFY(export_figure(figure, ExportFormat::svg, options).count("<rect") >= 36);
    }

    void the_same_figure_gives_the_same_bytes() {
        const Figure figure = sample(samples::sentence());
        for (const ExportFormat format : {ExportFormat::png, ExportFormat::svg, ExportFormat::pdf,
                                          ExportFormat::csv, ExportFormat::md, ExportFormat::npz})
            QCOMPARE(export_figure(figure, format, one_column()),
                     export_figure(figure, format, one_column()));
        QVERIFY(!export_figure(figure, ExportFormat::pdf, one_column()).contains("CreationDate"));
    }

    void a_large_map_keeps_every_cell_in_a_small_pdf() {
        const QByteArray bytes =
            export_figure(sample(samples::band(1024, 1024)), ExportFormat::pdf, one_column());
        QVERIFY(bytes.contains("/Height 1024 ") && bytes.contains("/Width 1024 "));
        QVERIFY2(bytes.size() < 500'000, qPrintable(QString::number(bytes.size())));
    }

    void colours_are_stepped_only_where_a_file_would_be_huge() {
        QCOMPARE(colour_steps(sample(samples::sentence())), 256);
        QCOMPARE(colour_steps(sample(samples::band(512, 512), "", ScaleKind::logarithmic)), 256);
        Figure noise = sample(samples::band(1200, 1200));
        unsigned state = 1;
        std::vector<double> values(noise.panels[0].values.size());
        for (double& value : values)
            value = (state = state * 1664525u + 1013904223u) / 4294967296.0;
        noise.panels[0].values = std::move(values);
        QVERIFY(colour_steps(noise) < 64);
        QVERIFY(export_figure(noise, ExportFormat::pdf, one_column()).size() < 900'000);
    }

    void palettes_show_the_map_and_what_is_no_number() {
        Figure figure = sample(samples::masked_out());
        Panel& panel = figure.panels[0];
        std::vector<double> values = panel.values.copy();
        values[0] = std::nan("");
        panel.values = std::move(values);
        const FigureStyle& style = figure_style(FigureTheme::paper);
        const QImage image = palette_image(cell_codes(panel, 100, 100), cell_palette(panel, style), 256);
        QCOMPARE(image.size(), QSize(6, 4));
        QCOMPARE(image.pixelColor(0, 0), style.missing);
        QCOMPARE(image.pixelColor(5, 0), style.forbidden);
        const Rgb colour = panel.scale.colour(panel.values[1]);
        QCOMPARE(image.pixelColor(1, 0), QColor(colour.red, colour.green, colour.blue));
    }

    void sessions_travel_in_every_picture() {
        for (const std::string& carried :
             {session, std::string("{}"), std::string(100'000, 'x'), std::string("ü").append(50'000, 'y')})
            for (const ExportFormat format : {ExportFormat::png, ExportFormat::svg, ExportFormat::pdf})
                QCOMPARE(embedded_session(
                             export_figure(sample(samples::masked_out(), carried), format, one_column())),
                         std::optional(carried));
        for (const ExportFormat format : {ExportFormat::png, ExportFormat::svg, ExportFormat::pdf})
            QCOMPARE(embedded_session(export_figure(sample(samples::masked_out(), ""), format, one_column())),
                     std::nullopt);
    }

    void hostile_files_have_no_session_data() {
        QTest::addColumn<QByteArray>("bytes");
        const QByteArray key("headlight-session\0", 18);
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("text") << QByteArray("hello");
        QTest::newRow("only a signature") << png_start;
        QTest::newRow("a chunk longer than the file") << png_start + chunk("tEXt", key + "{}", 0x7fffffff);
        QTest::newRow("a length beyond 31 bits") << png_start + chunk("tEXt", key + "{}", 0xffffffff);
        QTest::newRow("half a chunk") << png_start + QByteArray("\0\0\0\4tEX", 7);
        QTest::newRow("a keyword without an end") << png_start + chunk("tEXt", "headlight-session");
        QTest::newRow("another keyword") << png_start + chunk("tEXt", QByteArray("headlight\0{}", 12));
        QTest::newRow("iTXt cut short") << png_start + chunk("iTXt", key + QByteArray("\0", 1));
        QTest::newRow("iTXt without languages") << png_start + chunk("iTXt", key + QByteArray("\0\0en", 4));
        QTest::newRow("broken zlib") << png_start + chunk("zTXt", key + QByteArray("\0nonsense", 9));
        QTest::newRow("a zlib bomb") << png_start +
                                            chunk("zTXt",
                                                  key + QByteArray(1, '\0') +
                                                      qCompress(QByteArray(100 << 20, 'a'), 9).mid(4));
        QTest::newRow("svg that never ends") << QByteArray("<svg><metadata>");
        QTest::newRow("svg with another namespace")
            << QByteArray("<svg><session xmlns='urn:other'>{}</session></svg>");
        QTest::newRow("svg with elements in the session")
            << QByteArray("<svg><h:session xmlns:h='urn:headlight:session'><b/></h:session></svg>");
        QTest::newRow("svg with a billion laughs") << QByteArray(
            "<!DOCTYPE s [<!ENTITY a 'aaaaaaaaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"
            "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'><!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;'>]>"
            "<svg><h:session xmlns:h='urn:headlight:session'>&d;&d;</h:session></svg>");
        QTest::newRow("pdf without metadata") << QByteArray("%PDF-1.4\n%%EOF");
        QTest::newRow("pdf with half its metadata")
            << QByteArray("%PDF-1.4\n<x:xmpmeta><headlight:session>{}");
        QTest::newRow("pdf whose metadata ends before it starts")
            << QByteArray("%PDF-1.4\n</x:xmpmeta> <x:xmpmeta>");
    }

    void hostile_files_have_no_session() {
        QFETCH(QByteArray, bytes);
        QCOMPARE(embedded_session(bytes), std::nullopt);
    }

    void cut_files_never_crash() {
        for (const ExportFormat format : {ExportFormat::png, ExportFormat::svg, ExportFormat::pdf}) {
            const QByteArray whole = export_figure(sample(samples::masked_out()), format, one_column());
            for (qsizetype length = 0; length < whole.size(); length += 1 + whole.size() / 200)
                embedded_session(whole.left(length));
        }
    }

    void files_are_whole_or_absent() {
        const test::TemporaryFolder folder;
        const Figure figure = sample(samples::masked_out());
        export_to_file(figure, folder / "figure.pdf", one_column());
        QVERIFY(std::filesystem::file_size(folder / "figure.pdf") > 1000);
        QVERIFY_EXCEPTION_THROWN(export_to_file(figure, folder / "no/figure.pdf", one_column()), Error);
        QVERIFY_EXCEPTION_THROWN(export_to_file(figure, folder / "figure.bmp", one_column()), Error);
        QVERIFY(folder.size() == 1);
    }

    void a_picture_shows_no_selection() {
        for (const FigureTheme theme : {FigureTheme::paper, FigureTheme::dark}) {
            Figure figure = sample(samples::band(8, 8));
            figure.theme = theme;
            figure.panels.resize(2, figure.panels.front());
            figure.columns = 2;
            Figure chosen = figure;
            figure.panels[0].in_focus = figure.panels[1].in_focus = false;
            chosen.panels[0].in_focus = true;
            QCOMPARE(render_image(chosen, one_column()), render_image(figure, one_column()));
            QCOMPARE(export_figure(chosen, ExportFormat::svg, one_column()),
                     export_figure(figure, ExportFormat::svg, one_column()));
        }
    }

    void labels_that_have_no_room_are_said() {
        ExportOptions options = one_column();
        QCOMPARE(given_way(sample(samples::band(8, 8)), options), std::string());
        const std::string thinned = given_way(sample(samples::band(90, 8)), options);
        QVERIFY2(thinned.starts_with("Not every label has room: rows show one in "), thinned.c_str());
        options.width_mm = 200;
        QCOMPARE(given_way(sample(samples::band(60, 8)), options), std::string());
        options.width_mm = narrowest_certain_mm;
        Figure row = sample(samples::band(8, 8));
        row.panels.resize(8, row.panels.front());
        row.columns = 8;
        const std::string smaller = given_way(row, options);
        QVERIFY2(smaller.find("Everything is drawn at ") != std::string::npos, smaller.c_str());
    }

    void titles_that_are_cut_are_said() {
        Figure figure = sample(samples::band(8, 8));
        figure.is_composed = true;
        figure.panels.front().title = "Weights";
        QCOMPARE(given_way(figure, one_column()), std::string());
        const std::string title = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen";
        figure.panels.front().title = title;
        ExportOptions options;
        options.width_mm = 57;
        const std::string said = given_way(figure, options);
        QVERIFY2(said.ends_with("No room for the whole title \"" + title + '"'), said.c_str());
    }

    void text_that_is_too_small_is_said() {
        QCOMPARE(illegible_text(sample(samples::band(8, 8)), ExportFormat::pdf, one_column()), std::string());
        Figure row = sample(samples::band(8, 8));
        row.panels.resize(8, row.panels.front());
        row.columns = 8;
        ExportOptions narrow;
        narrow.width_mm = narrowest_certain_mm;
        const std::string said = illegible_text(row, ExportFormat::pdf, narrow);
        QVERIFY2(said.starts_with("The smallest text has "), said.c_str());
        QCOMPARE(illegible_text(row, ExportFormat::csv, narrow), std::string());
        QCOMPARE(illegible_text(row, ExportFormat::pdf, {}), std::string());
        // Below the widths that always have room such a picture is refused.
        narrow.width_mm = narrowest_certain_mm - 1;
        QVERIFY(!missing_room(row, ExportFormat::pdf, narrow).empty());
    }

    void csv_is_the_numbers() {
        const Figure figure = sample(samples::masked_out());
        QCOMPARE(export_figure(figure, ExportFormat::csv, {}), QByteArray::fromStdString(to_csv(figure)));
    }
};

QTEST_MAIN(ExportTest)

}  // namespace headlight::export_test

#include "export_test.moc"
