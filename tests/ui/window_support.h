#pragma once

#include "tests/ui/views_support.h"
#include "ui/panels/banner.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/main_window.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTemporaryDir>
#include <QTimer>

#include <memory>

namespace headlight {

/// Pixels that a drop-down list has for the text of its entry.
inline int room_for_text(const QComboBox& list) {
    QStyleOptionComboBox option;
    option.initFrom(&list);
    return list.style()
        ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &list)
        .width();
}

/// A window with places of its own, shown, on a small session; closed or killed as a test likes.
class WindowUnderTest {
public:
    /// With its panels, or as the first start shows it.
    enum class Beginning { panels, first_start };
    explicit WindowUnderTest(Beginning shown = Beginning::panels) {
        shown == Beginning::first_start ? make_and_show() : start();
    }

    MainWindow& window() { return *window_; }
    Document& document() { return window_->document(); }
    const Session& session() { return document().session(); }
    QString file(const QString& name) const { return folder_.filePath(name); }

    /// The control with that object name.
    template <class Control = QWidget>
    Control* find(const char* id) {
        return window_->findChild<Control*>(QLatin1String(id));
    }
    void trigger(const char* id) { find<QAction>(id)->trigger(); }
    QString message(const char* banner) { return find<Banner>(banner)->text(); }

    /// Answers the question of that name when it is asked.
    void answer(const char* id, const QString& with) {
        QTimer::singleShot(0, &window(), [id, with] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box);
            QCOMPARE(box->objectName(), QLatin1String(id));
            for (QAbstractButton* each : box->buttons())
                if (each->text() == with)
                    return each->click();
            box->reject();
            QFAIL(qPrintable(with));
        });
    }

    /// The name that *Save* proposes; nothing is saved.
    QString proposed_name() {
        QString proposed;
        QTimer::singleShot(0, &window(), [&proposed] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            proposed = dialog->selectedFiles().value(0);
            dialog->reject();
        });
        trigger("file_save");
        return proposed;
    }

    void start() {
        window_.reset();
        make();
        window_->setUpdatesEnabled(false);  // what is put away at once need not be painted
        expose();
        if (find("begin_close")->isVisible())
            return begin();
        window_->setUpdatesEnabled(true);
        QTest::qWait(1);
    }
    /// As a person who has gone from the first start to the worked example.
    void begin() {
        QTest::mouseClick(find("begin_close"), Qt::LeftButton);
        document().reset(example_session());
        QTRY_VERIFY(find("sequence_dock")->isVisible());
        window_->setUpdatesEnabled(true);
        QTest::qWait(1);  // docks that come back sort out which is in front
    }
    /// Once the whole of it can be seen: what has just appeared is not laid out yet.
    void click(const char* button) {
        const QWidget* clicked = find(button);
        QTRY_VERIFY2(clicked->visibleRegion().boundingRect() == clicked->rect(), button);
        QTest::mouseClick(find(button), Qt::LeftButton);
    }
    /// Closed, with everything forgotten that it had kept, and begun anew.
    void start_for_the_first_time() {
        window_.reset();
        QDir(folder_.path()).removeRecursively();
        QDir().mkpath(folder_.path());
        make_and_show();
    }
    /// File > New, which puts aside first what is not saved.
    void begin_anew() {
        trigger("file_new");
        QTRY_VERIFY(!window_->isWindowModified() && window_->files().file().isEmpty());
    }
    /// As the person does it.
    void close() { window_->close(); }
    /// As the power cut does it.
    void kill() { window_.reset(); }

private:
    void make() {
        window_ = std::make_unique<MainWindow>(
            WindowPlaces{file(QStringLiteral("window.ini")), file(QStringLiteral("work")).toStdString()});
        window_->resize(1280, 800);
    }
    void make_and_show() {
        make();
        expose();
    }
    void expose() {
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get(), patience));
    }

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;
};

/// As its entry in the menu does.
inline void begin_lesson(WindowUnderTest& test, int at) {
    auto* lessons = test.find<QMenu>("lesson_menu");
    emit lessons->aboutToShow();  // fills it
    lessons->actions().at(at)->trigger();
}

inline void begin_first_lesson(WindowUnderTest& test) { begin_lesson(test, 0); }

/// Drops a file, as a file manager does it.
inline void drop(QWidget& on, const QString& path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&on, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&on, &drop);
}

/// Types the name into the file dialog that is open, in that folder, and accepts it.
inline void accept_file(const QString& path) {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    QVERIFY(dialog);
    dialog->setDirectory(QFileInfo(path).path());
    dialog->findChild<QLineEdit*>()->setText(QFileInfo(path).fileName());
    QMetaObject::invokeMethod(dialog, "accept");
}

/// The folder in which the file dialog begins that `ask` opens.
template <class Ask>
QString first_folder(QWidget& window, const Ask& ask) {
    QString folder;
    QTimer::singleShot(0, &window, [&folder] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog);
        folder = dialog->directory().path();
        dialog->reject();
    });
    ask();
    return folder;
}

/// Chooses all of a text field's text and types over it.
inline void type_over(QWidget* field, const QString& text) {
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, text);
}

}  // namespace headlight
