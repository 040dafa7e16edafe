#pragma once

#include "core/figure/catalogue_figures.h"
#include "core/figure/catalogue_walk.h"
#include "ui/render/catalogue_heads.h"
#include "ui/render/painter.h"
#include "ui/views/canvas_accessibility.h"

#include <QAbstractScrollArea>
#include <QPixmap>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headlight {

/// A picture of the catalogue, which is larger than its room: it is scrolled and dragged, and zoomed by the
/// wheel, + and −; years and families stay in sight. A click on a name, or the arrow keys and Enter, choose
/// its mechanism. Paints through the figure painter alone; what it adds is where the keyboard is, and what is
/// looked for.
class CatalogueView : public QAbstractScrollArea, public AccessiblePicture {
    Q_OBJECT
public:
    explicit CatalogueView(const CataloguePicture& picture, QWidget* parent = nullptr);

    void set_theme(FigureTheme theme);
    /// Goes to that mechanism, which then stands in the middle where it was out of sight; stays where it is
    /// without one.
    void show_mechanism(const std::string& id);
    /// These mechanisms are looked for, the likeliest first, and shown: the others become faint. None are
    /// where nothing is like that, all where nothing is looked for.
    void look_for(const std::optional<std::vector<std::string>>& ids);
    /// Goes to the next one that is looked for, behind the last one to the first.
    void show_next_found();
    bool is_faint(Index name) const;

    const headlight::Panel& picture() const { return figure_.panels.front(); }
    Index current_name() const { return current_; }
    /// Where a name is on the viewport, also out of sight.
    QRectF name_rect(Index name) const;
    std::optional<Index> name_at(QPointF point) const;

    double zoom() const { return zoom_; }
    void zoom_by(double factor, QPointF around);
    /// Around the name that the keyboard is at.
    void zoom_in();
    void zoom_out();
    void show_all();

    QString accessible_description() const override;
    Index table_count() const override { return std::ssize(lists_); }
    std::optional<AccessibleTable> table(Index panel) const override;
    QString table_name(Index panel) const override;
    std::optional<double> current_number() const override;
    std::pair<double, double> current_range() const override;
    std::optional<Cell> current_cell() const override;
    QString sentence_of(const Cell& cell) const override;
    QRectF area_of(const Cell& cell) const override;
    QRectF panel_area(Index) const override { return viewport()->geometry(); }
    void choose_cell(const Cell& cell) override;

    QSize sizeHint() const override { return {960, 600}; }
    QSize minimumSizeHint() const override { return {320, 200}; }

signals:
    /// That mechanism was chosen.
    void chosen(const std::string& id);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent*) override;
    void focusOutEvent(QFocusEvent*) override { viewport()->update(); }

private:
    /// Names that a screen reader has as one list: a family, or all of a tree.
    struct NameList {
        QString title;
        Index first = 0, count = 0;
    };
    struct Placed {
        FigureLayout layout;
        std::vector<QRectF> names;
        CatalogueHeads heads;
    };
    /// Painted names, under the mark that moves: of what is seen and a way around it.
    struct Kept {
        QPixmap pixels;
        QRect area;  ///< of the scrolled picture; empty when it is out of date
    };
    struct Drag {
        QPointF start, last;
        bool moved = false;
    };

    void list_names();
    double unit() const;
    QSizeF whole() const;
    /// Where the picture begins on the viewport.
    QPointF origin() const;
    /// How far it is scrolled.
    QPoint scrolled() const;
    /// Made when it is first needed: a picture that nobody looks at costs nothing.
    const Placed& placed() const;
    void lay_out();
    void paint_names(QPainter& painter);
    void paint_faintness(QPainter& painter);
    void paint_current(QPainter& painter);
    void fit_scroll_bars();
    void zoom_to(double zoom, QPointF around);
    double zoom_that_shows_all() const;
    void scroll_by(QPointF way);
    /// The viewport without what stays in sight.
    QRectF room_of_names() const;
    void reveal(Index name);
    /// Brings it to the middle unless it is in sight.
    void centre(Index name);
    void go_to(Index name);
    /// The same for what may be far away.
    void jump_to(Index name);
    void choose(Index name);
    Index name_of(const Cell& cell) const {
        return lists_[static_cast<std::size_t>(cell.panel)].first + cell.row;
    }

    Figure figure_;
    std::vector<NameList> lists_;
    mutable std::optional<QSizeF> natural_;  ///< in points
    mutable std::optional<Placed> placed_;
    Kept kept_;
    double zoom_ = 1;
    Index current_ = 0;                           ///< where the keyboard is
    std::optional<std::set<std::string>> found_;  ///< ids; nothing where nothing is looked for
    std::optional<Drag> drag_;
};

}  // namespace headlight
