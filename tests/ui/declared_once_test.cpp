// A view and a file format are declared once: what a test file declares is found wherever views and formats
// are.

#include "tests/support/declared.h"
#include "tests/ui/views_support.h"
#include "tests/ui/windowed_test.h"
#include "ui/panels/export_dialog.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"

#include <QComboBox>
#include <QTabBar>

namespace headlight::declared_once_test {

using namespace headlight::samples;

class DeclaredOnceTest : public WindowedTest {
    Q_OBJECT
private slots:
    void initTestCase() {
        add_view(declared_view());
        add_exporter(declared_exporter());
    }
    void a_view_has_a_tab_an_entry_a_key_and_a_player() {
        ViewTabs& tabs = test_->window().views();
        const int tab = int(views().size()) - 1;
        QCOMPARE(tabs.tabText(tab), QStringLiteral("Diagonal"));
        QCOMPARE(tabs.tabToolTip(tab), QStringLiteral("What each token gives to itself (Ctrl+Alt+6)"));
        auto* action = test_->find<QAction>("view_15");
        QCOMPARE(action->text(), QStringLiteral("Diagonal"));
        QTest::keyClick(&test_->window(), Qt::Key_6, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(test_->session().view.view, diagonal);
        QVERIFY(action->isChecked());
        QCOMPARE(tabs.currentIndex(), tab);
        const auto* canvas = qobject_cast<FigureCanvas*>(tabs.view(diagonal)->focusProxy());
        QVERIFY(canvas->figure());
        QCOMPARE(canvas->figure()->title, std::string("The diagonal"));
        QVERIFY(canvas->place_at(canvas->cell_rect(0, 1, 1).center()));  // hit
        QCOMPARE(test_->find<QComboBox>("player-mode")->currentText(), QStringLiteral("By stage"));
    }

    void a_view_that_lacks_something_is_off_and_says_why() {
        test_->trigger("example_picture");
        const int tab = int(views().size()) - 1;
        QTRY_VERIFY(!test_->window().views().isTabEnabled(tab));
        QVERIFY(!test_->find<QAction>("view_15")->isEnabled());
        QCOMPARE(test_->window().views().tabToolTip(tab), QStringLiteral("Words alone have a diagonal"));
    }

    void a_session_keeps_the_view() {
        Session session = small_session();
        session.view.view = diagonal;
        QCOMPARE(parse_session(write_session(session)).view.view, diagonal);
    }

    void a_view_and_a_format_are_in_the_export_dialog() {
        test_->trigger("file_export");
        auto* dialog = test_->find<ExportDialog>("export_dialog");
        QVERIFY(dialog);
        QVERIFY(dialog->findChild<QComboBox*>("export_view")->findText(QStringLiteral("Diagonal")) >= 0);
        auto* formats = dialog->findChild<QComboBox*>("export_format");
        QVERIFY(formats->findText(QStringLiteral("Words, for reading aloud")) >= 0);
        QVERIFY(formats->toolTip().contains(QLatin1String("Words are the description")));
        dialog->reject();
    }
};

QTEST_MAIN(DeclaredOnceTest)

}  // namespace headlight::declared_once_test

#include "declared_once_test.moc"
