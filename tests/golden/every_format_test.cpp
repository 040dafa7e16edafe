// One fixed session in every format there is. What is text is compared with the files of formats/, words as
// they are and numbers with a tolerance; what is a picture is drawn and compared with the picture beside
// them. HEADLIGHT_UPDATE_GOLDEN=1 writes them anew: read and look at them before they are committed.

#include "core/io/session_run.h"
#include "tests/golden/decoded_frames.h"
#include "tests/golden/seen_pictures.h"
#include "tests/support/test_file.h"
#include "ui/render/export.h"

#include <QRegularExpression>
#include <QTest>

#include <cstdint>
#include <cstring>

namespace headlight::every_format_test {

namespace {

const QString folder = QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/formats/");
/// Out of 255, for other letters of the same words and a palette of 256 colours.
constexpr double most_in_the_mean = 4;
/// Fonts and compilers differ in the last digit that a place is written with.
constexpr double most_apart = 0.02;

bool is_updating() { return qEnvironmentVariableIsSet("HEADLIGHT_UPDATE_GOLDEN"); }

const Figure& fixed_figure() {
    static const Figure figure = [] {
        Session session = example_session();
        session.sequence.query_text = "the cat chased the dog";
        session.view.view = ViewKind::heatmap;
        session.view.theme = FigureTheme::paper;
        return session_figure(session);
    }();
    return figure;
}

ExportOptions in_a_column() {
    ExportOptions options;
    options.width_mm = 85;
    options.dpi = 96;
    return options;
}

/// Without what is not to be read: pictures, fonts and sessions in letters and digits.
QString readable(const QByteArray& bytes) {
    static const QRegularExpression encoded(QStringLiteral("[^\\s\"'<>(){}]{60,}"));
    return QString::fromUtf8(bytes).replace(encoded, QStringLiteral("..."));
}

/// Words and numbers, in turns; a number is empty among the words.
struct Read {
    QStringList words;
    std::vector<double> numbers;
    explicit Read(const QString& text) {
        static const QRegularExpression number(QStringLiteral("[-+]?\\d+\\.\\d+(e[-+]?\\d+)?"));
        qsizetype from = 0;
        for (auto found = number.globalMatch(text); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            words << text.mid(from, match.capturedStart() - from);
            numbers.push_back(match.captured().toDouble());
            from = match.capturedEnd();
        }
        words << text.mid(from);
    }
};

QString difference(const QString& text, const QString& expected) {
    const Read is(text), was(expected);
    for (qsizetype i = 0; i < std::min(is.words.size(), was.words.size()); ++i) {
        if (is.words[i] != was.words[i])
            return QStringLiteral("\"%1\" was \"%2\"").arg(is.words[i].right(200), was.words[i].right(200));
        const auto at = static_cast<std::size_t>(i);
        if (at < is.numbers.size() && at < was.numbers.size() &&
            std::abs(is.numbers[at] - was.numbers[at]) > most_apart)
            return QStringLiteral("%1 was %2 behind \"%3\"")
                .arg(is.numbers[at])
                .arg(was.numbers[at])
                .arg(is.words[i].right(80));
    }
    return is.words.size() == was.words.size() ? QString() : QStringLiteral("another number of numbers");
}

/// The numbers of `values_1.npy` in an archive that is not compressed.
std::vector<double> numbers_in(const QByteArray& archive) {
    constexpr qsizetype before_size = 8, size_bytes = 2;  // of an array's header: its magic, its length
    const qsizetype array = archive.indexOf("\x93NUMPY", archive.indexOf("values_1.npy"));
    std::uint16_t header = 0;
    std::memcpy(&header, archive.constData() + array + before_size, size_bytes);
    std::vector<double> numbers(fixed_figure().panels.front().values.size());
    std::memcpy(numbers.data(), archive.constData() + array + before_size + size_bytes + header,
                numbers.size() * sizeof(double));
    return numbers;
}

}  // namespace

class EveryFormatTest : public QObject {
    Q_OBJECT

    static void compare_text(const QByteArray& bytes, const QString& name) {
        const QString text = readable(bytes);
        QFile file(folder + name);
        if (is_updating()) {
            QVERIFY(file.open(QFile::WriteOnly));
            file.write(text.toUtf8());
            return;
        }
        QVERIFY2(file.open(QFile::ReadOnly), qPrintable(file.fileName()));
        const QString differs = difference(text, QString::fromUtf8(file.readAll()));
        QVERIFY2(differs.isEmpty(), qPrintable(differs));
    }

    static void compare_picture(const QImage& picture) {
        const QImage expected(folder + QStringLiteral("picture.png"));
        QVERIFY(!expected.isNull());
        QVERIFY(std::abs(picture.height() - expected.height()) <= 1);
        const Distance found = distance(expected, picture.copy(expected.rect()));
        QVERIFY2(found.mean < most_in_the_mean, qPrintable(QString::number(found.mean)));
    }

private slots:
    void is_what_it_was_data() {
        QTest::addColumn<QString>("extension");
        for (const Exporter& each : exporters()) {
            const std::string name(each.format.extension());
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
        }
    }
    void is_what_it_was() {
        QFETCH(QString, extension);
        const std::string name = extension.toStdString();
        const Exporter& exporter = headlight::exporter(export_format("figure." + name));
        QByteArray bytes = export_figure(fixed_figure(), exporter, in_a_column());
        if (carries_session(exporter))
            QCOMPARE(embedded_session(bytes).value_or(""), fixed_figure().session);
        if (name == "png") {
            const QImage drawn = QImage::fromData(bytes);
            if (is_updating())
                QVERIFY(drawn.save(folder + QStringLiteral("picture.png"), "PNG", 0));
            return compare_picture(drawn);
        }
        if (name == "gif")
            return compare_picture(frames_in_gif(bytes).front().picture);
        if (name == "webp")
            return compare_picture(frames_in_webp(bytes).front().picture);
        if (name == "pdf") {
            const QImage drawn = from_pdf(bytes, QImage(folder + QStringLiteral("picture.png")).width());
            if (drawn.isNull())
                QSKIP("pdftoppm is not installed");
            return compare_picture(drawn);
        }
        if (name == "npz") {
            QCOMPARE(Storage<const double>(numbers_in(bytes)), fixed_figure().panels.front().values);
            return;
        }
        if (!exporter.needs_session) {  // it would be most of the file
            Figure bare = fixed_figure();
            bare.session.clear();
            bytes = export_figure(bare, exporter, in_a_column());
        }
        compare_text(bytes, QStringLiteral("figure.") + extension);
    }
};

QTEST_MAIN(EveryFormatTest)

}  // namespace headlight::every_format_test

#include "every_format_test.moc"
