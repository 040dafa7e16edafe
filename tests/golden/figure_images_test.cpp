// Every view in every theme, as it was when somebody last looked at it and found it good.

#include "core/attention/executor.h"
#include "core/figure/build_figure.h"
#include "core/io/image_session.h"
#include "tests/support/sample_pictures.h"
#include "tests/support/sample_traces.h"
#include "ui/render/export.h"

#include <QDir>
#include <QTest>

using namespace headlight;

namespace {

constexpr int visible_difference = 32;        // of a channel: less is another rounding of the same glyph
constexpr double most_changed_pixels = 0.01;  // share of the image: font rasterisers differ at edges
constexpr double most_mean_difference = 0.8;  // of all channels

struct Difference {
    double changed = 0, mean = 0;
    QImage picture;  ///< changed pixels in red
};

Difference compare(const QImage& a, const QImage& b) {
    Difference difference;
    difference.picture = QImage(a.size(), QImage::Format_RGB32);
    double sum = 0, changed = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            const int channels[] = {std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)),
                                    std::abs(qBlue(p) - qBlue(q))};
            const bool differs = *std::ranges::max_element(channels) > visible_difference;
            sum += channels[0] + channels[1] + channels[2];
            changed += differs;
            difference.picture.setPixel(x, y, differs ? qRgb(255, 0, 0) : p);
        }
    }
    const double pixels = static_cast<double>(a.width()) * a.height();
    difference.changed = changed / pixels;
    difference.mean = sum / (3 * pixels);
    return difference;
}

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
        const QString name = QString::fromLatin1(QTest::currentDataTag()) + QStringLiteral(".png");
        const QString golden = QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/images/") + name;
        if (qEnvironmentVariableIsSet("HEADLIGHT_UPDATE_GOLDEN")) {
            QVERIFY(drawn.save(golden, "PNG", 0));
            return;
        }
        const QImage expected(golden);
        QVERIFY2(!expected.isNull(), qPrintable(golden + QStringLiteral(" is missing")));
        QCOMPARE(drawn.size(), expected.size());
        const Difference difference = compare(drawn, expected);
        if (difference.changed <= most_changed_pixels && difference.mean <= most_mean_difference)
            return;
        const QDir folder(QStringLiteral(HEADLIGHT_BINARY_DIR "/golden-failures"));
        folder.mkpath(QStringLiteral("."));
        drawn.save(folder.filePath(name));
        difference.picture.save(folder.filePath(QStringLiteral("difference-") + name));
        QFAIL(qPrintable(QStringLiteral("%1 % of the pixels differ, by %2 on average; see %3")
                             .arg(100 * difference.changed)
                             .arg(difference.mean)
                             .arg(folder.filePath(name))));
    }
};

QTEST_MAIN(FigureImages)
#include "figure_images_test.moc"
