#include "ui/render/label_plan.h"
#include "ui/views/canvas_accessibility.h"
#include "ui/views/cell_text.h"

#include <QCoreApplication>

#include <cmath>
#include <limits>

namespace headlight {
namespace {

struct FigureWords {
    Q_DECLARE_TR_FUNCTIONS(FigureWords)
};

bool is_list(const Panel& panel) { return panel.kind == Panel::Kind::points || panel.flow; }
Index rows_of(const Panel& panel) {
    return panel.kind == Panel::Kind::points ? std::ssize(panel.marks->heads) : panel.rows;
}
Index columns_of(const Panel& panel) { return is_list(panel) ? 1 : panel.columns; }

/// "“bank”" of tokens, "feature 3" of what has only numbers.
QString label_in_words(const AxisLabels& axis, Index at) {
    if (at < std::ssize(axis.labels))
        return quoted_token(axis.labels[static_cast<std::size_t>(at)]);
    return QStringLiteral("%1 %2")
        .arg(QString::fromStdString(axis.title))
        .arg(label_number(axis, at))
        .trimmed();
}

QString head_in_words(const Panel& panel, std::size_t mark) {
    const HeadMarks& marks = *panel.marks;
    QString words = QString::fromStdString(marks.heads[mark].name);
    if (words.isEmpty())
        return {};
    const auto add = [&](const QString& what, double number) {
        if (std::isfinite(number))
            words += QStringLiteral(", %1 %2")
                         .arg(what, readable_number(number))
                         .replace(QStringLiteral(",  "), QStringLiteral(", "));
    };
    if (is_list(panel)) {
        add(QString::fromStdString(panel.column_axis.title), marks.x[mark]);
        add(QString::fromStdString(panel.row_axis.title), marks.y[mark]);
    }
    if (mark < static_cast<std::size_t>(panel.values.size()))
        add(QString(), panel.values[mark]);
    return words;
}

}  // namespace

const Panel& AccessibleFigure::accessible_panel(Index panel) const {
    return figure()->panels[static_cast<std::size_t>(panel)];
}

QString AccessibleFigure::accessible_description() const {
    const Figure* const now = figure();
    return now ? QString::fromStdString(now->description) : notice();
}

Index AccessibleFigure::table_count() const {
    const Figure* const now = figure();
    return now ? std::ssize(now->panels) : 0;
}

std::optional<AccessibleTable> AccessibleFigure::table(Index panel) const {
    if (panel >= table_count() || accessible_panel(panel).thumbnail || accessible_panel(panel).blank)
        return std::nullopt;
    const Panel& shown = accessible_panel(panel);
    return AccessibleTable{is_list(shown) ? AccessibleTable::Kind::list : AccessibleTable::Kind::table,
                           rows_of(shown), columns_of(shown)};
}

QString AccessibleFigure::table_name(Index panel) const {
    return QString::fromStdString(own_title(accessible_panel(panel)));
}

QString AccessibleFigure::table_description(Index panel) const {
    return QString::fromStdString(accessible_panel(panel).subtitle);
}

QString AccessibleFigure::row_name(Index panel, Index row) const {
    return label_text(accessible_panel(panel).row_axis, row);
}

QString AccessibleFigure::column_name(Index panel, Index column) const {
    return label_text(accessible_panel(panel).column_axis, column);
}

std::pair<double, double> AccessibleFigure::current_range() const {
    const ColourScale scale = current_scale();
    return {scale.low, scale.high};
}

QString cell_in_words(const Panel& panel, Index row, Index column) {
    if (panel.flow)
        return QString::fromStdString(node_in_words(*panel.flow, row));
    if (panel.marks)
        return head_in_words(panel, static_cast<std::size_t>(row * columns_of(panel) + column));
    const QString down = panel.kind == Panel::Kind::text
                             ? QString::fromStdString(panel.row_axis.labels[static_cast<std::size_t>(row)])
                             : label_in_words(panel.row_axis, row);
    const QString place = QStringLiteral("%1, %2").arg(label_in_words(panel.column_axis, column), down);
    const Index at = row * panel.columns + column;
    const double number = at < std::ssize(panel.values) ? panel.values[static_cast<std::size_t>(at)]
                                                        : std::numeric_limits<double>::quiet_NaN();
    return std::isnan(number) ? place : FigureWords::tr("%1: %2").arg(place, readable_number(number));
}

}  // namespace headlight
