// Scripts of the world on both axes of every view, as they were when somebody last looked at them and found
// them good: Hebrew, Arabic, Chinese, Japanese, Korean, Devanagari, combining marks, emoji, what cannot be
// seen.

#include "core/figure/build_figure.h"
#include "core/figure/view.h"
#include "tests/golden/golden_image.h"
#include "tests/support/sample_traces.h"
#include "tests/support/test_file.h"
#include "ui/render/export.h"

#include <QFontDatabase>
#include <QTest>

namespace headlight::script_images_test {

class ScriptImagesTest : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".?"))); }

    void looks_as_it_did_data() {
        QTest::addColumn<ViewKind>("kind");
        for (const View& view : views())
            if (missing_for(view.kind, {.runs_mechanism = true, .has_image = false}).empty())
                QTest::newRow(std::string(view.kind.word()).c_str()) << view.kind;
    }
    /// With the fonts that scripts/install_dependencies.sh installs; letters of others are other pictures.
    void looks_as_it_did() {
        QFETCH(const ViewKind, kind);
        if (!QFontDatabase::families().contains(QStringLiteral("Noto Sans CJK SC")))
            QSKIP("the fonts of fonts-noto-cjk are not installed");
        ViewSettings settings;
        settings.view = kind;
        settings.selection.query = 1;
        settings.selection.key = 3;
        ExportOptions options;
        options.dpi = 64;
        const QImage drawn = render_image(build_figure(samples::many_scripts(), settings), options);
        const QString difference =
            unlike_golden(drawn, QStringLiteral("scripts-") + QString::fromLatin1(QTest::currentDataTag()));
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
};

QTEST_MAIN(ScriptImagesTest)

}  // namespace headlight::script_images_test

#include "script_images_test.moc"
