#pragma once

#include "ui/render/cell_image.h"
#include "ui/render/figure_style.h"
#include "ui/render/painter.h"
#include "ui/render/typeface.h"

#include <QImage>
#include <QPainter>

#include <functional>
#include <vector>

namespace headlight {

class TreePlan;
struct TextLevel;

/// How the cells of a matrix reach the device.
enum class CellDrawing {
    device_pixels,  ///< an image with no more pixels than the device has
    one_image,      ///< an image with every cell, in the map's own colours
    rectangles,     ///< every cell a rectangle
};

/// Text that is to be drawn with the painter's font, pen and direction.
struct PlacedText {
    QPointF baseline;  ///< its left end
    const QString& text;
    /// The share of its width that lies left of the point that stays where it is when another font makes the
    /// text wider: 0 at its left end, 0.5 in its middle, 1 at its right end.
    double share = 0;
    bool is_plain = false;  ///< numbers and words of ours, which any device draws as they are
};

/// What a picture's cells are made in, kept for the next picture by who draws one after another: memory of a
/// screen's size that is new for every frame takes longer to get than to fill.
struct CellMemory {
    CellCodes codes;
    std::vector<QRgb> pixels;
};

struct PaintOptions {
    CellDrawing cells = CellDrawing::device_pixels;
    bool background = true;
    int colour_steps = 256;  ///< of one_image and of the colour bar beside it
    /// Takes the image of one_image instead of the painter.
    std::function<void(QPainter&, const QRectF&, const QImage&)> draw_image = {};
    /// Takes text that the device would not draw as it is; false where the painter is to draw it.
    std::function<bool(QPainter&, const PlacedText&)> draw_text = {};
    /// Another program sets the text, in another font: the parts of a line would not meet.
    bool is_set_elsewhere = false;
    CellMemory* memory = nullptr;  ///< for device_pixels; null where nothing is kept between frames
};

void paint_figure(QPainter& painter, const Figure& figure, const FigureLayout& layout, double unit,
                  const PaintOptions& options);

/// What every part of the painter needs.
struct PaintContext {
    QPainter& painter;
    const Figure& figure;
    const FigureStyle& style;
    double unit;
    const PaintOptions& options;

    double scaled(double points) const { return points * unit; }
    double type(double points) const { return type_size(points, unit); }
    void set_type(double size, Face face, const QColor& colour, const QString& text = {}) const {
        painter.setFont(figure_font(size, face, text, style.family));
        painter.setPen(colour);
    }
    /// Text with the painter's font and pen, emoji included, and every character as it is.
    void draw_text(const PlacedText& placed) const;
    /// Numbers and words of ours alone.
    void draw_plain(QPointF baseline, const QString& text, double share = 0) const {
        draw_text({baseline, text, share, true});
    }
    /// Words of ours, which run from left to right whatever the tokens and names in them are.
    void draw_sentence(QPointF baseline, const QString& text, double share = 0) const;
    /// The same with their subscripts lowered, but for a text that is set elsewhere: titles and captions, in
    /// which tokens stand in quotes. Returns by how much that makes them narrower.
    double draw_words(QPointF baseline, const QString& text) const;
    /// The same, wrapped.
    void draw_words(const QRectF& area, const QString& text) const;
    /// One after another, those that are lowered smaller. Returns how wide they are.
    double draw_levels(QPointF baseline, const std::vector<TextLevel>& levels) const;
    void set_line(double width, const QColor& colour) const {
        painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
        painter.setBrush(Qt::NoBrush);
    }
};

/// `rectangle` with its edges on whole device pixels, where the painter draws on pixels: edges then are
/// crisp.
QRectF on_pixels(const QPainter& painter, const QRectF& rectangle);
/// Whether the painter draws on pixels.
bool draws_pixels(const QPainter& painter);

/// A line, and what lies along both of its sides in the ground's colour. Widths as the painter has them.
struct LineOnGround {
    double width, beside;
    QColor colour;
};
/// Dark beside light, which is seen on every colour where the line has FigureStyle::mark or that of text;
/// each at least a pixel wide and on whole ones, where there are pixels.
void frame_on_any_colour(const PaintContext& context, const QRectF& around, const LineOnGround& line);

void paint_panel_title(const PaintContext& context, const Panel& panel, const PanelLayout& place);
void paint_labels(const PaintContext& context, const Panel& panel, const PanelLayout& place);
void paint_cells(const PaintContext& context, const Panel& panel, const PanelLayout& place);
/// Writes at most as many cells.
using WriteCodesAtMost = std::function<void(Index rows, Index columns, CellCodes& cells)>;
/// `rows` by `columns` cells in an area, as one image.
void paint_codes(const PaintContext& context, const QRectF& area, const CellPalette& palette, Index rows,
                 Index columns, const WriteCodesAtMost& write_at_most);
void paint_lines(const PaintContext& context, const Panel& panel, const PanelLayout& place);
void paint_mosaic(const PaintContext& context, const Panel& panel, const PanelLayout& place);
void paint_points(const PaintContext& context, const Panel& panel, const PanelLayout& place);
void paint_text(const PaintContext& context, const Panel& panel, const PanelLayout& place);
/// The image under the cells of a panel, and the frame around the patch that is outlined.
void paint_overlay(const PaintContext& context, const Panel& panel, const QRectF& area);
void outline_patch(const PaintContext& context, const Panel& panel, const QRectF& area);
void paint_curves(const PaintContext& context, const Panel& panel, const PanelLayout& place);
void paint_tree(const PaintContext& context, const Panel& panel, const PanelLayout& place);
void paint_tree_node(const PaintContext& context, const TreePlan& plan, const Tree::Node& node,
                     const QRectF& box);
void paint_name_table(const PaintContext& context, const Panel& panel, const PanelLayout& place);
/// At the left of its area, in the middle of its height.
void write_name(const PaintContext& context, double size, const std::string& text, const QRectF& area,
                Face face, const QColor& colour);
void paint_flow(const PaintContext& context, const Panel& panel, const PanelLayout& place);
/// What is pointed out at a moment, over all panels, and the words under them.
void paint_motion(const PaintContext& context, const FigureLayout& layout, const MotionMoment& moment);
/// Arrows and texts on the cells, and a letter in their corner.
void paint_notes(const PaintContext& context, const Panel& panel, const PanelLayout& place);
/// What the colour bar of all panels shows the numbers of: a stage; nothing where several share it.
QString bar_title(const Figure& figure);
void paint_vertical_bar(const PaintContext& context, const ColourScale& scale, const QString& title,
                        const QRectF& bar);
/// `numbers`: the room of those below it.
void paint_horizontal_bar(const PaintContext& context, const ColourScale& scale, const QString& title,
                          const QRectF& bar, const QRectF& numbers);

}  // namespace headlight
