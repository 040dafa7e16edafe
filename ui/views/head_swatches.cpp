#include "ui/views/head_swatches.h"

#include "core/workbench/figure_edits.h"
#include "ui/models/document.h"
#include "ui/render/head_lines.h"
#include "ui/views/describe.h"
#include "ui/views/flow_layout.h"
#include "ui/views/role.h"

#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

/// As in the legend of the picture; of a head that is not drawn an empty frame.
QIcon swatch_icon(const QWidget& widget, const std::optional<HeadLook>& look) {
    constexpr QSize size(20, 8);
    const qreal ratio = widget.devicePixelRatioF();
    QPixmap pixmap(size * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    const QRectF area(QPoint(), size);
    if (look) {
        painter.setPen(line_pen(*look, 0.3 * area.height()));
        painter.drawLine(QPointF(0, area.center().y()), QPointF(area.right(), area.center().y()));
    } else {
        painter.setPen(widget.palette().color(QPalette::PlaceholderText));
        painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    return pixmap;
}

}  // namespace

HeadSwatches::HeadSwatches(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
    setAccessibleName(tr("Heads"));
    constexpr int gap = 4;
    auto* layout = new FlowLayout(gap, this);
    layout->setContentsMargins(8, 2, 8, 2);
    auto* title = new QLabel(tr("Heads"));
    title->setObjectName(QStringLiteral("lines_heads"));
    make_note(*title);
    layout->addWidget(title);
}

void HeadSwatches::add_switch() {
    const auto head = std::ssize(switches_);
    auto* button = new QToolButton(this);
    describe(button, QStringLiteral("lines_head_%1").arg(head + 1), tr("Head %1").arg(head + 1),
             tr("Draws the lines of head %1, in a colour of its own").arg(head + 1));
    button->setText(QString::number(head + 1));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setIconSize({20, 8});
    button->setCheckable(true);
    give_role(*button, Role::option);
    layout()->addWidget(button);
    connect(button, &QToolButton::clicked, this, [this, head](bool on) { turn(head, on); });
    switches_.push_back(button);
}

void HeadSwatches::show_heads(const Figure& figure) {
    Shown now{figure.of_heads, {}, figure.theme};
    for (const Panel& panel : figure.panels)
        now.drawn.push_back(panel.head);
    setVisible(now.of_heads > 1);
    if (now == shown_)  // as often as the pointer meets a token
        return;
    shown_ = std::move(now);
    while (std::ssize(switches_) < shown_.of_heads)
        add_switch();
    const FigureStyle& style = figure_style(shown_.theme);
    std::vector<HeadLook> looks = head_looks(shown_.drawn.size(), style.background);
    if (looks.size() == 1)
        looks.front() = {style.accent};
    for (Index head = 0; head < std::ssize(switches_); ++head) {
        const auto place = std::ranges::find(shown_.drawn, head);
        const bool is_drawn = place != shown_.drawn.end();
        show_switch(head, is_drawn
                              ? std::optional(looks[static_cast<std::size_t>(place - shown_.drawn.begin())])
                              : std::nullopt);
    }
}

void HeadSwatches::show_switch(Index head, const std::optional<HeadLook>& look) {
    QToolButton& button = *switches_[static_cast<std::size_t>(head)];
    button.setVisible(head < shown_.of_heads);
    button.setChecked(look.has_value());
    button.setIcon(swatch_icon(*this, look));
}

void HeadSwatches::turn(Index head, bool on) {
    std::vector<Index> heads = shown_.drawn;
    if (on)
        heads.push_back(head);
    else
        std::erase(heads, head);
    if (heads.empty()) {
        switches_[static_cast<std::size_t>(head)]->setChecked(true);
        return;
    }
    std::ranges::sort(heads);
    document_.edit(draw_heads(document_.session(), heads));
    if (heads.size() > 1)
        return;
    Selection selection = document_.view().selection;
    selection.head = heads.front();
    document_.looking().select(selection);
}

}  // namespace headlight
