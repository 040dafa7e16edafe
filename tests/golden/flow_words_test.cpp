// On a screen no word of a map is too small to be read: it is left out, but for what is in view.

#include "core/figure/build_figure.h"
#include "core/figure/flow.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "tests/ui/text_recorder.h"
#include "ui/render/painter.h"

#include <QPainter>
#include <QTest>

#include <algorithm>

namespace headlight::flow_words_test {

namespace {

constexpr double unit = 96.0 / 72, least = 9;  // pixels to a point, and of type

Figure map_on_screen(FigureTheme theme) {
    ViewSettings settings;
    settings.view = ViewKind::map;
    settings.theme = theme;
    settings.selection.stage = "weights";
    Figure figure = build_figure(samples::sentence(), settings);
    figure.uses_height = true;
    return figure;
}

struct Drawn {
    FigureLayout layout;
    std::vector<PaintedText> of_map;
};

Drawn drawn_in(const Figure& figure, QSize size, double of_type) {
    Drawn drawn{layout_figure(figure, QRectF(QPointF(), size), unit * of_type), {}};
    TextRecorder recorder(size);
    QPainter painter(&recorder);
    paint_figure(painter, figure, drawn.layout, unit * of_type);
    painter.end();
    for (const PaintedText& text : recorder.texts())
        if (drawn.layout.panels.front().cells.contains(text.baseline))
            drawn.of_map.push_back(text);
    return drawn;
}

}  // namespace

class FlowWordsTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void no_word_of_a_map_is_smaller_than_can_be_read() {
        bool were_some_left_out = false;
        for (const FigureTheme theme : {FigureTheme::light, FigureTheme::dark, FigureTheme::contrast}) {
            const Figure figure = map_on_screen(theme);
            const Flow& flow = *figure.panels.front().flow;
            const QString in_view = QString::fromStdString(flow_node(flow, *lit_node(flow)).title);
            for (const double of_type : {1.0, 0.55})
                for (const QSize size :
                     {QSize(900, 500), QSize(520, 320), QSize(360, 240), QSize(260, 200)}) {
                    const Drawn drawn = drawn_in(figure, size, of_type);
                    for (const PaintedText& text : drawn.of_map)
                        QVERIFY2(text.pixels >= least, qPrintable(QStringLiteral("%1: %2 px at %3 x %4")
                                                                      .arg(text.text)
                                                                      .arg(text.pixels)
                                                                      .arg(size.width())
                                                                      .arg(size.height())));
                    QVERIFY2(std::ranges::any_of(drawn.of_map,
                                                 [&](const PaintedText& text) {
                                                     return text.text.startsWith(in_view.left(3));
                                                 }),
                             qPrintable(in_view));
                    were_some_left_out |= drawn.of_map.size() == 1;
                }
        }
        QVERIFY(were_some_left_out);
    }

    /// A file can be enlarged.
    void a_file_has_every_word_of_a_map() {
        Figure figure = map_on_screen(FigureTheme::paper);
        figure.uses_height = false;
        QVERIFY(drawn_in(figure, QSize(260, 200), 1).of_map.size() > 5);
    }
};

QTEST_MAIN(FlowWordsTest)

}  // namespace headlight::flow_words_test

#include "flow_words_test.moc"
