#include "core/io/files.h"
#include "tests/ui/windowed_test.h"
#include "ui/panels/export_dialog.h"
#include "ui/panels/print_preview.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/motion_clock.h"

#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPrintPreviewDialog>
#include <QPrintPreviewWidget>
#include <QPrinter>
#include <QPrinterInfo>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>

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
        const QString path = export_as(format, QStringLiteral("figure.") + extension);
        QTRY_VERIFY(QFileInfo::exists(path));
        const std::string bytes = read_file(path.toStdString());
        QVERIFY(QByteArray::fromStdString(bytes).startsWith(begins));

        test_->begin_anew();
        drop(test_->window(), path);
        QTRY_COMPARE(test_->session().mechanism, session.mechanism);
        QVERIFY(test_->session().exported);  // the figure knows how large it was
        session.exported = test_->session().exported;
        QVERIFY(test_->session() == session);
        QVERIFY(test_->window().files().file().isEmpty());
        QTRY_VERIFY(!test_->document().is_running() && !test_->window().findChild<ExportDialog*>());
        const QImage after = drawn("after.png");
        QVERIFY2(!after.isNull() && after == before, "the same picture");
    }

    void what_cannot_carry_its_session_has_it_beside_it() {
        Session session = small_session("causal");
        session.view.view = ViewKind::heatmap;
        session.figure.colour_map = "magma";
        test_->document().reset(session);
        const QString path = export_as(QStringLiteral("csv"), QStringLiteral("map.csv"));
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

    void a_picture_from_before_an_error_says_so() {
        Session session = small_session("causal");
        session.view.view = ViewKind::heatmap;
        test_->document().reset(session);
        QTRY_VERIFY(test_->document().run());
        session.sequence.query_text.clear();
        test_->document().edit({"Empty the text", session});
        QTRY_VERIFY(test_->document().error());
        QVERIFY2(test_->document().run(), "the window goes on showing it");
        ExportDialog* dialog = open_export();
        const auto* problem = dialog->findChild<QLabel*>(QStringLiteral("export_problem"));
        QTRY_VERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains(QLatin1String("picture from before")), qPrintable(problem->text()));
        QVERIFY(dialog->findChild<QPushButton*>(QStringLiteral("export_save"))->isEnabled());
        dialog->reject();
    }

    void panels_are_written_in_words_and_are_an_edit() {
        Session session = small_session("causal");
        session.view.view = ViewKind::heatmap;
        test_->document().reset(session);
        ExportDialog* dialog = open_export();
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
        QTRY_VERIFY(QFileInfo::exists(path));
        const QByteArray svg = QByteArray::fromStdString(read_file(path.toStdString()));
        QVERIFY(svg.contains(">one map<") && svg.contains(">two lines<"));
        const Session exported = test_->session();
        for (int step = 0; step < 5 && !test_->session().figure.options.panels.empty(); ++step)
            test_->trigger("edit_undo");
        QVERIFY(test_->session().figure.options.panels.empty());
        drop(test_->window(), path);
        QTRY_VERIFY(test_->session().figure.options.panels == exported.figure.options.panels);
        dialog = open_export();
        QCOMPARE(dialog->findChild<QComboBox*>(QStringLiteral("export_view"))->currentData().toString(),
                 QStringLiteral("panels"));
        dialog->reject();
    }

    void all_maps_are_exported_whatever_is_shown() {
        Session session = small_session("causal");
        session.view.view = ViewKind::heatmap;
        test_->document().reset(session);
        ExportDialog* dialog = open_export();
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

    void enter_does_what_a_dialog_is_for() {
        for (const auto& [action, dialog, button] :
             {std::tuple("file_export", "export_dialog", "export_save"),
              std::tuple("show_cost", "cost_dialog", "cost_start")}) {
            test_->trigger(action);
            QTRY_VERIFY(test_->find(dialog)->isVisible());
            QVERIFY2(test_->find<QPushButton>(button)->isDefault(), button);
            test_->find<QDialog>(dialog)->reject();
        }
    }

    void numbers_are_exported_as_csv() {
        test_->document().reset([] {
            Session session = small_session();
            session.view.view = ViewKind::heatmap;
            return session;
        }());
        const QString path = export_as(QStringLiteral("csv"), QStringLiteral("numbers.csv"));
        QTRY_VERIFY(QFileInfo::exists(path));
        QVERIFY(read_file(path.toStdString()).find("river") != std::string::npos);
    }

    void a_figure_that_was_opened_again_is_offered_its_name_and_format() {
        const QString path = export_as(QStringLiteral("svg"), QStringLiteral("mine.svg"));
        QTRY_VERIFY(QFileInfo::exists(path));
        const auto offered = [&] {
            ExportDialog* dialog = open_export();
            const QStringList shown{
                dialog->findChild<QLineEdit*>(QStringLiteral("export_path"))->text(),
                dialog->findChild<QComboBox*>(QStringLiteral("export_format"))->currentData().toString()};
            dialog->reject();
            QCoreApplication::sendPostedEvents(dialog, QEvent::DeferredDelete);
            return shown;
        };
        QTRY_VERIFY(!test_->window().findChild<ExportDialog*>());
        QCOMPARE(offered(), (QStringList{path, QStringLiteral("svg")}));
        test_->begin_anew();
        const QRegularExpression usual(QStringLiteral("/attention-[a-z-]+\\.pdf$"));
        QVERIFY(usual.match(offered().front()).hasMatch());
        drop(test_->window(), path);
        QTRY_VERIFY(test_->session().exported);
        QCOMPARE(offered(), (QStringList{path, QStringLiteral("svg")}));
    }

    void a_figure_is_called_by_its_file_and_its_view() {
        const QString session = test_->file(QStringLiteral("eight.json"));
        write(QStringLiteral("eight.json"), QByteArray::fromStdString(write_session(test_->session())));
        drop(test_->window(), session);
        ExportDialog* dialog = nullptr;
        QLineEdit* name = nullptr;
        const auto choose = [&](const char* view) {
            auto* views = dialog->findChild<QComboBox*>(QStringLiteral("export_view"));
            views->setCurrentIndex(views->findData(QString::fromLatin1(view)));
        };
        const auto open = [&] {
            dialog = open_export();
            name = dialog->findChild<QLineEdit*>(QStringLiteral("export_path"));
        };
        QTRY_VERIFY(test_->window().windowTitle().contains(QLatin1String("eight")));
        open();
        choose("grid");
        QCOMPARE(name->text(), test_->file(QStringLiteral("eight-heads.pdf")));
        choose("heatmap");
        QCOMPARE(name->text(), test_->file(QStringLiteral("eight-heatmap.pdf")));
        auto* formats = dialog->findChild<QComboBox*>(QStringLiteral("export_format"));
        formats->setCurrentIndex(formats->findData(QStringLiteral("svg")));
        QCOMPARE(name->text(), test_->file(QStringLiteral("eight-heatmap.svg")));
        dialog->findChild<QPushButton*>(QStringLiteral("export_save"))->click();
        QTRY_VERIFY(!test_->window().findChild<ExportDialog*>());
        open();
        choose("grid");
        QCOMPARE(name->text(), test_->file(QStringLiteral("eight-heads.svg")));
        choose("heatmap");
        QCOMPARE(name->text(), test_->file(QStringLiteral("eight-heatmap.svg")));
        // What a person has typed stays.
        type_over(name, test_->file(QStringLiteral("mine.svg")));
        choose("grid");
        QCOMPARE(name->text(), test_->file(QStringLiteral("mine.svg")));
        dialog->reject();
    }

    void the_format_follows_the_name_that_is_typed() {
        ExportDialog* dialog = open_export();
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("export_path"));
        const auto* format = dialog->findChild<QComboBox*>(QStringLiteral("export_format"));
        const auto* dpi = dialog->findChild<QDoubleSpinBox*>(QStringLiteral("export_dpi"));
        for (const char* extension : {"png", "svg", "csv", "pdf"}) {
            const QString path = test_->file(QStringLiteral("a.b.") + QLatin1String(extension));
            type_over(name, path);
            QCOMPARE(format->currentData().toString(), QLatin1String(extension));
            QCOMPARE(name->text(), path);
            QCOMPARE(dpi->isEnabled(), QLatin1String(extension) == QLatin1String("png"));
        }
        dialog->reject();
    }

    void a_figure_that_cannot_be_written_says_so() {
        auto* dialog = open_export();
        dialog->findChild<QLineEdit*>(QStringLiteral("export_path"))
            ->setText(test_->file(QStringLiteral("no/such/folder/figure.png")));
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("export_save")), Qt::LeftButton);
        auto* problem = dialog->findChild<QLabel*>(QStringLiteral("export_problem"));
        QTRY_VERIFY(problem->isVisible());
        QVERIFY(dialog->isVisible());
        dialog->reject();
    }

    void the_preview_says_which_width_is_enough() {
        auto* dialog = open_export();
        auto* width = dialog->findChild<QDoubleSpinBox*>(QStringLiteral("export_width"));
        auto* problem = dialog->findChild<QLabel*>(QStringLiteral("export_problem"));
        width->setValue(10);
        QTRY_VERIFY(problem->isVisible() && problem->text().contains(QLatin1String("at least ")));
        width->setValue(180);
        QTRY_VERIFY(!problem->isVisible());
        dialog->reject();
    }

    void the_preview_is_as_others_see_it() {
        auto* dialog = open_export();
        auto* note = dialog->findChild<QLabel*>(QStringLiteral("export_contrast"));
        QTRY_VERIFY2(note->text().contains(QLatin1String("Every label has a contrast of at least ")),
                     qPrintable(note->text()));
        const auto has_colours = [&] {
            const QImage seen =
                dialog->findChild<QLabel*>(QStringLiteral("export_preview"))->pixmap().toImage();
            for (int y = 0; y < seen.height(); ++y)
                for (int x = 0; x < seen.width(); ++x)
                    if (const QColor colour = seen.pixelColor(x, y);
                        colour.red() != colour.green() || colour.green() != colour.blue())
                        return true;
            return false;
        };
        QTRY_VERIFY(has_colours());
        auto* seen_by = dialog->findChild<QComboBox*>(QStringLiteral("export_seen_by"));
        seen_by->setCurrentIndex(seen_by->count() - 1);
        QTRY_VERIFY(!has_colours());
        dialog->reject();
    }

    void a_venue_sets_the_width() {
        auto* dialog = open_export();
        auto* venues = dialog->findChild<QComboBox*>(QStringLiteral("export_named_width"));
        auto* width = dialog->findChild<QDoubleSpinBox*>(QStringLiteral("export_width"));
        auto* unit = dialog->findChild<QComboBox*>(QStringLiteral("export_unit"));
        unit->setCurrentIndex(1);
        const int row = venues->findText(QStringLiteral("nature-double: "), Qt::MatchStartsWith);
        venues->setCurrentIndex(row);
        emit venues->activated(row);
        QCOMPARE(unit->currentIndex(), 0);
        QCOMPARE(width->value(), 183.0);
        QCOMPARE(dialog->options().width_mm.value_or(0), 183.0);
        QCOMPARE(venues->currentIndex(), row);
        width->setValue(150);  // no venue's
        QCOMPARE(venues->currentIndex(), 0);
        dialog->reject();
    }

    void the_next_export_begins_as_the_last_one_was() {
        auto* dialog = open_export();
        auto* venues = dialog->findChild<QComboBox*>(QStringLiteral("export_named_width"));
        const int row = venues->findText(QStringLiteral("iclr: "), Qt::MatchStartsWith);  // as wide as another
        venues->setCurrentIndex(row);
        emit venues->activated(row);
        auto* theme = dialog->findChild<QComboBox*>(QStringLiteral("export_theme"));
        theme->setCurrentIndex(theme->findText(QStringLiteral("Dark")));
        dialog->findChild<QLineEdit*>(QStringLiteral("export_path"))
            ->setText(test_->file(QStringLiteral("heads.pdf")));
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("export_save")), Qt::LeftButton);
        QTRY_VERIFY(!test_->window().findChild<ExportDialog*>());
        QVERIFY(QFileInfo::exists(test_->file(QStringLiteral("heads.pdf"))));

        dialog = open_export();
        const ExportDialog::Choices again = dialog->choices();
        QCOMPARE(again.options.width_mm.value_or(0), 139.7);
        QCOMPARE(again.venue, row);
        QVERIFY(again.theme == FigureTheme::dark);
        dialog->reject();
        QTRY_VERIFY(!test_->window().findChild<ExportDialog*>());

        test_->begin_anew();  // another session has nothing of it
        dialog = open_export();
        QCOMPARE(dialog->choices().venue, 0);
        QCOMPARE(dialog->options().width_mm.value_or(0), 85.0);
        dialog->reject();
    }

    void it_says_how_large_the_picture_will_be() {
        ExportDialog* dialog = open_export();
        auto* size = dialog->findChild<QLabel*>(QStringLiteral("export_size"));
        auto* format = dialog->findChild<QComboBox*>(QStringLiteral("export_format"));
        format->setCurrentIndex(format->findData(QStringLiteral("png")));
        QTRY_VERIFY(size->text().contains(QStringLiteral("pixels")));
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("figure.png"));
        dialog->findChild<QLineEdit*>(QStringLiteral("export_path"))->setText(file);
        const QString text = size->text();
        dialog->findChild<QPushButton*>(QStringLiteral("export_save"))->click();
        QTRY_VERIFY(QFileInfo::exists(file));
        const QImage image(file);
        const QRegularExpression pattern(
            QStringLiteral("^([\\d.]+) × ([\\d.]+) mm, (\\d+) × (\\d+) pixels"));
        const QRegularExpressionMatch said = pattern.match(text);
        QVERIFY2(said.hasMatch(), qPrintable(text));
        QCOMPARE(said.captured(3).toInt(), image.width());
        // The preview has fewer pixels, on whole ones of which type is placed.
        QVERIFY2(std::abs(said.captured(4).toInt() - image.height()) <= image.height() / 50, qPrintable(text));
    }

    void the_preview_has_the_real_size() {
        ExportDialog* dialog = open_export();
        auto* preview = dialog->findChild<QLabel*>(QStringLiteral("export_preview"));
        auto* area = dialog->findChild<QScrollArea*>();
        auto* width = dialog->findChild<QDoubleSpinBox*>(QStringLiteral("export_width"));
        const auto shown = [preview] { return preview->pixmap().deviceIndependentSize(); };
        const auto millimetres = [&] { return shown().width() / dots_per_inch(*dialog->screen()) * 25.4; };
        const double pixel = 25.4 / dots_per_inch(*dialog->screen());
        const auto is_wide = [&](double wanted) { return std::abs(millimetres() - wanted) <= pixel; };
        QTRY_VERIFY(!preview->pixmap().isNull());
        QVERIFY(shown().width() <= area->viewport()->width());
        QVERIFY(dialog->findChild<QRadioButton*>(QStringLiteral("export_fit"))->isChecked());

        dialog->findChild<QRadioButton*>(QStringLiteral("export_real_size"))->click();
        QTRY_VERIFY(is_wide(85));
        QCOMPARE(area->horizontalScrollBar()->maximum(), 0);
        const int dialog_width = dialog->width();

        width->setValue(400);
        QTRY_VERIFY(is_wide(400));
        QTRY_VERIFY(area->horizontalScrollBar()->maximum() > 0);
        QVERIFY2(dialog->width() == dialog_width, "it scrolls, and grows no dialog");
        QCOMPARE(preview->width(), qCeil(shown().width()));

        width->setValue(2000);  // a poster: drawn coarser, and still as wide
        QTRY_VERIFY(is_wide(2000));

        dialog->findChild<QComboBox*>(QStringLiteral("export_unit"))->setCurrentIndex(1);
        width->setValue(700);
        QTRY_COMPARE(qRound(shown().width() * dialog->devicePixelRatioF()), 700);

        dialog->findChild<QRadioButton*>(QStringLiteral("export_fit"))->click();
        QTRY_VERIFY(shown().width() <= area->viewport()->width());
        QCOMPARE(area->horizontalScrollBar()->maximum(), 0);
    }

    void the_preview_shows_the_figure() {
        auto* dialog = open_export();
        auto* preview = dialog->findChild<QLabel*>(QStringLiteral("export_preview"));
        QTRY_VERIFY(!preview->pixmap().isNull());
        auto* formats = dialog->findChild<QComboBox*>(QStringLiteral("export_format"));
        formats->setCurrentIndex(formats->findData(QStringLiteral("csv")));
        QTRY_VERIFY(preview->text().contains(QLatin1String("doctor")));
        formats->setCurrentIndex(formats->findData(QStringLiteral("npz")));
        QTRY_VERIFY(preview->text().endsWith(QLatin1String(" KB for programs")));
        dialog->reject();
    }

    void figure_and_numbers_are_copied() {
        QGuiApplication::clipboard()->clear();
        test_->trigger("copy_figure");
        const auto* clipboard = QGuiApplication::clipboard();
        QTRY_VERIFY(clipboard->mimeData() && clipboard->mimeData()->hasImage());
        QVERIFY(!QGuiApplication::clipboard()->mimeData()->data(QStringLiteral("image/svg+xml")).isEmpty());
        test_->window().views().setCurrentIndex(1);
        test_->trigger("copy_numbers");
        QTRY_VERIFY(QGuiApplication::clipboard()->text().contains(QLatin1String("doctor")));
    }

    void a_picture_and_its_motion_are_copied_in_words() {
        Session session = small_session("multi_head");
        session.view.view = ViewKind::map;
        test_->document().reset(session);
        const auto copied = [&] {
            QGuiApplication::clipboard()->clear();
            test_->trigger("copy_words");
            [] { QTRY_VERIFY(!QGuiApplication::clipboard()->text().isEmpty()); }();
            return QGuiApplication::clipboard()->text();
        };
        const QString map = copied();
        QVERIFY2(map.contains(QLatin1String("\nPart: ")) && map.contains(QLatin1String("\nArrow: from ")),
                 qPrintable(map));
        ViewState stages = in_view(test_->document().view(), ViewKind::stages);
        stages.selection.stage = "weights";
        test_->document().looking().look_at(stages);
        const QString still = copied();
        QVERIFY2(still.contains(QStringLiteral("\nRow “")), qPrintable(still));
        MotionClock& clock = MotionClock::of(test_->document());
        clock.set_on(true);
        const QString moving = copied();
        QVERIFY(moving.startsWith(still));
        for (const double moment : {0.0, clock.motion().stop_after(0), 1.0})
            QVERIFY(moving.contains(QString::fromStdString(clock.motion().at(moment).words)));
    }

    void views_of_every_head_are_copied_in_words_unless_a_question_hides_them() {
        for (const ViewKind kind : {ViewKind::statistics, ViewKind::scatter}) {
            Session session = small_session("multi_head");
            session.view.view = kind;
            test_->document().reset(session);
            QTRY_VERIFY(test_->document().run() && !test_->document().is_running());
            QCOMPARE(test_->document().view().view, kind);
            QGuiApplication::clipboard()->clear();
            test_->document().withhold_answer(ViewKind::heatmap);
            test_->trigger("copy_words");
            QTRY_COMPARE(test_->message("notice"), QStringLiteral("This view is hidden until you answer."));
            QVERIFY(QGuiApplication::clipboard()->text().isEmpty());
            test_->document().withhold_answer({});
            test_->trigger("copy_words");
            QTRY_VERIFY(!QGuiApplication::clipboard()->text().isEmpty());
            QTRY_COMPARE(test_->message("notice"),
                         QStringLiteral("The picture is on the clipboard, in words."));
        }
    }

    void a_long_text_blocks_neither_preview_nor_copy() {
        Session session = small_session();
        session.view.view = ViewKind::heatmap;
        session.sequence.query_text = long_text(600);
        test_->document().reset(session);
        QTRY_VERIFY(test_->document().run() && test_->document().run()->plan->queries == 600);
        ExportDialog* dialog = open_export();
        auto* formats = dialog->findChild<QComboBox*>(QStringLiteral("export_format"));
        auto* preview = dialog->findChild<QLabel*>(QStringLiteral("export_preview"));
        formats->setCurrentIndex(formats->findData(QStringLiteral("csv")));
        QTRY_VERIFY(preview->text().contains(QLatin1String("word1")));
        dialog->reject();
        QGuiApplication::clipboard()->clear();
        test_->trigger("copy_figure");
        QTRY_VERIFY(QGuiApplication::clipboard()->mimeData() &&
                    QGuiApplication::clipboard()->mimeData()->hasImage());
        test_->trigger("copy_numbers");
        QTRY_VERIFY(QGuiApplication::clipboard()->text().contains(QLatin1String("word599")));
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

    void the_citation_is_copied() {
        const auto cited = [&] {
            QGuiApplication::clipboard()->clear();
            test_->trigger("copy_citation");
            return QGuiApplication::clipboard()->text();
        };
        Session session = small_session();
        session.mechanism = "scaled_dot_product";
        session.values.clear();
        test_->document().reset(session);
        const QString of_mechanism = cited();
        QVERIFY(of_mechanism.startsWith(QLatin1String("@misc{headlight,")));
        QVERIFY(of_mechanism.contains(QLatin1String("@inproceedings{vaswani2017attention,")));
        QCOMPARE(test_->message("notice"),
                 QStringLiteral("The citation of Scaled dot-product attention and of "
                                "Headlight is on the clipboard, as BibTeX."));
        session.custom.emplace();
        test_->document().reset(session);
        QCOMPARE(cited().count(QLatin1Char('@')), 1);
        QVERIFY(test_->message("notice").contains(QLatin1String("has no paper in the catalogue")));
    }

    void an_export_asks_before_it_replaces_a_file() {
        const QString path = test_->file(QStringLiteral("figure.svg"));
        write("figure.svg", "of somebody else");
        test_->answer("replace_question", QStringLiteral("Cancel"));
        export_as(QStringLiteral("svg"), QStringLiteral("figure.svg"));
        auto* dialog = test_->window().findChild<ExportDialog*>();
        QVERIFY(dialog->isVisible());
        QCOMPARE(read_file(path.toStdString()), std::string("of somebody else"));
        test_->answer("replace_question", QStringLiteral("&Replace"));
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("export_save")), Qt::LeftButton);
        QTRY_VERIFY(read_file(path.toStdString()).starts_with("<?xml"));
    }

    void an_export_is_called_like_the_session() {
        const QString path = test_->file(QStringLiteral("lesson.json"));
        test_->window().files().save_to(path);
        QTRY_COMPARE(test_->window().files().file(), path);
        auto* dialog = open_export();
        QCOMPARE(dialog->path(), test_->file(QStringLiteral("lesson-stages.pdf")));
        dialog->reject();
    }

private:
    /// What the window shows, exported.
    QImage drawn(const char* name) {
        const QString path = export_as(QStringLiteral("png"), QLatin1String(name));
        // Once it is saved the dialog goes; until then a next one would be that one.
        const auto is_over = [&] { return !test_->window().findChild<ExportDialog*>(); };
        [&] { QTRY_VERIFY(is_over()); }();
        return QImage(path);
    }
    /// Of the pixels that are neither grey nor black nor white.
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
    ExportDialog* open_export() {
        test_->trigger("file_export");
        return test_->window().findChild<ExportDialog*>();
    }
    QString export_as(const QString& format, const QString& name) {
        ExportDialog* dialog = open_export();
        auto* formats = dialog->findChild<QComboBox*>(QStringLiteral("export_format"));
        formats->setCurrentIndex(formats->findData(format));
        const QString path = test_->file(name);
        type_over(dialog->findChild<QLineEdit*>(QStringLiteral("export_path")), path);
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("export_save")), Qt::LeftButton);
        return path;
    }
};

QTEST_MAIN(WindowExportTest)

}  // namespace headlight::window_export_test

#include "window_export_test.moc"
