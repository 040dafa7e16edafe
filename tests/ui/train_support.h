#pragma once

// A window in which a test trains models as a person does.

#include "tests/ui/window_support.h"
#include "ui/models/training_list.h"
#include "ui/panels/film_panel.h"
#include "ui/panels/train_action.h"
#include "ui/panels/train_window.h"
#include "ui/panels/training_curves.h"
#include "ui/panels/training_form.h"
#include "ui/views/chart_plot.h"
#include "ui/views/film_view.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>

#include <memory>

namespace headlight {

/// So many steps that a test is over long before.
constexpr int without_end = 100'000;

class TrainingUnderTest : public WindowUnderTest {
public:
    TrainWindow& train() { return *window().findChild<TrainAction*>()->window(); }
    QPushButton* button(const char* id) { return find<QPushButton>(id); }
    void click(const char* id) { QTest::mouseClick(button(id), Qt::LeftButton); }
    void open() {
        trigger("train_model");
        QVERIFY(QTest::qWaitForWindowExposed(&train(), patience));
    }

    /// Chooses the row of that text, or of that name, as a person does; of a beginning, if asked.
    void choose(const char* id, const QString& text, bool is_beginning = false) {
        if (!window().findChild<TrainAction*>()->window())
            open();
        auto* list = find<QComboBox>(id);
        const auto row = [&] {
            const int shown = list->findText(text, is_beginning ? Qt::MatchStartsWith : Qt::MatchExactly);
            return shown >= 0 ? shown : list->findData(text);
        };
        QTRY_VERIFY(row() >= 0);
        list->setCurrentIndex(row());
        emit list->activated(list->currentIndex());
        QTRY_VERIFY(find<QComboBox>("train_attention")->currentData().isValid());
    }
    void set_size(int width, int steps) {
        find<QSpinBox>("train_width")->setValue(width);
        find<QSpinBox>("train_steps")->setValue(steps);
    }
    void choose_small(const char* task, int steps) {
        if (!window().findChild<TrainAction*>()->window())
            open();
        auto* tasks = find<QComboBox>("train_task");
        tasks->setCurrentIndex(tasks->findData(QLatin1String(task)));
        emit tasks->activated(tasks->currentIndex());
        QTRY_VERIFY(train().form().plan());
        set_size(16, steps);
    }
    void begin() {
        QTRY_VERIFY(button("train_start")->isEnabled());
        click("train_start");
        QVERIFY(train().current());
    }
    /// Presses Pause as soon as the model is known to have taken so many steps. A small model takes up to two
    /// hundred until it first says so, so a test that pauses needs four hundred to be sure of the middle.
    void pause_after(Index steps) {
        TrainingRun& run = *train().current();
        const auto connection = QObject::connect(&run, &TrainingRun::progressed, &run, [this, &run, steps] {
            if (run.summary().steps >= steps && !run.is_ending())
                click("train_pause");
        });
        QTRY_COMPARE(run.state(), TrainingRun::State::paused);
        QObject::disconnect(connection);
    }
    /// Waits longer than for anything else: training runs at a low priority, below whatever runs beside.
    /// One that reaches its goal before is asked to go on.
    void finish() {
        const auto goes_on = [this] {
            TrainingRun& run = *train().current();
            if (run.state() == TrainingRun::State::paused && run.has_reached_goal())
                run.resume();
            return run.state() == TrainingRun::State::finished && !run.is_measuring();
        };
        QTRY_VERIFY_WITH_TIMEOUT(goes_on(), 3 * patience);
    }
    void type(const char* id, const QString& text) {
        auto* field = find<QLineEdit>(id);
        field->selectAll();
        QTest::keyClicks(field, text);
    }
};

/// Tests that begin each with a window of their own, in which models learn.
class TrainingTest : public QObject {
    Q_OBJECT
protected slots:
    void init() {
        fail_on_warnings();
        test_ = std::make_unique<TrainingUnderTest>();
    }
    void cleanup() { test_.reset(); }

protected:
    std::unique_ptr<TrainingUnderTest> test_;
};

}  // namespace headlight
