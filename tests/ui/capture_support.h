#pragma once

#include "tests/ui/windowed_test.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFile>
#include <QMenu>
#include <QTableView>
#include <QTimer>

namespace headlight {

/// A window that opens captures, and what its tests do with them.
class CaptureTest : public WindowedTest {
protected:
    QTableView* show_statistics() {
        ViewState there = test_->document().view();
        there.view = ViewKind::statistics;
        test_->document().looking().look_at(there);
        return test_->find<QTableView>("head_table");
    }
    /// What an entry of a cell's menu puts on the clipboard.
    QString copied(const char* entry, Index row, Index column) {
        auto* canvas = test_->window().views().currentWidget()->findChild<FigureCanvas*>();
        const QPoint at = canvas->cell_rect(0, row, column).center().toPoint();
        QTimer::singleShot(0, canvas, [canvas, entry] {
            auto* menu = canvas->findChild<QMenu*>();
            QVERIFY(menu);
            auto* action = menu->findChild<QAction*>(QLatin1String(entry));
            if (action)
                action->trigger();
            menu->close();
            QVERIFY2(action, entry);
        });
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, canvas->mapToGlobal(at));
        QApplication::sendEvent(canvas, &event);
        return QGuiApplication::clipboard()->text();
    }
    bool is_open() {
        const auto run = test_->document().run();
        return run && !run->plan && run->session->capture == test_->session().capture;
    }
    /// With its notes, to where the tests of this window have their files.
    void copy(const QString& name) {
        const QString folder = QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/support/captures/");
        QString notes = name;
        notes.replace(QLatin1String(".npz"), QLatin1String(".json"));
        for (const QString& each : {name, notes})
            QVERIFY(QFile::copy(folder + each, test_->file(each)));
    }
    void open(const QString& name) {
        copy(name);
        drop(test_->window(), test_->file(name));
        QTRY_VERIFY(is_open());
    }
};

}  // namespace headlight
