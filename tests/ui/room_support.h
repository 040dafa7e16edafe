#pragma once

#include "tests/ui/windowed_test.h"
#include "ui/panels/message_area.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"

#include <QRect>
#include <QString>
#include <QTest>

#include <map>

namespace headlight {

/// Where everything on screen lies, by name: what a person would see move.
inline std::map<QString, QRect> places(const QWidget& window) {
    std::map<QString, QRect> all;
    const auto* messages = window.findChild<MessageArea*>();
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        const bool is_message = messages->isAncestorOf(widget);
        if (widget->isVisible() && !widget->objectName().isEmpty() && !is_message)
            all[widget->objectName()] = QRect(widget->mapTo(&window, QPoint()), widget->size());
    }
    return all;
}

/// What lies elsewhere than before, has come or has gone; empty when nothing has.
inline QString moved(const std::map<QString, QRect>& before, const QWidget& window) {
    const std::map<QString, QRect> now = places(window);
    QStringList names;
    for (const auto& [name, place] : before)
        if (const auto found = now.find(name); found == now.end() || found->second != place)
            names << name;
    for (const auto& [name, place] : now)
        if (!before.contains(name))
            names << name;
    return names.join(QChar(u' '));
}

/// A window of a small screen on few words, and where its parts lie.
class RoomTest : public WindowedTest {
    Q_OBJECT
protected slots:
    void init() {
        WindowedTest::init();
        test_->document().reset(small_session());
        small_screen();
    }

protected:
    FigureCanvas& canvas() { return *test_->window().views().currentWidget()->findChild<FigureCanvas*>(); }
    void small_screen() {
        test_->window().resize(1280, 720);
        settle();
    }
    /// Waits until layouts have come to rest.
    void settle() {
        QTest::qWait(1);  // what is laid out at once is not waited for twice
        std::map<QString, QRect> before;
        do {
            before = places(test_->window());
            QTest::qWait(40);
        } while (before != places(test_->window()));
    }
    QRect place_in_window(const QWidget& part) {
        return {part.mapTo(&test_->window(), QPoint()), part.size()};
    }
    QRect place_of_picture() {
        const QWidget* picture = test_->window().views().picture();
        return place_in_window(picture->isVisible() ? *picture : test_->window().views());
    }
    void point_at_a_cell() {
        const QPoint cell = canvas().cell_rect(canvas().figure()->panels.size() - 1, 2, 1).center().toPoint();
        QTest::mouseMove(&canvas(), cell + QPoint(1, 1));
        QTest::mouseMove(&canvas(), cell);
    }
};

}  // namespace headlight
