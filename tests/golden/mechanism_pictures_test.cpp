// Every mechanism of the catalogue has a picture, and it is the one that would be drawn today: it carries the
// session that it was drawn from, and in words what there was to see. Nothing is drawn here.

#include "core/io/mechanism_example.h"
#include "core/io/session_run.h"
#include "tests/support/test_file.h"
#include "ui/render/export.h"

#include <QFile>
#include <QImage>
#include <QTest>

#include <filesystem>

namespace headlight::mechanism_pictures_test {

namespace {

const std::filesystem::path folder = HEADLIGHT_SOURCE_DIR "/docs/images/mechanisms";
constexpr const char* advice = ": run scripts/build_docs.sh";

}  // namespace

class MechanismPicturesTest : public QObject {
    Q_OBJECT

private slots:
    void every_mechanism_has_one_of_its_example_data() {
        QTest::addColumn<QString>("id");
        for (const Mechanism& mechanism : mechanisms())
            QTest::addRow("%s", mechanism.id.c_str()) << QString::fromStdString(mechanism.id);
    }

    void every_mechanism_has_one_of_its_example() {
        QFETCH(QString, id);
        QFile file(QString::fromStdString(folder.string()) + '/' + id + QStringLiteral(".png"));
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(id + QLatin1String(" has no picture") + advice));
        const QByteArray bytes = file.readAll();
        const Session session = mechanism_example(mechanism(id.toStdString()));
        const Figure figure = session_figure(session);
        const auto carried = embedded_session(bytes);
        QVERIFY2(carried && parse_session(*carried) == session,
                 qPrintable(id + QLatin1String(" has another example now") + advice));
        const QImage image = QImage::fromData(bytes);
        QCOMPARE(image.width(), *session.exported->width_px);
        QVERIFY2(image.text(QStringLiteral("Description")).simplified() ==
                     QString::fromStdString(figure.description).simplified(),
                 qPrintable(id + QLatin1String(" shows other numbers now") + advice));
    }

    void every_picture_belongs_to_a_mechanism() {
        for (const auto& file : std::filesystem::directory_iterator(folder))
            QVERIFY2(file.path().extension() == ".png" && find_mechanism(file.path().stem().string()),
                     (file.path().filename().string() + " belongs to no mechanism" + advice).c_str());
    }

    void each_is_a_page_that_loads() {
        for (const auto& file : std::filesystem::directory_iterator(folder))
            QVERIFY2(file.file_size() < 100'000, file.path().filename().string().c_str());
    }
};

QTEST_GUILESS_MAIN(MechanismPicturesTest)

}  // namespace headlight::mechanism_pictures_test

#include "mechanism_pictures_test.moc"
