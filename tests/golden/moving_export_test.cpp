// Pictures that move, decoded frame by frame by other programs' libraries: Qt reads GIF, libwebp WebP.

#include "core/figure/build_figure.h"
#include "core/tensor/error.h"
#include "tests/golden/decoded_frames.h"
#include "tests/support/sample_traces.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_file.h"
#include "ui/render/export.h"
#include "ui/render/gif_writer.h"
#include "ui/render/webp_writer.h"

#include <QFile>
#include <QPainter>
#include <QRegularExpression>
#include <QTest>

namespace headlight::moving_export_test {

namespace {

const std::string carried = "{\"text\": \"<ü> & '注意' 🙂\", \"view\": 1}";

Figure step_of(Index step, ViewKind view = ViewKind::steps) {
    ViewSettings settings;
    settings.view = view;
    settings.decoding_step = step;
    settings.theme = FigureTheme::paper;
    Figure figure = build_figure(samples::sentence(), settings);
    figure.session = carried;
    return figure;
}

int largest_difference(const QImage& one, const QImage& other) {
    int largest = one.size() == other.size() ? 0 : 255;
    for (int y = 0; largest < 255 && y < one.height(); ++y)
        for (int x = 0; x < one.width(); ++x) {
            const QRgb a = one.pixel(x, y), b = other.pixel(x, y);
            largest = std::max({largest, std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)),
                                std::abs(qBlue(a) - qBlue(b))});
        }
    return largest;
}

QByteArray read(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

ExportOptions pixels(int width) {
    ExportOptions options;
    options.width_px = width;
    options.dpi = 110;
    return options;
}

}  // namespace

class MovingExportTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void every_frame_is_the_picture_of_its_step_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("gif") << "film.gif";
        QTest::newRow("webp") << "film.webp";
    }
    void every_frame_is_the_picture_of_its_step() {
        QFETCH(QString, name);
        const test::TemporaryFolder folder;
        const std::filesystem::path path = folder / name.toStdString();
        const auto frame = [](std::size_t number) { return step_of(static_cast<Index>(number)); };
        const auto steps = static_cast<std::size_t>(step_of(0).panels[0].rows);
        export_moving(step_of(0), {steps, frame}, path, pixels(420), 250);
        const QByteArray bytes = read(path);
        const bool is_gif = name.endsWith(QLatin1String("gif"));
        const std::vector<DecodedFrame> frames = is_gif ? frames_in_gif(bytes) : frames_in_webp(bytes);
        QCOMPARE(frames.size(), steps);
        for (std::size_t i = 0; i < steps; ++i) {
            const QImage drawn = render_image(frame(i), pixels(420));
            QCOMPARE(frames[i].picture.width(), 420);
            // The edges of letters get near ones of 256 colours; WebP keeps every pixel.
            const int difference = largest_difference(frames[i].picture.copy(drawn.rect()), drawn);
            QVERIFY2(difference <= (is_gif ? 48 : 0), qPrintable(QString::number(difference)));
            if (!is_gif)
                QCOMPARE(frames[i].milliseconds, 250);
        }
        QVERIFY(frames[0].picture != frames[1].picture);
        QCOMPARE(embedded_session(bytes), std::optional(carried));
    }

    void frames_have_one_size() {
        const test::TemporaryFolder folder;
        const auto frame = [](std::size_t number) {
            return step_of(0, number == 0 ? ViewKind::heatmap : ViewKind::stages);
        };
        export_moving(step_of(0), {2, frame}, folder / "f.webp", pixels(1200), 100);
        const auto frames = frames_in_webp(read(folder / "f.webp"));
        QCOMPARE(frames.size(), std::size_t(2));
        QCOMPARE(frames[0].picture.size(), frames[1].picture.size());
        export_moving(step_of(0), {2, frame}, folder / "natural.webp", {}, 100);
        QVERIFY(!frames_in_webp(read(folder / "natural.webp")).empty());
    }

    void a_frame_without_room_is_named() {
        const test::TemporaryFolder folder;
        const auto frame = [](std::size_t) { return step_of(0, ViewKind::stages); };
        QVERIFY_EXCEPTION_THROWN(export_moving(step_of(0), {2, frame}, folder / "f.gif", pixels(60), 100),
                                 Error);
        QVERIFY(folder.size() == 0);
    }

    void a_picture_that_stands_still_is_one_frame() {
        const Figure figure = step_of(1);
        const QImage drawn = render_image(figure, pixels(400));
        const QByteArray gif = export_figure(figure, ExportFormat::gif, pixels(400)),
                         webp = export_figure(figure, ExportFormat::webp, pixels(400));
        QCOMPARE(frames_in_gif(gif).size(), std::size_t(1));
        QCOMPARE(frames_in_webp(webp).size(), std::size_t(1));
        QCOMPARE(largest_difference(frames_in_webp(webp)[0].picture, drawn), 0);
    }

    void sessions_come_back_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("none") << QByteArray();
        QTest::newRow("short") << QByteArray("{}");
        QTest::newRow("a block") << QByteArray(237, 'x');  // with its key 255 bytes
        QTest::newRow("long") << QByteArray(100'000, 'y');
        QTest::newRow("of all signs") << QByteArray::fromStdString(carried);
    }
    void sessions_come_back() {
        QFETCH(QByteArray, text);
        Figure figure = step_of(0);
        figure.session = text.toStdString();
        for (const ExportFormat format : {ExportFormat::gif, ExportFormat::webp}) {
            const QByteArray bytes = export_figure(figure, format, pixels(300));
            QCOMPARE(embedded_session(bytes).value_or(""), figure.session);
            QCOMPARE(bytes, export_figure(figure, format, pixels(300)));
        }
    }

    void damaged_files_never_crash() {
        for (const ExportFormat format : {ExportFormat::gif, ExportFormat::webp}) {
            const QByteArray whole = export_figure(step_of(0), format, pixels(300));
            for (qsizetype length = 0; length < whole.size(); length += 1 + whole.size() / 150)
                embedded_session(whole.left(length));
            for (qsizetype at = 0; at < whole.size(); at += 1 + whole.size() / 400) {
                QByteArray damaged = whole;
                damaged[at] = static_cast<char>(~damaged[at]);
                embedded_session(damaged);
            }
        }
        QCOMPARE(embedded_session("GIF89a"), std::nullopt);
        QCOMPARE(embedded_session(QByteArray("RIFF\xff\xff\xff\xffWEBPVP8X\xff\xff\xff\x7f", 20)),
                 std::nullopt);
    }

    void pictures_of_another_size_are_refused() {
        WebpWriter writer(QSize(4, 4));
        QVERIFY_EXCEPTION_THROWN(writer.finish(), Error);
        QVERIFY_EXCEPTION_THROWN(writer.add(QImage(5, 4, QImage::Format_RGB32), 100), Error);
        WebpWriter huge(QSize(20'000, 1));
        QImage line(20'000, 1, QImage::Format_RGB32);
        line.fill(Qt::red);
        QVERIFY_EXCEPTION_THROWN(huge.add(line, 100), Error);
    }
};

QTEST_MAIN(MovingExportTest)

}  // namespace headlight::moving_export_test

#include "moving_export_test.moc"
