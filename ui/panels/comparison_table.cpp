#include "ui/panels/comparison_table.h"

#include "ui/models/comparison_model.h"
#include "ui/views/copy_menu.h"
#include "ui/views/describe.h"
#include "ui/views/tabular_delegate.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>

namespace headlight {
namespace {

/// Why a mechanism cannot run has as many lines as it needs.
class ComparisonDelegate : public TabularDelegate {
public:
    using TabularDelegate::TabularDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        TabularDelegate::initStyleOption(option, index);
        if (index.column() != ComparisonModel::name &&
            !index.data(ComparisonModel::RefusalRole).toString().isEmpty())
            option->features |= QStyleOptionViewItem::WrapText;
    }
};

}  // namespace

ComparisonTable::ComparisonTable(ComparisonModel& model, QWidget* parent)
    : QTableView(parent), model_(model) {
    describe(this, QStringLiteral("comparison_table"), tr("Numbers of the comparison"), {});
    setItemDelegate(new ComparisonDelegate(this));
    setModel(&model);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setTabKeyNavigation(false);
    // Many names begin alike and end alike: of one that has no room its beginning and its end are shown.
    setWordWrap(false);
    setTextElideMode(Qt::ElideMiddle);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(24);
    connect(&add_table_menu(*this), &QAction::triggered, this, &ComparisonTable::copy);
    const auto fit_if_seen = [this] {
        if (isVisible())
            fit();
    };
    connect(&model, &QAbstractItemModel::modelReset, this, fit_if_seen);
    connect(&model, &QAbstractItemModel::dataChanged, this, fit_if_seen);
    fit();
}

void ComparisonTable::copy() const { QGuiApplication::clipboard()->setText(model_.text()); }

void ComparisonTable::fit() {
    clearSpans();
    for (int row = 0; row < model_.rowCount(); ++row)
        if (!model_.index(row, 0).data(ComparisonModel::RefusalRole).toString().isEmpty())
            setSpan(row, 1, 1, model_.columnCount() - 1);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    const auto needed = [this](int column) {
        int width = horizontalHeader()->sectionSizeHint(column);
        for (int row = 0; row < model_.rowCount(); ++row)
            // What a refusal says is laid over all numbers, and asks for no width.
            if (column == ComparisonModel::name || columnSpan(row, 1) == 1)
                width = std::max(width, sizeHintForIndex(model_.index(row, column)).width());
        return width;
    };
    int rest = viewport()->width();
    for (int column = 1; column < model_.columnCount(); ++column) {
        const int width = needed(column);
        horizontalHeader()->resizeSection(column, width);
        rest -= width;
    }
    // Names come before numbers, which one scrolls to; but a long one leaves some of them in sight.
    constexpr double most = 0.4;  // of the table
    const int names = std::min(needed(ComparisonModel::name), static_cast<int>(most * viewport()->width()));
    horizontalHeader()->resizeSection(ComparisonModel::name,
                                      std::max({rest, names, 12 * fontMetrics().averageCharWidth()}));
    for (int row = 0; row < model_.rowCount(); ++row)
        verticalHeader()->resizeSection(row, height_of(row));
    updateGeometry();
}

int ComparisonTable::height_of(int row) const {
    const int one_line = verticalHeader()->defaultSectionSize();
    const QString refusal = model_.index(row, 0).data(ComparisonModel::RefusalRole).toString();
    if (refusal.isEmpty())
        return one_line;
    const int margin = style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, this) + 1;
    const int width = horizontalHeader()->length() - columnWidth(ComparisonModel::name) - 2 * margin;
    const QRect lines =
        fontMetrics().boundingRect(QRect(0, 0, std::max(width, 1), 0), Qt::TextWordWrap, refusal);
    return std::max(one_line, lines.height() + one_line - fontMetrics().height());
}

QSize ComparisonTable::sizeHint() const {
    const int header = horizontalHeader()->sizeHint().height();
    const int bar = horizontalScrollBar()->maximum() > 0 ? horizontalScrollBar()->sizeHint().height() : 0;
    return {480, header + verticalHeader()->length() + bar + 2};
}

QSize ComparisonTable::minimumSizeHint() const { return {160, sizeHint().height()}; }

void ComparisonTable::showEvent(QShowEvent* event) {
    fit();
    QTableView::showEvent(event);
}

void ComparisonTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fit();
}

void ComparisonTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        QTimer::singleShot(0, this, &ComparisonTable::fit);
}

}  // namespace headlight
