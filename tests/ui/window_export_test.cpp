// What the window writes into files and on paper, and what of it brings the view back.

#include "core/io/files.h"
#include "tests/ui/export_support.h"
#include "ui/panels/print_preview.h"

#include <QAction>
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPrintPreviewDialog>
#include <QPrintPreviewWidget>
#include <QPrinter>
#include <QPrinterInfo>
#include <QPushButton>

#include <algorithm>

namespace headlight::window_export_test {

class WindowExportTest : public WindowedTest {
    Q_OBJECT
private slots:
    void a_figure_is_exported_and_brings_the_view_back_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("extension");
        QTest::addColumn<QByteArray>("begins");
        QTest::newRow("png") << QStringLiteral("png") << "png" << QByteArray("\x89PNG");
        QTest::newRow("svg") << QStringLiteral("svg") << "svg" << QByteArray("<?xml");
        QTest::newRow("pdf") << QStringLiteral("pdf") << "pdf" << QByteArray("%PDF");
        QTest::newRow("html") << QStringLiteral("html") << "html" << QByteArray("<!DOCTYPE html>");
        QTest::newRow("gif") << QStringLiteral("gif") << "gif" << QByteArray("GIF89a");
    }
    void a_figure_is_exported_and_brings_the_view_back() {
        QFETCH(QString, format);
        QFETCH(QString, extension);
        QFETCH(QByteArray, begins);
        Session session = small_session("causal");
        session.view.view = ViewKind::heatmap;
        session.figure.colour_map = "magma";
        test_->document().reset(session);
        const QImage before = drawn("before.png");
        const QString path = export_as(*test_, format, QStringLiteral("figure.") + extension);
        QTRY_VERIFY(is_exported(*test_));
        const std::string bytes = read_file(path.toStdString());
        QVERIFY(QByteArray::fromStdString(bytes).startsWith(begins));

        test_->begin_anew();
        drop(test_->window(), path);
        QTRY_COMPARE(test_->session().mechanism, session.mechanism);
        QVERIFY(test_->session().exported);  // the figure knows how large it was
        session.exported = test_->session().exported;
        QVERIFY(test_->session() == session);
        QVERIFY(test_->window().files().file().isEmpty());
        QTRY_VERIFY(!test_->document().is_running());
        const QImage after = drawn("after.png");
        QVERIFY2(!after.isNull() && after == before, "the same picture");
    }

    void what_cannot_carry_its_session_has_it_beside_it() {
        Session session = small_session("causal");
        session.view.view = ViewKind::heatmap;
        session.figure.colour_map = "magma";
        test_->document().reset(session);
        const QString path = export_as(*test_, QStringLiteral("csv"), QStringLiteral("map.csv"));
        QTRY_COMPARE(test_->message("notice"),
                     QStringLiteral("Exported map.csv, and beside it map.csv.headlight.json. Dropped on the "
                                    "window, either brings this view back."));
        const QString beside = path + QStringLiteral(".headlight.json");
        QVERIFY(QFileInfo::exists(beside));
        for (const QString& opened : {path, beside}) {
            test_->begin_anew();
            drop(test_->window(), opened);
            QTRY_COMPARE(test_->session().mechanism, session.mechanism);
            session.exported = test_->session().exported;
            QVERIFY(session.exported && test_->session() == session);
            QVERIFY2(test_->window().files().file().isEmpty(), "nor is it written over by saving");
        }
    }

    void panels_are_written_in_words_and_are_an_edit() {
        Session session = small_session("causal");
        session.view.view = ViewKind::heatmap;
        test_->document().reset(session);
        ExportDialog* dialog = open_export(*test_);
        auto* view = dialog->findChild<QComboBox*>(QStringLiteral("export_view"));
        auto* panels = dialog->findChild<QPlainTextEdit*>(QStringLiteral("export_panels"));
        auto* save = dialog->findChild<QPushButton*>(QStringLiteral("export_save"));
        auto* problem = dialog->findChild<QLabel*>(QStringLiteral("export_problem"));
        QVERIFY(!panels->isVisible());
        view->setCurrentIndex(view->findData(QStringLiteral("panels")));
        QVERIFY(panels->isVisible());
        QTRY_VERIFY(!save->isEnabled());
        panels->setFocus();
        QTest::keyClicks(panels, QStringLiteral("view=lins"));
        QTRY_VERIFY(problem->isVisible() && problem->text().contains(QLatin1String("view")));
        QVERIFY(!save->isEnabled());
        QVERIFY(test_->session().figure.options.panels.empty());
        panels->setPlainText(
            QStringLiteral("view=heatmap title=\"one map\"\nview=lines title=\"two lines\""));
        QTRY_VERIFY(save->isEnabled() && !problem->isVisible());
        QCOMPARE(test_->session().figure.options.panels.size(), std::size_t(2));
        const QString path = test_->file(QStringLiteral("panels.svg"));
        type_over(dialog->findChild<QLineEdit*>(QStringLiteral("export_path")), path);
        QTRY_VERIFY(save->isEnabled());
        save->click();
        // Once it is saved the dialog goes: one for a file, open over it, would go along in its own loop.
        QVERIFY(!dialog->findChild<QPushButton*>(QStringLiteral("export_browse"))->isEnabled());
        QTRY_VERIFY(is_exported(*test_));
        const QByteArray svg = QByteArray::fromStdString(read_file(path.toStdString()));
        QVERIFY(svg.contains(">one map<") && svg.contains(">two lines<"));
        const Session exported = test_->session();
        for (int step = 0; step < 5 && !test_->session().figure.options.panels.empty(); ++step)
            test_->trigger("edit_undo");
        QVERIFY(test_->session().figure.options.panels.empty());
        drop(test_->window(), path);
        QTRY_VERIFY(test_->session().figure.options.panels == exported.figure.options.panels);
        dialog = open_export(*test_);
        QCOMPARE(dialog->findChild<QComboBox*>(QStringLiteral("export_view"))->currentData().toString(),
                 QStringLiteral("panels"));
        dialog->reject();
    }

    void all_maps_are_exported_whatever_is_shown() {
        Session session = small_session("causal");
        session.view.view = ViewKind::heatmap;
        test_->document().reset(session);
        ExportDialog* dialog = open_export(*test_);
        auto* view = dialog->findChild<QComboBox*>(QStringLiteral("export_view"));
        auto* save = dialog->findChild<QPushButton*>(QStringLiteral("export_save"));
        const auto* preview = dialog->findChild<QLabel*>(QStringLiteral("export_preview"));
        const auto* problem = dialog->findChild<QLabel*>(QStringLiteral("export_problem"));
        auto* path = dialog->findChild<QLineEdit*>(QStringLiteral("export_path"));
        view->setCurrentIndex(view->findData(QStringLiteral("all_maps")));
        QVERIFY2(path->text().endsWith(QLatin1String("-all-maps.npz")), qPrintable(path->text()));
        QTRY_VERIFY(save->isEnabled() &&
                    preview->text().startsWith(QLatin1String("[layer, head, query, key]")));
        type_over(path, test_->file(QStringLiteral("maps.pdf")));
        QTRY_VERIFY(problem->isVisible() && problem->text().contains(QLatin1String(".npz or .csv")));
        QVERIFY(!save->isEnabled());
        const QString file = test_->file(QStringLiteral("maps.csv"));
        type_over(path, file);
        QTRY_VERIFY(save->isEnabled() && !problem->isVisible());
        save->click();
        QTRY_COMPARE(test_->message("notice"),
                     QStringLiteral("Exported maps.csv. Dropped on the window, it opens as a capture."));
        const std::string table = read_file(file.toStdString());
        QVERIFY(table.starts_with("layer,head,query,key,query token,key token,weight\r\n1,1,1,1,"));
        const auto& trace = *test_->document().run()->trace;
        QCOMPARE(Index(std::ranges::count(table, '\n')), trace.find("weights")->size() + 1);
        QVERIFY(!QFileInfo::exists(file + QStringLiteral(".headlight.json")));
    }

    void numbers_are_exported_as_csv() {
        test_->document().reset([] {
            Session session = small_session();
            session.view.view = ViewKind::heatmap;
            return session;
        }());
        const QString path = export_as(*test_, QStringLiteral("csv"), QStringLiteral("numbers.csv"));
        QTRY_VERIFY(QFileInfo::exists(path));
        QVERIFY(read_file(path.toStdString()).find("river") != std::string::npos);
    }

    void a_figure_that_cannot_be_written_says_so() {
        auto* dialog = open_export(*test_);
        dialog->findChild<QLineEdit*>(QStringLiteral("export_path"))
            ->setText(test_->file(QStringLiteral("no/such/folder/figure.png")));
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("export_save")), Qt::LeftButton);
        auto* problem = dialog->findChild<QLabel*>(QStringLiteral("export_problem"));
        QTRY_VERIFY(problem->isVisible());
        QVERIFY(dialog->isVisible());
        dialog->reject();
    }

    void the_figure_is_shown_on_its_page_and_printed() {
        test_->trigger("file_print");
        QTRY_VERIFY(test_->window().findChild<QPrintPreviewDialog*>());
        auto* dialog = test_->window().findChild<QPrintPreviewDialog*>();
        auto* preview = dialog->findChild<QPrintPreviewWidget*>();
        QTRY_COMPARE(preview->pageCount(), 1);
        QCOMPARE(preview->orientation(), QPageLayout::Landscape);  // stages side by side are wider than high
        QTRY_VERIFY(coloured_share(preview->grab().toImage()) > 0.02);
        // Without a printer there is no paper to set up, and nothing offers it.
        if (QPrinterInfo::availablePrinters().isEmpty())
            for (const QAction* action : dialog->findChildren<QAction*>())
                QVERIFY(action->text() != QStringLiteral("Page setup") || !action->isVisible());
        dialog->reject();

        QPrinter printer(QPrinter::HighResolution);
        const QString path = test_->file(QStringLiteral("page.pdf"));
        printer.setOutputFormat(QPrinter::PdfFormat);
        printer.setOutputFileName(path);
        printer.setPageSize(QPageSize(QPageSize::A4));
        print_figure(*test_->document().figure(), printer);
        const std::string bytes = read_file(path.toStdString());
        QVERIFY(bytes.starts_with("%PDF"));
        QVERIFY(bytes.find("/MediaBox [0 0 595") != std::string::npos);
        QVERIFY(bytes.find("/FontFile") != std::string::npos);
        QVERIFY(bytes.find("/DCTDecode") == std::string::npos);  // JPEG halves the colours of small maps
    }

    void who_opens_what_other_weights_have_drawn_is_told() {
        Session session = small_session();
        session.model.emplace();
        session.model->name = "translate-transformer";
        session.model->request.source = "the cat sleeps";
        std::string text = write_session(session);
        const std::size_t hash = text.find("fnv1a64:");
        QVERIFY(hash != std::string::npos);
        write("same.json", text.c_str());
        test_->window().files().open_path(test_->file(QStringLiteral("same.json")));
        QTRY_COMPARE(test_->message("notice"), QStringLiteral("Opened same.json."));
        text.replace(hash, 24, "fnv1a64:0000000000000000");
        write("other.json", text.c_str());
        test_->window().files().open_path(test_->file(QStringLiteral("other.json")));
        QTRY_VERIFY(test_->message("notice").startsWith(QLatin1String(
            "Opened other.json. It was drawn with other weights of the model translate-transformer")));
        QTRY_VERIFY(test_->document().run());
    }

    void an_export_asks_before_it_replaces_a_file() {
        const QString path = test_->file(QStringLiteral("figure.svg"));
        write("figure.svg", "of somebody else");
        test_->answer("replace_question", QStringLiteral("Cancel"));
        export_as(*test_, QStringLiteral("svg"), QStringLiteral("figure.svg"));
        auto* dialog = test_->window().findChild<ExportDialog*>();
        QVERIFY(dialog->isVisible());
        QCOMPARE(read_file(path.toStdString()), std::string("of somebody else"));
        test_->answer("replace_question", QStringLiteral("&Replace"));
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("export_save")), Qt::LeftButton);
        QTRY_VERIFY(read_file(path.toStdString()).starts_with("<?xml"));
    }

private:
    /// What the window shows, exported.
    QImage drawn(const char* name) {
        const QString path = export_as(*test_, QStringLiteral("png"), QLatin1String(name));
        [this] { QTRY_VERIFY(is_exported(*test_)); }();
        return QImage(path);
    }
    /// The share of the pixels that are neither grey nor black nor white.
    static double coloured_share(const QImage& image) {
        int coloured = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                coloured +=
                    image.pixelColor(x, y).hslSaturation() > 80 && image.pixelColor(x, y).lightness() < 240;
        return coloured / static_cast<double>(image.width() * image.height());
    }
    void write(const QString& name, const QByteArray& bytes) const {
        write_file_atomically(test_->file(name).toStdString(),
                              std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())));
    }
};

QTEST_MAIN(WindowExportTest)

}  // namespace headlight::window_export_test

#include "window_export_test.moc"
