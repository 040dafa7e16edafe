#include "ui/views/beam_tree_view.h"

#include "core/figure/words.h"
#include "ui/models/counted_text.h"

#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

#include <algorithm>

namespace headlight {
namespace {

constexpr int margin = 10, column_gap = 26, row_gap = 5, padding = 7;

QFont bold(QFont font) {
    font.setBold(true);
    return font;
}

}  // namespace

BeamTreeView::BeamTreeView(QWidget* parent) : QAbstractScrollArea(parent) {
    make_canvases_accessible();
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(NoFrame);
    viewport()->setMouseTracking(true);
}

const TranscriptBeams* BeamTreeView::beams() const {
    return transcript_ && transcript_->beams ? &*transcript_->beams : nullptr;
}

void BeamTreeView::show_tree(std::shared_ptr<const Transcript> transcript, bool with_pruned) {
    const Index before = beams() ? beams()->followed : 0;
    const bool is_new = !beams();
    const bool is_other = transcript_ != transcript;
    transcript_ = std::move(transcript);
    layout_ = beams() ? BeamLayout(*beams(), with_pruned) : BeamLayout();
    list_items();
    lay_out();
    if (is_new && beams()) {
        // In the work of an earlier day somebody may have chosen one.
        is_walked_ = beams()->followed != beams()->tree.best;
        if (is_walked_)
            reveal(beams()->followed);
    }
    if (is_other)
        announce_figure(*this);
    if (is_new || !beams() || beams()->followed == before)
        return;
    is_walked_ = true;
    reveal(beams()->followed);
    announce_cell(*this);
}

void BeamTreeView::list_items() {
    items_.clear();
    for (const std::vector<Index>& column : layout_.columns())
        for (const Index node : column)
            if (node != 0 && layout_.row(node))
                items_.push_back(node);
    std::ranges::sort(items_, {},
                      [this](Index node) { return std::pair(*layout_.row(node), beam_node(node).length); });
}

// Where nodes are

QString BeamTreeView::word(Index node) const {
    if (node == 0)
        return tr("start");
    const std::string& word = beams()->words[static_cast<std::size_t>(node)];
    return word == "</s>" ? tr("end") : QString::fromStdString(visible_token(word));
}

QString BeamTreeView::number(Index node) const {
    return QString::fromStdString(log_probability_text(beam_node(node).log_probability));
}

void BeamTreeView::lay_out() {
    const QFontMetrics metrics(bold(font()));
    row_height_ = metrics.height() + 6;
    lefts_.clear();
    widths_.clear();
    int left = margin;
    for (const std::vector<Index>& column : layout_.columns()) {
        int width = 0;
        for (const Index node : column)
            width = std::max(width, metrics.horizontalAdvance(word(node)) +
                                        (node == 0 ? 0 : padding + metrics.horizontalAdvance(number(node))));
        lefts_.push_back(left);
        widths_.push_back(width + 2 * padding);
        left += widths_.back() + column_gap;
    }
    fit_scroll_bars();
    viewport()->update();
}

void BeamTreeView::fit_scroll_bars() {
    const int width = lefts_.empty() ? 0 : lefts_.back() + widths_.back() + margin;
    const int height = static_cast<int>(layout_.rows()) * (row_height_ + row_gap) - row_gap + 2 * margin;
    const auto fit = [](QScrollBar* bar, int whole, int shown, int step) {
        bar->setRange(0, std::max(whole - shown, 0));
        bar->setPageStep(shown);
        bar->setSingleStep(step);
    };
    fit(horizontalScrollBar(), width, viewport()->width(), 60);
    fit(verticalScrollBar(), height, viewport()->height(), row_height_ + row_gap);
}

QRect BeamTreeView::whole_rect(Index node) const {
    const auto row = layout_.row(node);
    if (!row)
        return {};
    const auto column = static_cast<std::size_t>(beams()->tree.nodes[static_cast<std::size_t>(node)].length);
    return {lefts_[column], margin + static_cast<int>(*row) * (row_height_ + row_gap), widths_[column],
            row_height_};
}

QRect BeamTreeView::node_rect(Index node) const {
    if (!beams() || node < 0 || node >= std::ssize(beams()->tree.nodes))
        return {};
    const QRect whole = whole_rect(node);
    return whole.isEmpty() ? whole
                           : whole.translated(-horizontalScrollBar()->value(), -verticalScrollBar()->value());
}

std::optional<Index> BeamTreeView::node_at(QPoint point) const {
    for (const std::vector<Index>& column : layout_.columns())
        for (const Index node : column)
            if (node_rect(node).contains(point))
                return node;
    return std::nullopt;
}

void BeamTreeView::reveal(Index node) {
    const QRect area = whole_rect(node).adjusted(-column_gap, -margin, column_gap, margin);
    const auto show = [](QScrollBar* bar, int first, int last) {
        if (last > bar->value() + bar->pageStep())
            bar->setValue(last - bar->pageStep());
        if (first < bar->value())
            bar->setValue(first);
    };
    show(horizontalScrollBar(), area.left(), area.right());
    show(verticalScrollBar(), area.top(), area.bottom());
}

// Painting

void BeamTreeView::paint_branches(QPainter& painter, const std::vector<bool>& followed) const {
    const std::vector<BeamNode>& nodes = beams()->tree.nodes;
    // Pale ones first, so that what matters lies on top.
    for (const bool of_kept : {false, true})
        for (std::size_t i = 1; i < nodes.size(); ++i) {
            const auto node = static_cast<Index>(i);
            const QRect to = node_rect(node), from = node_rect(nodes[i].parent);
            if (nodes[i].is_kept != of_kept || to.isEmpty() || from.isEmpty())
                continue;
            const QPointF start(from.right() + 1, from.center().y() + 0.5),
                end(to.left(), to.center().y() + 0.5);
            const qreal half = (end.x() - start.x()) / 2;
            QPainterPath path(start);
            path.cubicTo(start + QPointF(half, 0), end - QPointF(half, 0), end);
            const auto role = layout_.is_on_best_way(node) ? QPalette::Highlight
                              : of_kept                    ? QPalette::Text
                                                           : QPalette::Mid;
            QColor colour = palette().color(role);
            if (!of_kept && !followed[i])
                colour.setAlphaF(0.4F);  // there are many, one beside the other
            QPen pen(colour, layout_.is_on_best_way(node) ? 3 : followed[i] ? 2.5 : 1.2);
            if (!of_kept)
                pen.setStyle(Qt::DashLine);
            painter.setPen(pen);
            painter.setBrush(Qt::NoBrush);
            painter.drawPath(path);
        }
}

void BeamTreeView::paint_node(QPainter& painter, Index node, const std::vector<bool>& followed) const {
    const BeamNode& at = beams()->tree.nodes[static_cast<std::size_t>(node)];
    const QRect area = node_rect(node);
    const bool is_best = layout_.is_on_best_way(node);
    const QPalette& colours = palette();
    const auto text = is_best      ? QPalette::HighlightedText
                      : at.is_kept ? QPalette::Text
                                   : QPalette::PlaceholderText;
    QPen frame(colours.color(is_best ? QPalette::Highlight : at.is_kept ? QPalette::Text : QPalette::Mid), 1);
    if (!at.is_kept)
        frame.setStyle(Qt::DashLine);
    painter.setPen(frame);
    painter.setBrush(is_best ? colours.highlight() : colours.base());
    // A text that is over ends in a corner.
    const int radius = at.is_over ? 0 : row_height_ / 3;
    painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    if (node == beams()->followed) {
        painter.setPen(QPen(colours.color(QPalette::Text), hasFocus() ? 3 : 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(area).adjusted(-2, -2, 2, 2), radius + 2, radius + 2);
    }
    painter.setPen(colours.color(text));
    painter.setFont(is_best || followed[static_cast<std::size_t>(node)] ? bold(font()) : font());
    const QRect inside = area.adjusted(padding, 0, -padding, 0);
    painter.drawText(inside, node == 0 ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter, word(node));
    if (node > 0)
        painter.drawText(inside, Qt::AlignRight | Qt::AlignVCenter, number(node));
}

void BeamTreeView::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), palette().base());
    if (!beams())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    std::vector<bool> followed(beams()->tree.nodes.size(), false);
    for (const Index node : layout_.way_to(beams()->followed))
        followed[static_cast<std::size_t>(node)] = true;
    paint_branches(painter, followed);
    for (const std::vector<Index>& column : layout_.columns())
        for (const Index node : column)
            if (node_rect(node).adjusted(-4, -4, 4, 4).intersects(event->rect()))
                paint_node(painter, node, followed);
}

// What a screen reader hears

QString BeamTreeView::accessible_description() const {
    return beams() ? tr("%1 on show.").arg(counted_text(std::ssize(items_), "text")) : tr("No tree yet.");
}

std::optional<AccessibleTable> BeamTreeView::table(Index panel) const {
    return panel < table_count()
               ? std::optional(AccessibleTable{AccessibleTable::Kind::tree, std::ssize(items_), 1})
               : std::nullopt;
}

std::optional<double> BeamTreeView::current_number() const {
    return current_cell() ? std::optional(beam_node(beams()->followed).log_probability) : std::nullopt;
}

std::pair<double, double> BeamTreeView::current_range() const {
    double least = 0;
    for (const Index node : items_)
        least = std::min(least, beam_node(node).log_probability);
    return {least, 0};
}

std::optional<AccessiblePicture::Cell> BeamTreeView::current_cell() const {
    if (!beams())
        return std::nullopt;
    const auto item = std::ranges::find(items_, beams()->followed);
    return item == items_.end() ? std::nullopt : std::optional(Cell{0, item - items_.begin(), 0});
}

QString BeamTreeView::sentence_of(const Cell& cell) const {
    return QString::fromStdString(node_description(*transcript_, node_of(cell)));
}

QRectF BeamTreeView::area_of(const Cell& cell) const {
    return node_rect(node_of(cell)).translated(viewport()->pos());
}

void BeamTreeView::choose_cell(const Cell& cell) {
    if (node_of(cell) != beams()->followed)
        emit node_chosen(node_of(cell));
}

void BeamTreeView::resizeEvent(QResizeEvent*) {
    fit_scroll_bars();
    if (beams() && is_walked_)
        reveal(beams()->followed);
}

void BeamTreeView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        lay_out();
    QAbstractScrollArea::changeEvent(event);
}

QSize BeamTreeView::sizeHint() const {
    return {400, 2 * margin + 5 * (fontMetrics().height() + 6 + row_gap)};
}

QSize BeamTreeView::minimumSizeHint() const {
    return {120, 2 * margin + 2 * (fontMetrics().height() + 6 + row_gap)};
}

}  // namespace headlight
