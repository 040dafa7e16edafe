#include "ui/views/axes_bar.h"

#include "core/figure/dealt_axes.h"
#include "core/figure/words.h"
#include "ui/models/document.h"
#include "ui/views/cell_place.h"
#include "ui/views/lazy_combo.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>

namespace headlight {
namespace {

constexpr int least_width = 72;  // of a list of axes

QString title_of(Axis axis) { return QString::fromStdString(axis_title(axis, false)); }

QString word_of(std::optional<std::size_t> axis, const Stage& stage) {
    const std::string_view word = axis ? to_string(stage.axes[*axis]) : std::string_view();
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
}

/// The stage that the view shows; null where there is none.
const Stage* shown_stage(const Run& run, const ViewState& view) {
    const Selection shown = shown_selection(*run.trace, view);
    return run.trace->find(shown.stage, shown.site);
}

}  // namespace

AxesBar::AxesBar(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), rows_(new LazyCombo), columns_(new LazyCombo),
      sliders_(new QHBoxLayout) {
    rows_->setObjectName(QStringLiteral("axes_rows"));
    rows_->setAccessibleName(tr("Rows"));
    rows_->setToolTip(tr("The axis of the stage that is drawn downwards"));
    columns_->setObjectName(QStringLiteral("axes_columns"));
    columns_->setAccessibleName(tr("Columns"));
    columns_->setToolTip(tr("The axis of the stage that is drawn to the right"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    for (QComboBox* choice : {rows_, columns_}) {
        auto* label = new QLabel(choice->accessibleName());
        label->setBuddy(choice);
        row->addWidget(label);
        row->addWidget(choice);
        choice->setMinimumWidth(least_width);  // the type of the projector must not widen the window
        connect(choice, &QComboBox::activated, this, &AxesBar::choose);
    }
    row->addLayout(sliders_, 1);
    connect(&document_, &Document::run_changed, this, &AxesBar::refresh);
    connect(&document_.looking(), &Looking::view_changed, this, &AxesBar::refresh);
    refresh();
}

void AxesBar::choose() {
    ViewState state = document_.view();
    state.axes = {rows_->currentData().toString().toStdString(),
                  columns_->currentData().toString().toStdString()};
    // Chosen for both, an axis goes where it was chosen last: the other one is drawn the other way.
    if (state.axes.rows == state.axes.columns) {
        const DealtAxes before = document_.view().axes;
        (sender() == rows_ ? state.axes.columns : state.axes.rows) =
            sender() == rows_ ? before.rows : before.columns;
    }
    document_.looking().look_at(state);
}

void AxesBar::refresh() {
    const std::shared_ptr<const Run> run = document_.run();
    const Stage* stage = run ? shown_stage(*run, document_.view()) : nullptr;
    setVisible(stage != nullptr);
    if (!stage)
        return;
    const DealtStage dealt = deal(*stage, document_.view().axes);
    for (QComboBox* choice : {rows_, columns_}) {
        choice->clear();
        for (std::size_t axis = 0; axis < stage->axes.size(); ++axis)
            choice->addItem(title_of(stage->axes[axis]), word_of(axis, *stage));
        choice->setEnabled(stage->axes.size() > 1);
    }
    rows_->setCurrentIndex(rows_->findData(word_of(dealt.rows, *stage)));
    columns_->setCurrentIndex(columns_->findData(word_of(dealt.columns, *stage)));

    // Sliders stay while the same axes are held, so that one can be dragged on.
    QStringList held;
    for (const std::size_t axis : dealt.held)
        held += word_of(axis, *stage) + QString::number(stage->shape[axis]);
    const bool is_same = held == held_;
    if (!is_same) {
        while (QLayoutItem* item = sliders_->takeAt(0)) {
            delete item->widget();
            delete item;
        }
        held_ = held;
    }
    const Selection selection = shown_selection(*run->trace, document_.view());
    int number = 0;
    for (const std::size_t axis : dealt.held) {
        const Axis kind = stage->axes[axis];
        if (!is_same) {
            auto* slider = new QSlider(Qt::Horizontal);
            slider->setObjectName(QStringLiteral("axes_held_") + word_of(axis, *stage));
            slider->setAccessibleName(title_of(kind));
            slider->setToolTip(tr("Which %1 is drawn").arg(title_of(kind)));
            slider->setRange(0, static_cast<int>(stage->shape[axis]) - 1);
            slider->setPageStep(1);
            connect(slider, &QSlider::valueChanged, this, [this, kind](int place) {
                Selection next = document_.view().selection;
                place_along(kind, next) = place;
                document_.looking().select(next);
            });
            sliders_->addWidget(new QLabel);
            sliders_->addWidget(slider, 1);
        }
        auto* label = static_cast<QLabel*>(sliders_->itemAt(2 * number)->widget());
        auto* slider = static_cast<QSlider*>(sliders_->itemAt(2 * number + 1)->widget());
        label->setText(QString::fromStdString(held_in_words(*run->trace, *stage, axis, selection)));
        const QSignalBlocker quiet(slider);
        slider->setValue(static_cast<int>(held_at(*stage, axis, selection)));
        ++number;
    }
}

}  // namespace headlight
