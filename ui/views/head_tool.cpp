#include "ui/views/head_tool.h"

#include "ui/views/heads_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace headlight {

bool HeadTool::click(const QMouseEvent& event) {
    const auto mark = canvas_.mark_under(event.position());
    if (mark)
        canvas_.select(*mark);
    return mark.has_value();
}

bool HeadTool::key(const QKeyEvent& event) {
    switch (event.key()) {
    case Qt::Key_Left:
        go({-1, 0});
        return true;
    case Qt::Key_Right:
        go({1, 0});
        return true;
    case Qt::Key_Up:
        go({0, -1});
        return true;
    case Qt::Key_Down:
        go({0, 1});
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const auto mark = canvas_.selected_mark()) {
            canvas_.show_map(*mark);
            return true;
        }
        return false;
    default:
        return false;
    }
}

void HeadTool::go(QPointF direction) {
    if (const auto mark = canvas_.neighbour(direction))
        canvas_.select(*mark);
}

}  // namespace headlight
