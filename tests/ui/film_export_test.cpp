// A film as an animated GIF and as numbered pictures, read back by giflib and by Qt.

#include "core/figure/colour.h"
#include "core/figure/film_figure.h"
#include "core/io/files.h"
#include "core/tensor/error.h"
#include "tests/ui/patience.h"
#include "ui/panels/film_options_dialog.h"
#include "ui/render/few_colours.h"
#include "ui/render/film_export.h"
#include "ui/render/gif_writer.h"

#include <QCheckBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QGuiApplication>
#include <QImageReader>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTemporaryDir>

#include <gif_lib.h>

namespace headlight::film_export_test {

namespace {

Figure frame_of(std::size_t number) {
    Panel panel;
    panel.title = "Weights";
    panel.rows = panel.columns = 3;
    std::vector<double> values(9, 0.1);
    values[number] = 1;
    panel.values = std::move(values);
    panel.row_axis.labels = panel.column_axis.labels = {"a", "b", "c"};
    Figure figure;
    figure.title = "step " + std::to_string(number);
    figure.panels = {panel};
    return figure;
}

const FilmStrip nine{9, frame_of};
const FilmProgress to_the_end = [](double) { return true; };

/// One map all along, with the loss of a training of nine steps.
FilmStrip with_loss(bool is_narrow) {
    auto record = std::make_shared<TrainingRecord>();
    for (Index step = 1; step <= 9; ++step)
        record->loss.add(step, 4.0 / static_cast<double>(step));
    return {9, [record, is_narrow](std::size_t number) {
                const LearningRun run{"dot", record};
                return with_loss_curve(frame_of(0), std::span(&run, 1), static_cast<Index>(number) + 1,
                                       is_narrow);
            }};
}

struct GifFrame {
    QRect part;
    int delay = 0;
    bool has_own_colours = false;
    std::size_t seen_through = 0;  ///< pixels
};

std::vector<GifFrame> frames_of(const QString& path) {
    int error = 0;
    GifFileType* gif = DGifOpenFileName(path.toLocal8Bit().constData(), &error);
    if (!gif || DGifSlurp(gif) != GIF_OK)
        return {};
    std::vector<GifFrame> frames;
    for (int i = 0; i < gif->ImageCount; ++i) {
        const GifImageDesc& place = gif->SavedImages[i].ImageDesc;
        GraphicsControlBlock control{};
        DGifSavedExtensionToGCB(gif, i, &control);
        const std::span pixels(gif->SavedImages[i].RasterBits, static_cast<std::size_t>(place.Width) *
                                                                   static_cast<std::size_t>(place.Height));
        frames.push_back({QRect(place.Left, place.Top, place.Width, place.Height), control.DelayTime,
                          place.ColorMap != nullptr,
                          static_cast<std::size_t>(std::ranges::count(pixels, control.TransparentColor))});
    }
    DGifCloseFile(gif, &error);
    return frames;
}

}  // namespace

class FilmExportTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void few_colours_are_kept_as_they_are() {
        QImage picture(16, 16, QImage::Format_RGB32);
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 16; ++x)
                picture.setPixel(x, y, qRgb(16 * x, 16 * y, 7));
        const FewColours few = few_colours(picture);
        QCOMPARE(few.colours.size(), std::size_t(256));
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 16; ++x)
                QCOMPARE(few.colours[few.numbers[static_cast<std::size_t>(16 * y + x)]], picture.pixel(x, y));
    }

    void many_colours_become_near_ones_and_the_ground_stays() {
        QImage picture(128, 128, QImage::Format_RGB32);
        picture.fill(qRgb(250, 251, 252));
        for (int y = 0; y < 64; ++y)
            for (int x = 0; x < 64; ++x)
                picture.setPixel(x, y, qRgb(4 * x, 4 * y, 128));
        const FewColours few = few_colours(picture);
        QCOMPARE(few.colours.size(), std::size_t(256));
        int farthest = 0;
        for (int y = 0; y < 128; ++y)
            for (int x = 0; x < 128; ++x) {
                const QRgb is = few.colours[few.numbers[std::size_t(128) * std::size_t(y) + std::size_t(x)]];
                const QRgb was = picture.pixel(x, y);
                farthest = std::max({farthest, std::abs(qRed(is) - qRed(was)),
                                     std::abs(qGreen(is) - qGreen(was)), std::abs(qBlue(is) - qBlue(was))});
            }
        QVERIFY2(farthest <= 40, qPrintable(QString::number(farthest)));
        QCOMPARE(few.colours[few.numbers.back()], qRgb(250, 251, 252));
        QCOMPARE(few_colours(picture).numbers, few.numbers);
    }

    void the_colours_of_a_bar_have_no_bands() {
        const ColourMap& map = colour_map("viridis");
        QImage picture(64, 256, QImage::Format_RGB32);
        picture.fill(Qt::white);
        for (int y = 0; y < 256; ++y) {
            const Rgb& colour = map.table[static_cast<std::size_t>(y)];
            for (int x = 0; x < 10; ++x)
                picture.setPixel(x, y, qRgb(colour.red, colour.green, colour.blue));
            // Edges of letters, in two inks.
            picture.setPixel(20, y, qRgb(y, y, y));
            picture.setPixel(21, y, qRgb(200, y, y / 2));
        }
        const FewColours few = few_colours(picture);
        QCOMPARE(few.colours.size(), std::size_t(256));
        int farthest = 0;
        for (int y = 0; y < 256; ++y) {
            const QRgb is = few.colours[few.numbers[std::size_t(64) * std::size_t(y)]];
            const QRgb was = picture.pixel(0, y);
            farthest = std::max({farthest, std::abs(qRed(is) - qRed(was)), std::abs(qGreen(is) - qGreen(was)),
                                 std::abs(qBlue(is) - qBlue(was))});
        }
        QVERIFY2(farthest <= 3, qPrintable(QString::number(farthest)));
    }

    void a_gif_has_every_frame_and_stores_what_changed() {
        const QString path = folder_.filePath(QStringLiteral("film.gif"));
        QCOMPARE(QString::fromStdString(export_film(nine, path.toStdString(), to_the_end).string()), path);
        const std::vector<GifFrame> frames = frames_of(path);
        QCOMPARE(frames.size(), std::size_t(9));
        const QRect whole = frames.front().part;
        for (std::size_t i = 1; i < frames.size(); ++i)
            QVERIFY(frames[i].part.height() < whole.height());
        QCOMPARE(frames.front().delay, 50);
        QCOMPARE(frames.back().delay, 200);
        // What a viewer shows is what was drawn.
        QImageReader reader(path);
        QCOMPARE(reader.imageCount(), 9);
        QCOMPARE(reader.loopCount(), -1);
        const QImage first = reader.read();
        const QImage second = reader.read();
        QCOMPARE(first.size(), whole.size());
        QVERIFY(first != second);
    }

    void a_film_may_be_a_webp() {
        const QString path = folder_.filePath(QStringLiteral("film.webp"));
        QCOMPARE(QString::fromStdString(export_film(nine, path.toStdString(), to_the_end).string()), path);
        const std::string bytes = read_file(path.toStdString());
        QVERIFY(bytes.starts_with("RIFF"));
        QCOMPARE(QByteArray::fromStdString(bytes).count("ANMF"), 9);
    }

    void a_film_has_the_width_and_the_length_that_were_asked_for() {
        const QString path = folder_.filePath(QStringLiteral("large.gif"));
        const QSize usual = film_size(nine, {});
        const FilmOptions asked{.width = 1000, .seconds = 18};
        export_film(nine, path.toStdString(), to_the_end, asked);
        const std::vector<GifFrame> frames = frames_of(path);
        QCOMPARE(frames.front().part.width(), 1000);
        QCOMPARE(frames.front().part.size(), film_size(nine, asked));
        // The same picture, larger.
        QVERIFY(std::abs(1000.0 / frames.front().part.height() - double(usual.width()) / usual.height()) <
                0.01);
        QCOMPARE(frames[3].delay, 200);  // hundredths of a second: 18 s of nine frames
        export_film(nine, path.toStdString(), to_the_end, {.seconds = 1.8});
        QCOMPARE(frames_of(path)[3].delay, 20);
        const QString folder = folder_.filePath(QStringLiteral("large.png"));
        export_film({2, frame_of}, folder.toStdString(), to_the_end, {.width = 640});
        QCOMPARE(QImage(folder_.filePath(QStringLiteral("large/large-0001.png"))).width(), 640);
        for (const FilmOptions& wrong : {FilmOptions{.width = 10}, FilmOptions{.width = 9999},
                                         FilmOptions{.seconds = 0.0}, FilmOptions{.seconds = 1e9}})
            QVERIFY_EXCEPTION_THROWN(export_film(nine, path.toStdString(), to_the_end, wrong), Error);
    }

    void the_loss_curve_grows_on_axes_that_stay() {
        const FilmStrip beside = with_loss(false), under = with_loss(true);
        QVERIFY(film_size(beside, {}).width() > 3 * film_size(nine, {}).width() / 2);
        QVERIFY(film_size(under, {}).height() > film_size(nine, {}).height() + 80);
        export_film(beside, folder_.filePath(QStringLiteral("loss.png")).toStdString(), to_the_end);
        const auto picture = [&](int number) {
            return QImage(folder_.filePath(QStringLiteral("loss/loss-000%1.png").arg(number)));
        };
        const QImage first = picture(1), last = picture(9);
        QCOMPARE(first.size(), film_size(beside, {}));
        QVERIFY(first != last);
        // The map is the same one in all of them; what is new is between the axes.
        QRect changed;
        for (int y = 0; y < first.height(); ++y)
            for (int x = 0; x < first.width(); ++x)
                if (first.pixel(x, y) != last.pixel(x, y))
                    changed |= QRect(x, y, 1, 1);
        QVERIFY(changed.left() > first.width() / 3);
        QVERIFY2(changed.bottom() < first.height() - 30, "the numbers of the steps");
    }

    void a_person_says_how_large_and_how_long() {
        FilmOptionsDialog dialog({});
        QVERIFY(dialog.options() == FilmOptions());
        dialog.findChild<QSpinBox*>(QStringLiteral("film_width"))->setValue(1920);
        dialog.findChild<QDoubleSpinBox*>(QStringLiteral("film_seconds"))->setValue(30);
        dialog.findChild<QCheckBox*>(QStringLiteral("film_loss"))->click();
        const FilmOptions asked{.width = 1920, .seconds = 30.0, .shows_loss = true};
        QVERIFY(dialog.options() == asked);
        QVERIFY2(FilmOptionsDialog(asked).options() == asked, "they come back");
        dialog.findChild<QDoubleSpinBox*>(QStringLiteral("film_seconds"))->setValue(0.2);
        QCOMPARE(*dialog.options().seconds, least_film_seconds);
    }

    void a_picture_comes_back_exactly() {
        QImage picture(40, 30, QImage::Format_RGB32);
        picture.fill(Qt::white);
        QImage other = picture;
        other.setPixel(5, 6, qRgb(68, 1, 84));
        GifWriter writer(picture.size());
        writer.add(picture, 100);
        writer.add(other, 100);
        writer.add(other, 100);
        QVERIFY_EXCEPTION_THROWN(writer.add(QImage(3, 3, QImage::Format_RGB32), 1), Error);
        const QByteArray bytes = writer.finish();
        const QString path = folder_.filePath(QStringLiteral("exact.gif"));
        write_file_atomically(path.toStdString(),
                              std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        QImageReader reader(path);
        QCOMPARE(reader.read().convertToFormat(QImage::Format_RGB32), picture);
        QCOMPARE(reader.read().convertToFormat(QImage::Format_RGB32), other);
        QCOMPARE(reader.read().convertToFormat(QImage::Format_RGB32), other);
        QCOMPARE(frames_of(path)[1].part, QRect(5, 6, 1, 1));
        QVERIFY(!frames_of(path)[0].has_own_colours && frames_of(path)[1].has_own_colours);
        QVERIFY2(!frames_of(path)[2].has_own_colours, "nothing has changed");
        QVERIFY_EXCEPTION_THROWN(GifWriter(picture.size()).finish(), Error);
    }

    void what_has_not_changed_is_stored_as_nothing() {
        // Sixteen colours without any order, which no compression makes small.
        QImage picture(300, 200, QImage::Format_RGB32);
        quint32 drawn = 1;
        for (int y = 0; y < 200; ++y)
            for (int x = 0; x < 300; ++x) {
                drawn = drawn * 1664525 + 1013904223;
                picture.setPixel(x, y, qRgb(8 * int(drawn >> 28), 0, 0));
            }
        QImage other = picture;
        other.setPixel(0, 0, picture.pixel(0, 0) == qRgb(0, 0, 0) ? qRgb(8, 0, 0) : qRgb(0, 0, 0));
        other.setPixel(299, 199, picture.pixel(299, 199) == qRgb(0, 0, 0) ? qRgb(8, 0, 0) : qRgb(0, 0, 0));
        const auto written = [&](const std::vector<QImage>& pictures) {
            GifWriter writer(picture.size());
            for (const QImage& each : pictures)
                writer.add(each, 100);
            return writer.finish();
        };
        const QByteArray one = written({picture}), both = written({picture, other, picture});
        QVERIFY2(both.size() < one.size() + 3000, qPrintable(QString::number(both.size() - one.size())));
        const QString path = folder_.filePath(QStringLiteral("corners.gif"));
        write_file_atomically(path.toStdString(), both.toStdString());
        const std::vector<GifFrame> frames = frames_of(path);
        QCOMPARE(frames.size(), std::size_t(3));
        QCOMPARE(frames[1].part, picture.rect());
        QCOMPARE(frames[1].seen_through, std::size_t(300 * 200 - 2));
        QVERIFY2(!frames[1].has_own_colours, "those of the first picture do");
        QImageReader reader(path);
        QCOMPARE(reader.read().convertToFormat(QImage::Format_RGB32), picture);
        QCOMPARE(reader.read().convertToFormat(QImage::Format_RGB32), other);
        QCOMPARE(reader.read().convertToFormat(QImage::Format_RGB32), picture);
    }

    void pictures_are_numbered_in_a_folder_of_their_own() {
        const QString path = folder_.filePath(QStringLiteral("steps.png"));
        export_film(nine, path.toStdString(), to_the_end);
        const QDir frames(folder_.filePath(QStringLiteral("steps")));
        QCOMPARE(frames.entryList(QDir::Files).size(), qsizetype(9));
        QCOMPARE(frames.entryList(QDir::Files).constLast(), QStringLiteral("steps-0009.png"));
        // A shorter film takes its place, pictures and all.
        export_film({2, frame_of}, path.toStdString(), to_the_end);
        QCOMPARE(frames.entryList(QDir::Files).size(), qsizetype(2));
        write_file_atomically(frames.filePath(QStringLiteral("mine.txt")).toStdString(), "mine");
        QVERIFY_EXCEPTION_THROWN(export_film(nine, path.toStdString(), to_the_end), Error);
        QVERIFY(QFile::exists(frames.filePath(QStringLiteral("mine.txt"))));
    }

    void the_file_type_decides_over_the_name() {
        QCOMPARE(film_path("/films/frames", ".png").string(), std::string("/films/frames.png"));
        QCOMPARE(film_path("/films/frames", ".gif").string(), std::string("/films/frames.gif"));
        QCOMPARE(film_path("/films/film.gif", ".png").string(), std::string("/films/film.png"));
        QCOMPARE(film_path("/films/film.GIF", ".gif").string(), std::string("/films/film.GIF"));
        QCOMPARE(film_path("/films/version 1.2", ".png").string(), std::string("/films/version 1.2.png"));
        QCOMPARE(film_place("/films/version 1.2.png").string(), std::string("/films/version 1.2"));
        QCOMPARE(film_place("/films/film.gif").string(), std::string("/films/film.gif"));
    }

    void given_up_it_leaves_nothing() {
        for (const char* name : {"given_up.gif", "given_up.png"}) {
            const QString path = folder_.filePath(QLatin1String(name));
            QVERIFY(export_film(nine, path.toStdString(), [](double share) { return share < 0.3; }).empty());
            QVERIFY(!QFile::exists(path));
        }
        QVERIFY(!QFile::exists(folder_.filePath(QStringLiteral("given_up"))));
        QVERIFY_EXCEPTION_THROWN(export_film(nine, "film.mp4", to_the_end), Error);
        QVERIFY_EXCEPTION_THROWN(export_film({}, "film.gif", to_the_end), Error);
    }

private:
    QTemporaryDir folder_;
};

QTEST_MAIN(FilmExportTest)

}  // namespace headlight::film_export_test

#include "film_export_test.moc"
