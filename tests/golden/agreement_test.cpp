// A figure is the same picture whoever draws it: the screen's painter, poppler from the PDF, librsvg from the
// SVG. Letters may lie a fraction of a pixel apart, so that pictures are compared as they are seen from a
// step further away.

#include "core/figure/view.h"
#include "core/io/figure_source.h"
#include "tests/support/sample_traces.h"
#include "ui/render/export.h"

#include <QImage>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headlight;

namespace {

constexpr int step_away = 8;  ///< pixels in a row that are seen as one
/// Of 255: letters that are drawn a little darker, not one in another place. Numbers in cells are letters
/// close together.
constexpr double most_in_the_mean = 4, most_anywhere = 110;

Figure figure_of_panels(const std::vector<std::string>& panels, ViewKind view, FigureTheme theme,
                        FigureOptions options = {}) {
    FigureSource source;
    source.trace = std::make_shared<const Trace>(samples::sentence());
    ViewSettings settings;
    settings.view = view;
    settings.theme = theme;
    for (const std::string& words : panels)
        options.panels.push_back(parse_panel_words(words));
    settings.options = options;
    return headlight::figure_of(source, settings);
}

ViewKind view_named(const QString& word) {
    const auto found = std::ranges::find(views(), word.toStdString(),
                                         [](const View& view) { return std::string(view.kind.word()); });
    return found->kind;
}

ExportOptions on_paper() {
    ExportOptions options;
    options.width_mm = 160;
    options.dpi = 144;
    return options;
}

/// What the program makes of the file; null where it is not installed.
QImage drawn_by(const char* program, const QStringList& arguments, const QByteArray& bytes,
                const char* name) {
    const QString tool = QStandardPaths::findExecutable(QLatin1String(program));
    if (tool.isEmpty())
        return {};
    const QTemporaryDir folder;
    QFile file(folder.filePath(QLatin1String(name)));
    if (!file.open(QFile::WriteOnly) || file.write(bytes) != bytes.size())
        return {};
    file.close();
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.start(tool, arguments);
    process.waitForFinished();
    return QImage(folder.filePath(QStringLiteral("x.png")));
}

QImage from_pdf(const QByteArray& bytes, int width_px) {
    return drawn_by("pdftoppm",
                    {QStringLiteral("-scale-to-x"), QString::number(width_px), QStringLiteral("-scale-to-y"),
                     QStringLiteral("-1"), QStringLiteral("-png"), QStringLiteral("-singlefile"),
                     QStringLiteral("x.pdf"), QStringLiteral("x")},
                    bytes, "x.pdf");
}

QImage from_svg(const QByteArray& bytes, int width_px) {
    return drawn_by("rsvg-convert",
                    {QStringLiteral("-w"), QString::number(width_px), QStringLiteral("-o"),
                     QStringLiteral("x.png"), QStringLiteral("x.svg")},
                    bytes, "x.svg");
}

struct Distance {
    double mean = 0, most = 0;  ///< of 255, of the channels of what is seen as one
};

Distance distance(const QImage& one, const QImage& other) {
    const QSize seen = one.size() / step_away;
    const auto from_away = [&](const QImage& image) {
        QImage paper(image.size(), QImage::Format_RGB32);
        paper.fill(Qt::white);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (const QColor colour = image.pixelColor(x, y); colour.alpha() == 255)
                    paper.setPixelColor(x, y, colour);
        return paper.scaled(seen, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    };
    const QImage a = from_away(one), b = from_away(other);
    Distance distance;
    for (int y = 0; y < seen.height(); ++y)
        for (int x = 0; x < seen.width(); ++x) {
            const QColor p = a.pixelColor(x, y), q = b.pixelColor(x, y);
            for (const int channel : {p.red() - q.red(), p.green() - q.green(), p.blue() - q.blue()}) {
                distance.mean += std::abs(channel);
                distance.most = std::max(distance.most, std::abs(double(channel)));
            }
        }
    distance.mean /= 3.0 * seen.width() * seen.height();
    return distance;
}

QString words(const Distance& distance) {
    return QStringLiteral("%1 in the mean, %2 at most").arg(distance.mean).arg(distance.most);
}

}  // namespace

class AgreementTest : public QObject {
    Q_OBJECT
private slots:
    void files_show_what_the_screen_shows_data() {
        QTest::addColumn<QStringList>("panels");
        QTest::addColumn<QString>("view");
        QTest::addColumn<bool>("is_dark");
        for (const char* view : {"heatmap", "grid", "stages", "lines", "text", "steps", "model_grid"})
            QTest::newRow(view) << QStringList() << view << false;
        QTest::newRow("dark") << QStringList() << QStringLiteral("heatmap") << true;
        QTest::newRow("panels with letters, a note and a frame")
            << QStringList{QStringLiteral("view=heatmap head=1 mark=2,3 note=\"3,5 here\""),
                           QStringLiteral("view=lines head=2"), QStringLiteral("view=heatmap head=3 new-row"),
                           QStringLiteral("view=text query=2")}
            << QStringLiteral("heatmap") << false;
    }
    void files_show_what_the_screen_shows() {
        QFETCH(QStringList, panels);
        QFETCH(QString, view);
        QFETCH(bool, is_dark);
        std::vector<std::string> asked;
        for (const QString& panel : panels)
            asked.push_back(panel.toStdString());
        FigureOptions options;
        options.letters = !asked.empty();
        const Figure figure = figure_of_panels(asked, view_named(view),
                                               is_dark ? FigureTheme::dark : FigureTheme::paper, options);
        const QImage screen = render_image(figure, on_paper());
        const QImage pdf = from_pdf(export_figure(figure, ExportFormat::pdf, on_paper()), screen.width());
        const QImage svg = from_svg(export_figure(figure, ExportFormat::svg, on_paper()), screen.width());
        if (pdf.isNull() || svg.isNull())
            QSKIP("pdftoppm or rsvg-convert is not installed");
        for (const QImage& image : {pdf, svg}) {
            QVERIFY(std::abs(image.height() - screen.height()) <= 1);
            const Distance found = distance(screen, image.copy(screen.rect()));
            QVERIFY2(found.mean < most_in_the_mean && found.most < most_anywhere, qPrintable(words(found)));
        }
    }

    void another_head_is_another_picture() {
        const auto of_head = [](const char* panel) {
            return render_image(figure_of_panels({panel}, ViewKind::heatmap, FigureTheme::paper), on_paper());
        };
        QVERIFY(distance(of_head("head=1"), of_head("head=2")).mean > most_in_the_mean);
    }
};

QTEST_MAIN(AgreementTest)
#include "agreement_test.moc"
