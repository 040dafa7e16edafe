#include "core/figure/formula.h"
#include "resources/resources.h"
#include "tests/ui/patience.h"

#include <QDir>
#include <QFile>
#include <QFontDatabase>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QTest>

#include <algorithm>

namespace headlight::resources_test {

namespace {

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// White paper with the SVG on it, two pixels to its unit.
QImage drawn(const QByteArray& svg) {
    QSvgRenderer renderer(svg);
    QImage image(renderer.defaultSize() * 2, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    return image;
}

/// In an image without transparency.
qsizetype pixels_of(const QImage& image, QColor colour) {
    qsizetype count = 0;
    for (int y = 0; y < image.height(); ++y) {
        const auto* row = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        count += std::count_if(row, row + image.width(),
                               [&](QRgb pixel) { return (pixel | 0xff000000) == colour.rgb(); });
    }
    return count;
}

void add_files(const QString& folder) {
    QTest::addColumn<QString>("path");
    for (const QFileInfo& file : QDir(folder).entryInfoList(QDir::Files))
        QTest::newRow(qPrintable(file.fileName())) << file.filePath();
}

const QColor red(255, 0, 0), blue(0, 0, 255);

}  // namespace

class ResourcesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { initialise_resources(); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void icons_are_drawn_in_one_colour_data() { add_files(QStringLiteral(":/headlight/icons")); }
    void icons_are_drawn_in_one_colour() {
        QFETCH(QString, path);
        const QByteArray svg = read(path);
        const QImage image = drawn(QByteArray(svg).replace("currentColor", "#ff0000"));
        if (svg.contains("currentColor")) {
            QCOMPARE(image.size(), QSize(48, 48));
            QVERIFY(pixels_of(image, red) > 20);
        }
        QVERIFY(pixels_of(image, Qt::white) > 0);
        QVERIFY(pixels_of(image, Qt::white) < image.width() * image.height());
    }

    void every_icon_that_the_window_names_is_there() {
        for (const char* name : {"first", "back", "play", "pause", "forward", "last", "undo", "redo", "open",
                                 "save", "export", "copy", "theme", "headlight"})
            QVERIFY2(QFile::exists(QStringLiteral(":/headlight/icons/%1.svg").arg(QLatin1String(name))),
                     name);
    }

    void formulas_light_the_output_and_nothing_at_all_data() {
        add_files(QStringLiteral(":/headlight/formulas"));
    }
    void formulas_light_the_output_and_nothing_at_all() {
        QFETCH(QString, path);
        const std::string svg = read(path).toStdString();
        const auto lit = [&](const char* stage) {
            return drawn(QByteArray::fromStdString(light_formula(svg, stage, "#ff0000", "#0000ff")));
        };
        const QImage output = lit("output"), scores = lit("scores"), nothing = lit("no stage");
        QVERIFY(output.width() > 100);
        const auto has = [&](const std::string& stage) {
            return svg.find('"' + stage + '"') != std::string::npos;
        };
        // A single italic letter has fewer pixels of the full colour than a fraction, but never none.
        QCOMPARE(pixels_of(output, red) > 5, has("stage-output"));
        QCOMPARE(pixels_of(scores, red) > 5, has("stage-scores"));
        QVERIFY(pixels_of(scores, blue) > 20);
        QCOMPARE(pixels_of(nothing, red), qsizetype(0));
        QVERIFY(pixels_of(nothing, blue) > 100);
    }

    void the_interface_font_is_inside_data() { add_files(QStringLiteral(":/headlight/fonts")); }
    void the_interface_font_is_inside() {
        QFETCH(QString, path);
        const int font = QFontDatabase::addApplicationFont(path);
        QCOMPARE(QFontDatabase::applicationFontFamilies(font),
                 QStringList(QStringLiteral("Headlight Inter")));
    }
};

QTEST_MAIN(ResourcesTest)

}  // namespace headlight::resources_test

#include "resources_test.moc"
