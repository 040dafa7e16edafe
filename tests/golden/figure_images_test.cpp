// Every view in every theme, as it was when somebody last looked at it and found it good.

#include "core/attention/executor.h"
#include "core/figure/build_figure.h"
#include "core/io/image_session.h"
#include "tests/golden/golden_image.h"
#include "tests/support/sample_pictures.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "ui/render/export.h"

#include <QTest>

namespace headlight::figure_images_test {

namespace {

/// A mechanism on the patches of a picture.
Session on_landscape(const std::string& mechanism, const ParameterValues& values) {
    Session session;
    session.mechanism = mechanism;
    session.values = values;
    PatchedPicture image = cut(samples::landscape(96, 64));
    image.columns = 12;
    return with_image(session, image, "landscape.png");
}

Trace run(const Session& session) {
    return record(
        std::make_shared<const Plan>(plan(session_spec(session), session_inputs(session), {session.seed})));
}

QImage picture(const Trace& trace, const ViewSettings& settings, const PatchedPicture& image) {
    ExportOptions options;
    if (settings.theme == FigureTheme::paper)
        options.width_mm = settings.view == ViewKind::stages ? 120 : 85;
    // Large enough to judge, small enough to keep in the repository.
    const bool wide = settings.view == ViewKind::stages;
    switch (settings.theme) {
    case FigureTheme::paper:
        options.dpi = 125;
        break;
    case FigureTheme::light:
    case FigureTheme::dark:
    case FigureTheme::contrast:
        options.dpi = wide ? 64 : 80;
        break;
    case FigureTheme::projector:
        options.dpi = wide ? 40 : 44;
        break;
    }
    return render_image(build_figure(trace, settings, image), options);
}

}  // namespace

class FigureImages : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void looks_as_it_did_data() {
        QTest::addColumn<Trace>("trace");
        QTest::addColumn<ViewSettings>("settings");
        QTest::addColumn<PatchedPicture>("image");
        const std::pair<ViewKind, const char*> views[] = {{ViewKind::stages, "stages"},
                                                          {ViewKind::heatmap, "heatmap"},
                                                          {ViewKind::grid, "grid"},
                                                          {ViewKind::steps, "steps"},
                                                          {ViewKind::lines, "lines"}};
        const std::pair<FigureTheme, const char*> themes[] = {{FigureTheme::paper, "paper"},
                                                              {FigureTheme::light, "light"},
                                                              {FigureTheme::dark, "dark"},
                                                              {FigureTheme::projector, "projector"}};
        ViewSettings settings;
        for (const auto& [view, view_name] : views) {
            for (const auto& [theme, theme_name] : themes) {
                settings.view = view;
                settings.theme = theme;
                settings.selection.stage = view == ViewKind::stages ? "scores" : "weights";
                settings.decoding_step = 4;
                QTest::newRow((std::string(view_name) + "-" + theme_name).c_str())
                    << samples::sentence() << settings << PatchedPicture();
            }
        }
        settings.view = ViewKind::lines;
        settings.options.heads = {0, 2, 3};
        for (const auto& [theme, theme_name] : themes) {
            settings.theme = theme;
            QTest::newRow((std::string("lines-heads-") + theme_name).c_str())
                << samples::sentence() << settings << PatchedPicture();
        }
        const Session neighbours = on_landscape("neighbourhood", {{"size", Index(7)}});
        for (const auto& [theme, theme_name] : themes) {
            settings = view_settings(neighbours);
            settings.theme = theme;
            settings.selection.query = 2 * 12 + 3;
            QTest::newRow((std::string("image-") + theme_name).c_str())
                << run(neighbours) << settings << neighbours.sequence.image;
        }
        const Session heads = on_landscape("multi_head", {{"heads", Index(4)}});
        settings = view_settings(heads);
        settings.selection.head = 1;
        QTest::newRow("image-heads") << run(heads) << settings << heads.sequence.image;
        settings = {};
        settings.view = ViewKind::heatmap;
        settings.theme = FigureTheme::paper;
        QTest::newRow("fully-masked") << samples::masked_out() << settings << PatchedPicture();
        settings.scale = ScaleKind::logarithmic;
        settings.colour_map = "magma";
        QTest::newRow("large-logarithmic") << samples::band(300, 300) << settings << PatchedPicture();
        settings.scale = ScaleKind::linear;
        settings.colour_map = "greys";
        settings.range = RangeKind::fitted;
        QTest::newRow("wide-greys") << samples::band(3, 40) << settings << PatchedPicture();
    }

    void looks_as_it_did() {
        QFETCH(Trace, trace);
        QFETCH(ViewSettings, settings);
        QFETCH(PatchedPicture, image);
        const QImage drawn = picture(trace, settings, image);
        const QString difference = unlike_golden(drawn, QString::fromLatin1(QTest::currentDataTag()));
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
};

QTEST_MAIN(FigureImages)

}  // namespace headlight::figure_images_test

#include "figure_images_test.moc"
