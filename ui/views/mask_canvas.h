#pragma once

#include "core/analysis/receptive_field.h"
#include "core/attention/inputs.h"
#include "ui/views/canvas_accessibility.h"
#include "ui/views/canvas_shell.h"

#include <QImage>

#include <memory>
#include <optional>
#include <utility>

namespace headlight {

class MaskDrawing;

/// What the cells of a mask are painted with.
QColor allowed_colour(const QPalette& palette);
QColor forbidden_colour(const QPalette& palette);
/// Returns the colour of a pair that is forbidden, but reached through so many layers: the more, the paler.
QColor reached_colour(const QPalette& palette, Index layers);

/// The query x key matrix of a mask, to draw on with its MaskTool. A screen reader walks through it as
/// through a table of cells that are on or off.
class MaskCanvas : public CanvasShell, public AccessiblePicture {
    Q_OBJECT
public:
    MaskCanvas(MaskDrawing& drawing, TokenLabels labels, QWidget* parent = nullptr);

    void set_brush(bool allows) { brush_ = allows; }
    /// The brush allows what it is drawn over.
    bool brush() const { return brush_; }
    MaskDrawing& drawing() const { return drawing_; }
    /// Shades what is reached through so many layers; null: nothing.
    void show_field(std::shared_ptr<const ReceptiveField> field, Index layers);

    /// Where a cell is on the widget.
    QRectF cell_rect(Index query, Index key) const;
    /// Where a row's name is.
    QPoint row_handle(Index query) const;
    /// x = key, y = query; -1 in a heading, -2 outside.
    QPoint cell_at(QPointF point) const;
    static bool is_cell(QPoint cell) { return cell.x() >= 0 && cell.y() >= 0; }
    /// Where the keyboard is.
    QPoint cursor() const { return cursor_; }
    /// Says nothing of the cell that it comes to.
    void set_cursor(QPoint cell) { cursor_ = cell; }
    void describe_cell(QPoint cell);

    QString accessible_description() const override;
    Index table_count() const override { return 1; }
    std::optional<AccessibleTable> table(Index panel) const override;
    QString table_name(Index) const override { return tr("Mask"); }
    QString row_name(Index panel, Index row) const override;
    QString column_name(Index panel, Index column) const override;
    /// 1 where the query may look at the key, else 0.
    std::optional<double> current_number() const override;
    std::pair<double, double> current_range() const override { return {0, 1}; }
    std::optional<Cell> current_cell() const override;
    QString sentence_of(const Cell& cell) const override;
    QRectF area_of(const Cell& cell) const override { return cell_rect(cell.row, cell.column); }
    QRectF panel_area(Index panel) const override;
    void choose_cell(const Cell& cell) override;
    std::optional<bool> is_on(const Cell& cell) const override;
    void toggle_cell(const Cell& cell) override;

    QSize sizeHint() const override { return {560, 560}; }
    QSize minimumSizeHint() const override { return {280, 280}; }

signals:
    /// About the cell under the pointer or the cursor; empty when there is none.
    void described(const QString& sentence);

protected:
    void paintEvent(QPaintEvent* event) override;
    void hover(QPointF point) override { describe_cell(cell_at(point)); }
    void restyle() override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// Where the matrix lies, and how large a cell is.
    struct Place {
        QPointF origin;
        double cell = 1;
    };
    Place matrix_place() const;
    /// Room for the axis' title and the names, left of the matrix and above it.
    int heading() const;
    int axis_title() const;
    static Cell accessible_cell(QPoint cell) { return {0, cell.y(), cell.x()}; }
    void colour(QRect cells);
    QString name(const std::vector<std::string>& labels, int place) const;
    /// Shows the cell that the keyboard has come to.
    void show_cursor();
    void paint_axis_titles(QPainter& painter, const QRectF& matrix) const;
    void paint_headings(QPainter& painter, const Place& place) const;

    MaskDrawing& drawing_;
    TokenLabels labels_;
    QImage image_;  ///< a pixel for each cell
    std::shared_ptr<const ReceptiveField> field_;
    Index layers_ = 0;
    bool brush_ = false;
    QPoint cursor_;
    QPoint described_{-1, -1};  ///< the cell that was spoken of last
};

}  // namespace headlight
