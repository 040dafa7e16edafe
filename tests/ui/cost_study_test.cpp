// Measuring while one looks: the model, the chart, the dialog.

#include "tests/ui/screen_reader.h"
#include "tests/ui/window_support.h"
#include "ui/models/cost_study.h"
#include "ui/panels/cost_dialog.h"
#include "ui/views/chart_plot.h"
#include "ui/views/keep_on_screen.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTextDocument>
#include <QtMath>

#include <ctime>

namespace headlight::cost_study_test {

namespace {

Session comparing() {
    Session session = small_session();
    session.compared = {{"dot", {}}};
    return session;
}

Chart chart_of_squares() {
    Chart chart;
    chart.title = QStringLiteral("Time");
    ChartLine line{QStringLiteral("Squares & <co>"), QStringLiteral("n²"), {}};
    for (int n = 16; n <= 2048; n *= 2)
        line.points.emplace_back(n, double(n) * n * 1e-9);
    chart.lines = {line, {QStringLiteral("Another one"), {}, {{16, 1e-6}, {32, 2e-6}}}};
    const auto text = [](double value) { return QString::number(value); };
    chart.x = doubling_axis(QStringLiteral("tokens"), 16, 2048, text);
    chart.y = power_axis(QStringLiteral("seconds"), chart.lines, 10, text);
    return chart;
}

}  // namespace

class CostStudyTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void the_sessions_mechanisms_are_ticked_and_the_others_can_be() {
        CostStudy study;
        const QAbstractItemModelTester tester(&study, QAbstractItemModelTester::FailureReportingMode::QtTest);
        study.set_session(comparing());
        QCOMPARE(study.series()[0].name, QString::fromStdString(mechanism("scaled_dot_product").name));
        QCOMPARE(study.series()[1].name, QString::fromStdString(mechanism("dot").name));
        for (std::size_t i = 0; i < study.series().size(); ++i)
            QCOMPARE(study.series()[i].is_chosen, i < 2);
        QVERIFY(study.rowCount() > 2);
        QVERIFY(study.setData(study.index(2, 0), Qt::Checked, Qt::CheckStateRole));
        QVERIFY(study.series()[2].is_chosen);
        study.set_most(128);
        QCOMPARE(study.columnCount(), 2 + 4);
        study.set_most(256);
        QCOMPARE(study.columnCount(), 2 + 5);
    }

    /// One who quits does not wait for a run of 16384 tokens, which takes seconds.
    void a_run_that_is_underway_is_not_waited_for() {
        auto study = std::make_unique<CostStudy>();
        study->set_session(comparing());
        study->set_most(CostStudy::longest);
        study->start();
        QTRY_VERIFY(study->series()[0].points.size() >= 9);  // up to 4096 tokens
        // Processor time of all threads together: other programs cannot disturb that.
        const std::clock_t before = std::clock();
        study.reset();
        const double spent = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
        QVERIFY2(spent < 1, qPrintable(QString::number(spent)));
    }

    void points_arrive_until_all_are_there() {
        CostStudy study;
        const QAbstractItemModelTester tester(&study, QAbstractItemModelTester::FailureReportingMode::QtTest);
        study.set_session(comparing());
        study.set_most(64);
        QSignalSpy changes(&study, &CostStudy::changed);
        study.start();
        QVERIFY(study.is_running());
        QTRY_VERIFY(!study.is_running());
        QVERIFY(changes.count() >= 6);
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(study.series()[i].points.size(), std::size_t(3));
            QVERIFY(study.series()[i].end == CostCurve::End::reached);
        }
        QCOMPARE(study.progress(), 1.0);
        study.set_quantity(CostQuantity::map_bytes);
        QCOMPARE(study.index(0, CostStudy::exponent).data().toString(), QStringLiteral("n²"));
        QCOMPARE(study.index(0, CostStudy::first_length).data().toString(), QStringLiteral("1.00 KB"));
        QCOMPARE(study.text().split(QLatin1Char('\n')).size(), 3);
    }

    void stopping_keeps_what_is_there() {
        CostStudy study;
        study.set_session(comparing());
        study.set_most(16384);
        study.start();
        QTRY_VERIFY(!study.series().front().points.empty());
        study.cancel();
        QVERIFY(!study.is_running());
        const std::size_t points = study.series().front().points.size();
        QTest::qWait(50);
        QCOMPARE(study.series().front().points.size(), points);
    }

    void the_chart_is_drawn_and_saved() {
        QTemporaryDir folder;
        ChartPlot plot;
        plot.resize(700, 400);
        const QImage before = plot.grab().toImage();
        plot.set_chart(chart_of_squares());
        QVERIFY(plot.grab().toImage() != before);
        QVERIFY(plot.accessible_description().contains(QStringLiteral("n²")));
        ChartPlot::save(plot.chart(), folder.filePath(QStringLiteral("a.png")));
        QVERIFY(QImage(folder.filePath(QStringLiteral("a.png"))).width() > 900);
        ChartPlot::save(plot.chart(), folder.filePath(QStringLiteral("a.svg")));
        QFile svg(folder.filePath(QStringLiteral("a.svg")));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        QVERIFY(svg.readAll().contains("Another one"));
        QVERIFY_EXCEPTION_THROWN(ChartPlot::save(plot.chart(), folder.filePath(QStringLiteral("a.gif"))),
                                 Error);
    }

    void the_chart_is_walked_by_keys_and_read_point_by_point() {
        ChartPlot plot;
        plot.setAccessibleName(QStringLiteral("Costs"));
        plot.resize(700, 400);
        plot.show();
        QAccessibleInterface* whole = voice_of(&plot);
        QCOMPARE(whole->childCount(), 0);
        plot.set_chart(chart_of_squares());
        QCOMPARE(whole->childCount(), 3);
        QAccessibleInterface* squares = whole->child(1);
        QCOMPARE(squares->role(), QAccessible::List);
        QCOMPARE(squares->text(QAccessible::Name), QStringLiteral("Squares & <co>"));
        QCOMPARE(squares->text(QAccessible::Description), QStringLiteral("n²"));
        QCOMPARE(squares->childCount(), 8);
        QCOMPARE(squares->child(1)->text(QAccessible::Name),
                 QStringLiteral("Squares & <co>, tokens 32: seconds 1.024e-06"));
        // As wide as it is long on a scale of doublings, 7 of them.
        const QRectF lines = plot_area(QRectF(plot.rect()), plot.chart(), plot.font());
        const QPoint there = plot.mapFromGlobal(squares->child(1)->rect().center());
        QVERIFY(std::abs(there.x() - (lines.left() + lines.width() / 7)) < 2);

        QVERIFY(plot.focusPolicy() & Qt::TabFocus);
        const QImage unmarked = plot.grab().toImage();
        ScreenReader reader;
        QTest::keyClick(&plot, Qt::Key_Right);
        QCOMPARE(reader.last(QAccessible::Focus), squares->child(1)->text(QAccessible::Name));
        QVERIFY(squares->child(1)->state().selected && !squares->child(0)->state().selected);
        QCOMPARE(whole->valueInterface()->currentValue().toDouble(), 32.0 * 32 * 1e-9);
        QTest::keyClick(&plot, Qt::Key_End);
        QTest::keyClick(&plot, Qt::Key_Down);  // the nearest that the other line has
        QCOMPARE(whole->text(QAccessible::Value), QStringLiteral("Another one, tokens 32: seconds 2e-06"));
        QTest::keyClick(&plot, Qt::Key_Down);
        QTest::keyClick(&plot, Qt::Key_Home);
        QCOMPARE(whole->text(QAccessible::Value), QStringLiteral("Another one, tokens 16: seconds 1e-06"));
        plot.activateWindow();
        plot.setFocus();
        QTRY_VERIFY(plot.hasFocus());
        QVERIFY2(plot.grab().toImage() != unmarked, "the eye sees where the keys are, too");

        reader.forget();
        plot.set_chart(chart_of_squares());
        QVERIFY2(reader.heard().isEmpty(), "nothing is other than it was");
        Chart shorter = chart_of_squares();
        shorter.lines.pop_back();
        plot.set_chart(shorter);
        QVERIFY(reader.has_heard(QAccessible::DescriptionChanged));
        QCOMPARE(whole->text(QAccessible::Value),
                 QStringLiteral("Squares & <co>, tokens 16: seconds 2.56e-07"));
    }

    void enter_asks_for_the_step_of_a_training() {
        ChartPlot plot;
        Chart chart = chart_of_squares();
        plot.set_chart(chart);
        const QSignalSpy asked(&plot, &ChartPlot::cursor_asked);
        QTest::keyClick(&plot, Qt::Key_Right);
        QTest::keyClick(&plot, Qt::Key_Return);
        QCOMPARE(asked.size(), 0);  // nothing stands there that could move
        chart.cursor = 16;
        plot.set_chart(chart);
        QTest::keyClick(&plot, Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].toDouble(), 32.0);
    }

    /// A dotted line from the last point to the name beside the axes would be read as a measurement.
    void behind_the_last_point_of_a_line_there_is_only_the_grid() {
        const QSizeF size(700, 400);
        QImage image(size.toSize(), QImage::Format_RGB32);
        Chart chart = chart_of_squares();
        chart.lines.erase(chart.lines.begin());  // the one that is left ends at 32 of 2,048
        const ChartLook look = chart_look_for_paper(QGuiApplication::font());
        QPainter painter(&image);
        paint_chart(painter, QRectF(QPointF(), size), chart, look);
        painter.end();
        const QRectF plot = plot_area(QRectF(QPointF(), size), chart, look.font);
        const double last = plot.left() + plot.width() * chart.x.share(32);
        for (int x = qCeil(last) + 8; x < plot.right() - 1; ++x)
            for (int y = qCeil(plot.top()) + 1; y < plot.bottom() - 1; ++y)
                QVERIFY2(QColor(image.pixel(x, y)).saturation() == 0,
                         qPrintable(QStringLiteral("colour at %1, %2").arg(x).arg(y)));
    }

    void a_long_name_of_the_axis_leaves_the_title_alone() {
        ChartPlot plot;
        const double height = QFontMetricsF(plot.font()).height();
        plot.resize(400, qRound(8 * height));  // an axis shorter than its name
        Chart chart = chart_of_squares();
        const auto titles = [&](const QString& axis) {
            chart.y.title = axis;
            plot.set_chart(chart);
            return plot.grab().toImage().copy(0, 0, 400, qRound(1.6 * height));
        };
        QCOMPARE(titles(QStringLiteral("cross-entropy")), titles({}));
    }

    void why_a_ticked_mechanism_has_no_line_is_said_in_sight() {
        WindowUnderTest test;
        Session session = comparing();
        session.compared = {{"multi_head", {{"heads", Index(3)}}}};  // of vectors of width 16
        open_session(test.document(), session);
        test.trigger("show_cost");
        auto* dialog = test.window().findChild<CostDialog*>();
        dialog->study().set_most(64);
        const auto* ends = test.find<QLabel>("cost_ends");
        QVERIFY(ends->text().isEmpty());
        QTest::mouseClick(test.find<QPushButton>("cost_start"), Qt::LeftButton);
        QTRY_VERIFY(!dialog->study().is_running());
        int refused = 0;
        for (const CostSeries& series : dialog->study().series()) {
            if (series.end != CostCurve::End::refused)
                continue;
            ++refused;
            QVERIFY2(ends->text().contains(series.name + QStringLiteral(": ") + series.refusal),
                     qPrintable(ends->text()));
        }
        QVERIFY(refused > 0);
        QTRY_VERIFY(ends->isVisible() && !ends->visibleRegion().isEmpty());
        // A tooltip is plain text, whose lines it breaks itself.
        const QModelIndex name = dialog->study().index(1, CostStudy::name);
        if (dialog->study().series()[1].end == CostCurve::End::refused)
            for (const QString& line : name.data(Qt::ToolTipRole).toString().split(QLatin1Char('\n')))
                QVERIFY2(line.size() <= 80, qPrintable(line));
    }

    void the_dialog_measures_what_is_ticked() {
        WindowUnderTest test;
        open_session(test.document(), comparing());
        test.trigger("show_cost");
        auto* dialog = test.window().findChild<CostDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        for (const char* button : {"cost_copy", "cost_save"})
            QVERIFY2(!test.find<QPushButton>(button)->isEnabled(), "nothing is measured yet");
        auto* most = test.find<QComboBox>("cost_most");
        most->setCurrentIndex(0);
        emit most->activated(0);
        QTest::mouseClick(test.find<QPushButton>("cost_start"), Qt::LeftButton);
        QTRY_VERIFY(!dialog->study().is_running());
        QCOMPARE(dialog->plot()->chart().lines.size(), std::size_t(2));
        QVERIFY(!dialog->plot()->chart().lines.front().note.isEmpty());
        QCOMPARE(test.find<QTableView>("cost_table")->model()->rowCount(), 2);
        QTest::mouseClick(test.find<QPushButton>("cost_copy"), Qt::LeftButton);
        QVERIFY(QGuiApplication::clipboard()->text().contains(QLatin1String("n = 256")));
        auto* search = test.find<QLineEdit>("cost_search");
        QGuiApplication::clipboard()->setText(QString(100'000, QChar('1')));
        search->paste();  // Qt warns of an expression that is too long, and a warning fails the test
        search->clear();
        QTest::keyClicks(search, QStringLiteral("causal"));
        auto* list = test.find<QListView>("cost_mechanisms");
        QVERIFY(list->model()->rowCount() >= 1);
        QVERIFY(list->model()->setData(list->model()->index(0, 0), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(test.find<QTableView>("cost_table")->model()->rowCount(), 3);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!dialog->isVisible());
        test.trigger("show_cost");
        QVERIFY(dialog->isVisible());
        QVERIFY2(dialog->plot()->chart().lines.size() == 2, "what was measured is still there");
        QVERIFY(test.find<QPushButton>("cost_save")->isEnabled());
    }

    void it_takes_the_room_that_the_screen_has() {
        WindowUnderTest test;
        test.trigger("show_cost");
        const auto* dialog = test.window().findChild<CostDialog*>();
        const int wanted = 130 * dialog->fontMetrics().averageCharWidth();
        QCOMPARE(dialog->width(), std::min(wanted, largest_size(*dialog->screen()).width()));
    }

    void the_picture_is_saved_whatever_is_typed() {
        WindowUnderTest test;
        open_session(test.document(), comparing());
        test.trigger("show_cost");
        auto* dialog = test.window().findChild<CostDialog*>();
        dialog->study().set_most(64);
        QTest::mouseClick(test.find<QPushButton>("cost_start"), Qt::LeftButton);
        QTRY_VERIFY(!dialog->study().is_running());
        const std::pair<const char*, const char*> names[] = {
            {"class", "class.png"}, {"class.v2", "class.v2.png"}, {"class.SVG", "class.SVG"}};
        for (const auto& name : names) {
            QTimer::singleShot(0, dialog, [&] { accept_file(test.file(QLatin1String(name.first))); });
            test.find<QPushButton>("cost_save")->click();
            QTRY_VERIFY2(QFileInfo::exists(test.file(QLatin1String(name.second))), name.second);
        }
    }
};

QTEST_MAIN(CostStudyTest)

}  // namespace headlight::cost_study_test

#include "cost_study_test.moc"
