#pragma once

#include "tests/ui/window_support.h"
#include "ui/panels/theme.h"

#include <QAction>
#include <QPointer>
#include <QSettings>
#include <QUndoStack>
#include <QVariant>

namespace headlight {

/// What a test can leave in a window for the one that has it next, by what it is.
inline QVariantMap left_in(WindowUnderTest& test) {
    QVariantMap all{{QStringLiteral("session"), QString::fromStdString(write_session(test.session()))},
                    {QStringLiteral("edits"), test.document().history()->count()},
                    {QStringLiteral("docks"), test.window().saveState()},
                    {QStringLiteral("geometry"), test.window().geometry()},
                    {QStringLiteral("font"), QApplication::font()},
                    {QStringLiteral("colours"), QApplication::palette()}};
    const QSettings kept(test.file(QStringLiteral("window.ini")), QSettings::IniFormat);
    for (const QString& key : kept.allKeys())
        all[QStringLiteral("kept/") + key] = kept.value(key);
    for (const Banner* banner : test.window().findChildren<Banner*>())
        if (banner->isVisible())
            all[QStringLiteral("said/") + banner->objectName()] = banner->text();
    for (const QAction* action : test.window().findChildren<QAction*>())
        if (action->isChecked() && !action->objectName().isEmpty())
            all[QStringLiteral("checked/") + action->objectName()] = true;
    for (const QWidget* open : QApplication::topLevelWidgets())
        if (open->isVisible())
            all[QStringLiteral("open/") + open->objectName()] = true;
    if (const QWidget* focus = QApplication::focusWidget())
        all[QStringLiteral("focus")] = focus->objectName() + QLatin1String(focus->metaObject()->className());
    return all;
}

/// The window of a test, made when the test first asks for it: many rows need none.
class WindowWhenAsked {
public:
    WindowUnderTest* operator->() const { return &made(); }
    WindowUnderTest& operator*() const { return made(); }

    /// Closes it, where it was made; who asks again gets another.
    void reset(WindowUnderTest::Beginning beginning = WindowUnderTest::Beginning::panels) {
        window_.reset();
        beginning_ = beginning;
    }

    /// From its beginning on it may be shared: what it is like is remembered.
    void share() {
        made();
        first_focus_ = QApplication::focusWidget();
        open_again();
        first_ = left_in(*window_);
    }
    /// False where something is not as it began once the worked example is opened again and what had the keys
    /// has them.
    bool goes_back() {
        open_again();
        return left_in(*window_) == first_;
    }

private:
    void open_again() {
        window_->document().reset(example_session());
        HEADLIGHT_WAIT_FOR(!window_->document().is_running(), patience)
        if (first_focus_)
            first_focus_->setFocus();
        else if (QWidget* focus = QApplication::focusWidget())
            focus->clearFocus();
        QTest::qWait(1);
    }

    WindowUnderTest& made() const {
        if (!window_)
            window_ = std::make_unique<WindowUnderTest>(beginning_);
        return *window_;
    }

    mutable std::unique_ptr<WindowUnderTest> window_;
    WindowUnderTest::Beginning beginning_ = WindowUnderTest::Beginning::panels;
    QPointer<QWidget> first_focus_;
    QVariantMap first_;
};

/// Tests that begin each with a window of their own. Rows of one test may share it where what they leave is
/// gone once the worked example is opened again; after a row that leaves more the next has another window.
class WindowedTest : public QObject {
    Q_OBJECT
protected slots:
    void init() {
        if (is_shared_ && shared_by_ == QTest::currentTestFunction())
            return fail_on_warnings();
        begin(WindowUnderTest::Beginning::panels);
        is_shared_ = shared_by_ == QTest::currentTestFunction();
        if (is_shared_)
            test_.share();
    }
    void cleanup() {
        is_shared_ = is_shared_ && !QTest::currentTestFailed() && test_.goes_back();
        if (!is_shared_)
            test_.reset();
    }

protected:
    /// In place of init(), for those that begin with a first start.
    void init_first_start() { begin(WindowUnderTest::Beginning::first_start); }
    /// For the function that adds the rows of a test.
    void share_over_rows() { shared_by_ = QTest::currentTestFunction(); }

    WindowWhenAsked test_;

private:
    void begin(WindowUnderTest::Beginning beginning) {
        fail_on_warnings();
        apply_theme(FigureTheme::light);  // as a window does that is made: a row without one has the same
        test_.reset(beginning);
    }

    QByteArray shared_by_;    ///< the test whose rows share a window
    bool is_shared_ = false;  ///< the window that is there
};

}  // namespace headlight
