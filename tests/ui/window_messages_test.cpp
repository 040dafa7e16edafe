// Messages over the player's line: which is shown, and that nothing moves and no picture is covered.

#include "core/figure/view.h"
#include "core/io/files.h"
#include "core/io/mechanism_file.h"
#include "core/io/view_subject.h"
#include "tests/ui/room_support.h"

#include <QApplication>
#include <QFontInfo>
#include <QLabel>
#include <QToolButton>

namespace headlight::window_messages_test {

class WindowMessagesTest : public RoomTest {
    Q_OBJECT
private slots:
    void nothing_moves_when_a_message_appears() {
        const auto before = places(test_->window());
        emit test_->window().files().problem(Error({"open file", "x.csv", "numbers", "words"}));
        emit test_->window().files().notice(QStringLiteral("Saved."));
        QTest::qWait(1);
        QCOMPARE(moved(before, test_->window()), QString());
        // The newest stands in the player's line, the others after it, over words alone.
        for (const char* id : {"notice", "file_message"}) {
            QVERIFY2(shown_messages() == QStringList(QLatin1String(id)), id);
            const QRect place = place_in_window(*test_->find(id));
            QVERIFY2(place.height() > 20 && place.width() > 400, id);
            QVERIFY2(place_in_window(*test_->find("player_bar")).contains(place), id);
            QCOMPARE(covered_controls(place), QString());
            QVERIFY(test_->find("player-mode")->isEnabled());
            test_->find(id)->hide();
        }
        QCOMPARE(shown_messages(), QStringList());
    }

    void a_narrow_window_has_a_line_for_messages_above_the_player() {
        test_->window().resize(800, 600);
        settle();
        const QRect play = place_in_window(*test_->find("player-play"));
        emit test_->window().files().problem(Error({"open file", "x.csv", "numbers", "words"}));
        settle();
        const QRect place = place_in_window(*test_->find("file_message"));
        QVERIFY(place.height() > 20 && place.width() > 700);
        QCOMPARE(covered_controls(place), QString());
        QVERIFY(!place_of_picture().intersects(place));
        // What is about to be pressed stays where it is.
        QCOMPARE(place_in_window(*test_->find("player-play")), play);
        const int with_message = test_->find("player_bar")->height();
        test_->click("file_message_dismiss");
        settle();
        QVERIFY(test_->find("player_bar")->height() < with_message);
        QCOMPARE(place_in_window(*test_->find("player-play")), play);
    }

    void a_message_that_is_too_long_is_cut_after_whole_lines_and_can_be_read_whole() {
        const std::string path = "/home/somebody/" + std::string(400, 'x') + "/weights.npz";
        emit test_->window().files().problem(Error({"open file", path, "numbers", "words"}));
        const auto* label = test_->find("file_message")->findChild<QLabel*>();
        auto* whole = test_->find<QToolButton>("file_message_whole");
        QTRY_VERIFY(whole->isVisible());
        QTRY_COMPARE(label->height() % label->fontMetrics().lineSpacing(), 0);
        QTest::mouseClick(whole, Qt::LeftButton);
        const QWidget* popup = QApplication::activePopupWidget();
        QVERIFY(popup);
        const auto* all = popup->findChild<QLabel*>();
        QVERIFY(all->height() >= all->heightForWidth(all->width()));
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
        QVERIFY(!QApplication::activePopupWidget());
        emit test_->window().files().problem(Error({"open file", "x.csv", "numbers", "words"}));
        QTRY_VERIFY(!whole->isVisible());
    }

    void what_was_said_before_a_lesson_goes_with_it() {
        emit test_->window().files().problem(Error({"open file", "x.csv", "numbers", "words"}));
        emit test_->window().files().notice(QStringLiteral("Saved."));
        begin_first_lesson(*test_);
        QTRY_VERIFY(test_->find("lesson_text")->isVisible());
        QCOMPARE(shown_messages(), QStringList());
    }

    void the_message_that_is_said_last_is_shown() {
        const auto refuse = [this](const char* file) {
            emit test_->window().files().problem(Error({"open file", file, "numbers", "words"}));
        };
        refuse("x.csv");
        emit test_->window().files().notice(QStringLiteral("Saved."));
        QCOMPARE(shown_messages(), QStringList(QStringLiteral("notice")));
        refuse("y.csv");
        QCOMPARE(shown_messages(), QStringList(QStringLiteral("file_message")));
        QVERIFY(test_->message("file_message").contains(QLatin1String("y.csv")));
    }

    void messages_never_lie_over_a_picture() {
        Session session = small_session("self_attention");
        session.sequence.query_text = long_text(60);
        session.values["temperature"] = 100.0;  // every weight is about 1/60
        open_session(test_->document(), session);
        for (const View& shown : views()) {
            if (!missing_for(shown.kind, view_subject(test_->session())).empty())
                continue;
            test_->document().looking().look_at(with_view(test_->document(), shown.kind));
            settle();
            for (const bool is_noticed : {false, true}) {
                if (is_noticed)
                    emit test_->window().files().notice(QStringLiteral("Saved."));
                QVERIFY2(shown_messages().size() <= 1, shown.title.c_str());
                if (is_noticed)
                    QVERIFY2(shown_messages() == QStringList(QStringLiteral("notice")), shown.title.c_str());
                for (const QString& id : shown_messages())
                    QVERIFY2(!place_of_picture().intersects(place_in_window(*test_->find(qPrintable(id)))),
                             (shown.title + ", " + id.toStdString()).c_str());
            }
            test_->find("notice")->hide();
        }
    }

    void the_hint_about_small_weights_can_be_closed() {
        Session session = small_session("self_attention");
        session.sequence.query_text = long_text(60);
        session.values["temperature"] = 100.0;  // every weight is about 1/60
        open_session(test_->document(), session);
        const QWidget* hint = test_->find("scale_hint");
        QTRY_VERIFY(hint->isVisible());
        test_->click("scale_hint_dismiss");
        QVERIFY(!hint->isVisible());
        test_->document().looking().look_at(with_view(test_->document(), ViewKind::heatmap));
        session = test_->session();
        session.sequence.query_text += " again";
        test_->document().edit({"Type", session});
        QTRY_COMPARE(test_->document().run()->plan->queries, Index(61));
        QVERIFY(!hint->isVisible());
        session.mechanism = "multi_head";
        test_->document().edit({"Mechanism", session});
        QTRY_VERIFY(hint->isVisible());
    }

    void a_knob_that_is_refused_moves_nothing() {
        test_->document().reset(small_session("multi_head"));
        settle();
        const auto before = places(test_->window());
        Session session = test_->session();
        session.values["heads"] = Index(7);  // of 16 numbers
        test_->document().edit({"Heads", session});
        QVERIFY(test_->find("run_message")->isVisible());
        QTest::qWait(1);
        const auto now = places(test_->window());
        for (const char* id : {"player-play", "view_tabs", "player-scrubber", "inspector-bars", "mechanism"})
            QCOMPARE(now.at(QLatin1String(id)), before.at(QLatin1String(id)));
    }

    void a_mechanism_that_is_opened_says_at_once_why_it_cannot_run() {
        const QString file = test_->file(QStringLiteral("eight.json"));
        const Session wanting = eight_heads_of_three_numbers(FigureTheme::light);
        write_file_atomically(file.toStdString(), write_mechanism(*wanting.custom));
        Session before = wanting;
        before.custom.reset();
        open_session(test_->document(), before);
        test_->window().files().open_path(file);
        QTRY_VERIFY(test_->document().error());
        QTRY_COMPARE(shown_messages(), QStringList(QStringLiteral("run_message")));
        // What lets it run stands beside the reason, as one step.
        auto* step = test_->find<QToolButton>("run_message_step");
        QVERIFY(step->isVisible());
        QCOMPARE(step->text(), QStringLiteral("Dimension 8"));
        test_->click("run_message_step");
        QTRY_VERIFY(!test_->document().error());
        QCOMPARE(test_->session().sequence.vectors.dimension, Index(8));
        QTRY_VERIFY(!test_->find("run_message")->isVisible());
        test_->trigger("edit_undo");
        QTRY_VERIFY(test_->document().error());
        QCOMPARE(test_->session().sequence.vectors.dimension, Index(3));
        // What no width mends offers no step.
        Session masked = test_->session();
        masked.sequence.vectors.dimension = 4;
        masked.custom->spec.heads = {};
        masked.custom->spec.mask = {CausalMask{}};
        masked.custom->spec.algorithm.type = AlgorithmType::product_keys;
        test_->document().edit({"Slots", masked});
        QTRY_VERIFY(test_->message("run_message").contains(QLatin1String("product_keys")));
        QVERIFY(!step->isVisible());
    }

    void a_class_has_the_whole_of_a_message_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::newRow("of an old projector") << 1024 << 768;
        QTest::newRow("of a wider one") << 1280 << 800;
    }
    void a_class_has_the_whole_of_a_message() {
        QFETCH(const int, width);
        QFETCH(const int, height);
        test_->window().resize(width, height);
        test_->document().reset(eight_heads_of_three_numbers(FigureTheme::projector));
        QTRY_VERIFY(test_->find("run_message")->isVisible());
        QVERIFY(test_->find("arithmetic")->isAncestorOf(test_->find("run_message")));
        const auto* label = test_->find("run_message")->findChild<QLabel*>();
        QTRY_VERIFY(label->heightForWidth(label->width()) <= label->height());
        QVERIFY(!test_->find("run_message_whole")->isVisible());
        QVERIFY(QFontInfo(label->font()).pixelSize() >= QFontInfo(QApplication::font()).pixelSize());
        // A short one has the letters of the class.
        emit test_->window().files().notice(QStringLiteral("Saved."));
        const auto* said = test_->find("notice")->findChild<QLabel*>();
        QTRY_VERIFY(said->isVisible());
        QCOMPARE(QFontInfo(said->font()).pixelSize(), QFontInfo(test_->find("notice")->font()).pixelSize());
        QVERIFY(QFontInfo(said->font()).pixelSize() >= 18);
    }

private:
    static Session eight_heads_of_three_numbers(FigureTheme theme) {
        Session session = small_session("scaled_dot_product");
        session.sequence.query_text = "king queen bread";
        session.sequence.vectors.dimension = 3;
        session.view.theme = theme;
        AttentionSpec spec;
        spec.projections.type = ProjectionType::learned;
        spec.heads = {.type = HeadsType::multi, .heads = 8};
        adopt(session, {"Eight", std::move(spec)});
        return session;
    }

    /// By name, what can be pressed in the player's line and lies under `place`.
    QString covered_controls(const QRect& place) {
        QStringList names;
        for (const char* id :
             {"player-play", "player-last", "player-scrubber", "player-mode", "player-speed", "depth_sign"}) {
            const QWidget* control = test_->find(id);
            if (control->isVisible() && place_in_window(*control).intersects(place))
                names << QLatin1String(id);
        }
        return names.join(QChar(u' '));
    }

    /// By name, the messages that can be seen.
    QStringList shown_messages() {
        QStringList names;
        for (const char* id : {"file_message", "run_message", "notice", "font_hint", "scale_hint"})
            if (test_->find(id)->isVisible())
                names << QLatin1String(id);
        return names;
    }
};

QTEST_MAIN(WindowMessagesTest)

}  // namespace headlight::window_messages_test

#include "window_messages_test.moc"
