#include "ui/views/minimap_tool.h"

#include "ui/models/looking.h"
#include "ui/views/minimap.h"

#include <QMouseEvent>

namespace headlight {

CanvasTool::Takes MinimapTool::press(const QMouseEvent& event) {
    if (!minimap_.contains(event.position()))
        return Takes::nothing;
    drag(event.position());
    return Takes::everything;
}

void MinimapTool::drag(QPointF to) { looking_.zoom_to(minimap_.moved_to(to).part()); }

}  // namespace headlight
