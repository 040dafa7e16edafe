// What the dialog for exports offers, proposes and shows before anything is written.

#include "core/io/files.h"
#include "tests/ui/export_support.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>

#include <cmath>
#include <tuple>

namespace headlight::export_dialog_test {

class ExportDialogTest : public WindowedTest {
    Q_OBJECT
private slots:
    void a_picture_from_before_an_error_says_so() {
        Session session = small_session("causal");
        session.view.view = ViewKind::heatmap;
        test_->document().reset(session);
        QTRY_VERIFY(test_->document().run());
        session.sequence.query_text.clear();
        test_->document().edit({"Empty the text", session});
        QTRY_VERIFY(test_->document().error());
        QVERIFY2(test_->document().run(), "the window goes on showing it");
        ExportDialog* dialog = open_export(*test_);
        const auto* problem = dialog->findChild<QLabel*>(QStringLiteral("export_problem"));
        QTRY_VERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains(QLatin1String("picture from before")), qPrintable(problem->text()));
        QVERIFY(dialog->findChild<QPushButton*>(QStringLiteral("export_save"))->isEnabled());
        dialog->reject();
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

    void a_figure_that_was_opened_again_is_offered_its_name_and_format() {
        const QString path = export_as(*test_, QStringLiteral("svg"), QStringLiteral("mine.svg"));
        const auto offered = [&] {
            ExportDialog* dialog = open_export(*test_);
            const QStringList shown{
                dialog->findChild<QLineEdit*>(QStringLiteral("export_path"))->text(),
                dialog->findChild<QComboBox*>(QStringLiteral("export_format"))->currentData().toString()};
            dialog->reject();
            return shown;
        };
        QTRY_VERIFY(is_exported(*test_));
        QVERIFY(QFileInfo::exists(path));
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
            dialog = open_export(*test_);
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
        QTRY_VERIFY(is_exported(*test_));
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
        ExportDialog* dialog = open_export(*test_);
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

    void the_preview_says_which_width_is_enough() {
        auto* dialog = open_export(*test_);
        auto* width = dialog->findChild<QDoubleSpinBox*>(QStringLiteral("export_width"));
        auto* problem = dialog->findChild<QLabel*>(QStringLiteral("export_problem"));
        width->setValue(10);
        QTRY_VERIFY(problem->isVisible() && problem->text().contains(QLatin1String("at least ")));
        width->setValue(180);
        QTRY_VERIFY(!problem->isVisible());
        dialog->reject();
    }

    void the_preview_is_as_others_see_it() {
        auto* dialog = open_export(*test_);
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

    void what_is_transparent_is_shown_on_a_page() {
        Session session = small_session("causal");
        session.figure.options.transparent = true;
        session.view.theme = FigureTheme::dark;
        test_->document().reset(session);
        QTRY_VERIFY(test_->document().run());
        auto* dialog = open_export(*test_);
        auto* preview = dialog->findChild<QLabel*>(QStringLiteral("export_preview"));
        QTRY_VERIFY(!preview->pixmap().isNull());
        QCOMPARE(preview->pixmap().toImage().pixelColor(0, 0), QColor(Qt::white));
        dialog->reject();
    }

    void a_venue_sets_the_width() {
        auto* dialog = open_export(*test_);
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
        auto* dialog = open_export(*test_);
        auto* venues = dialog->findChild<QComboBox*>(QStringLiteral("export_named_width"));
        const int row =
            venues->findText(QStringLiteral("iclr: "), Qt::MatchStartsWith);  // as wide as another
        venues->setCurrentIndex(row);
        emit venues->activated(row);
        auto* theme = dialog->findChild<QComboBox*>(QStringLiteral("export_theme"));
        theme->setCurrentIndex(theme->findText(QStringLiteral("Dark")));
        dialog->findChild<QLineEdit*>(QStringLiteral("export_path"))
            ->setText(test_->file(QStringLiteral("heads.pdf")));
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("export_save")), Qt::LeftButton);
        QTRY_VERIFY(is_exported(*test_));
        QVERIFY(QFileInfo::exists(test_->file(QStringLiteral("heads.pdf"))));

        dialog = open_export(*test_);
        const ExportDialog::Choices again = dialog->choices();
        QCOMPARE(again.options.width_mm.value_or(0), 139.7);
        QCOMPARE(again.venue, row);
        QVERIFY(again.theme == FigureTheme::dark);
        dialog->reject();

        test_->begin_anew();  // another session has nothing of it
        dialog = open_export(*test_);
        QCOMPARE(dialog->choices().venue, 0);
        QCOMPARE(dialog->options().width_mm.value_or(0), 85.0);
        dialog->reject();
    }

    void it_says_how_large_the_picture_will_be() {
        ExportDialog* dialog = open_export(*test_);
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
        const QRegularExpression pattern(QStringLiteral("^([\\d.]+) × ([\\d.]+) mm, (\\d+) × (\\d+) pixels"));
        const QRegularExpressionMatch said = pattern.match(text);
        QVERIFY2(said.hasMatch(), qPrintable(text));
        QCOMPARE(said.captured(3).toInt(), image.width());
        // The preview has fewer pixels, on whole ones of which type is placed.
        QVERIFY2(std::abs(said.captured(4).toInt() - image.height()) <= image.height() / 50,
                 qPrintable(text));
    }

    void it_fits_a_small_screen() {
        ExportDialog* dialog = open_export(*test_);
        const QSize least = dialog->minimumSizeHint();
        QVERIFY2(least.width() <= 800 && least.height() <= 560,
                 qPrintable(QStringLiteral("%1 x %2").arg(least.width()).arg(least.height())));
        dialog->reject();
    }

    void the_preview_has_the_real_size() {
        ExportDialog* dialog = open_export(*test_);
        auto* preview = dialog->findChild<QLabel*>(QStringLiteral("export_preview"));
        auto* area = dialog->findChild<QScrollArea*>();
        auto* width = dialog->findChild<QDoubleSpinBox*>(QStringLiteral("export_width"));
        const auto shown = [preview] { return preview->pixmap().deviceIndependentSize(); };
        const auto millimetres = [&] { return shown().width() / dots_per_inch(*dialog->screen()) * 25.4; };
        const double pixel = 25.4 / dots_per_inch(*dialog->screen());
        const auto is_wide = [&](double wanted) { return std::abs(millimetres() - wanted) <= pixel; };
        QTRY_VERIFY(!preview->pixmap().isNull());
        QTRY_VERIFY(shown().width() <= area->viewport()->width());
        QVERIFY(dialog->findChild<QRadioButton*>(QStringLiteral("export_fit"))->isChecked());

        dialog->findChild<QRadioButton*>(QStringLiteral("export_real_size"))->click();
        QTRY_VERIFY(is_wide(85));
        QTRY_COMPARE(area->horizontalScrollBar()->maximum(), 0);
        const int dialog_width = dialog->width();

        width->setValue(400);
        QTRY_VERIFY(is_wide(400));
        QTRY_VERIFY(area->horizontalScrollBar()->maximum() > 0);
        QVERIFY2(dialog->width() == dialog_width, "it scrolls, and grows no dialog");
        QTRY_COMPARE(preview->width(), qCeil(shown().width()));

        width->setValue(2000);  // a poster: drawn coarser, and still as wide
        QTRY_VERIFY(is_wide(2000));

        dialog->findChild<QComboBox*>(QStringLiteral("export_unit"))->setCurrentIndex(1);
        width->setValue(700);
        QTRY_COMPARE(qRound(shown().width() * dialog->devicePixelRatioF()), 700);

        dialog->findChild<QRadioButton*>(QStringLiteral("export_fit"))->click();
        QTRY_VERIFY(shown().width() <= area->viewport()->width());
        QTRY_COMPARE(area->horizontalScrollBar()->maximum(), 0);
    }

    void the_preview_shows_the_figure() {
        auto* dialog = open_export(*test_);
        auto* preview = dialog->findChild<QLabel*>(QStringLiteral("export_preview"));
        QTRY_VERIFY(!preview->pixmap().isNull());
        auto* formats = dialog->findChild<QComboBox*>(QStringLiteral("export_format"));
        formats->setCurrentIndex(formats->findData(QStringLiteral("csv")));
        QTRY_VERIFY(preview->text().contains(QLatin1String("doctor")));
        formats->setCurrentIndex(formats->findData(QStringLiteral("npz")));
        QTRY_VERIFY(preview->text().endsWith(QLatin1String(" KB for programs")));
        dialog->reject();
    }

    void an_export_is_called_like_the_session() {
        const QString path = test_->file(QStringLiteral("lesson.json"));
        test_->window().files().save_to(path);
        QTRY_COMPARE(test_->window().files().file(), path);
        auto* dialog = open_export(*test_);
        QCOMPARE(dialog->path(), test_->file(QStringLiteral("lesson-stages.pdf")));
        dialog->reject();
    }

private:
    void write(const QString& name, const QByteArray& bytes) const {
        write_file_atomically(test_->file(name).toStdString(),
                              std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())));
    }
};

QTEST_MAIN(ExportDialogTest)

}  // namespace headlight::export_dialog_test

#include "export_dialog_test.moc"
