#include "ui/panels/mask_box.h"

#include "core/attention/component.h"
#include "core/attention/explain.h"
#include "core/tensor/error.h"
#include "core/workbench/mask_edits.h"
#include "core/workbench/word_trials.h"
#include "ui/models/document.h"
#include "ui/panels/mask_editor.h"
#include "ui/panels/number_control.h"
#include "ui/views/cell_text.h"
#include "ui/views/decimal_box.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace headlight {
namespace {

QString label_at(const std::vector<std::string>& labels, Index i) {
    const auto place = static_cast<std::size_t>(i);
    return place < labels.size() ? quoted_token(labels[place]) : QString::number(i + 1);
}

QString difference_text(const Run& run) {
    if (!run.order_difference)
        return MaskBox::tr("With −∞ both orders give the same weights: −∞ times any scale is −∞.");
    const OrderDifference& difference = *run.order_difference;
    if (difference.largest == 0)
        return MaskBox::tr("The other order gives the same weights here.");
    return MaskBox::tr("The other order changes a weight by up to %1 (%2 looking at %3, head %4).")
        .arg(QString::fromStdString(format_number(difference.largest)),
             label_at(run.trace->tokens.query, difference.query),
             label_at(run.trace->tokens.key.empty() ? run.trace->tokens.query : run.trace->tokens.key,
                      difference.key))
        .arg(difference.head + 1);
}

/// The session's own spec, or that of the last run where the session can build none.
AttentionSpec spec_of(const Document& document) {
    try {
        return session_spec(document.session());
    } catch (const Error&) {
        const auto run = document.run();
        return run && run->plan ? run->plan->spec : AttentionSpec();
    }
}

/// Whether any pair may be forbidden.
bool takes_any_mask(const AttentionSpec& spec) {
    const AlgorithmComponent* algorithm = component_of(spec.algorithm.type);
    return !algorithm || algorithm->takes_any_mask;
}

/// Why there is less to choose than elsewhere; empty where there is not.
QString limits_text(const Document& document, const AttentionSpec& spec) {
    QStringList sentences;
    if (!is_composed(spec))
        sentences << MaskBox::tr(
            "This mechanism has its own way to the weights: a forbidden pair is left out, "
            "and no number is added to a score.");
    if (takes_any_mask(spec))
        return sentences.join(QChar(' '));
    const auto run = document.run();
    if (const auto limits =
            run && run->plan ? mask_limits(spec, few_tokens(run->plan->inputs)) : std::nullopt)
        sentences << QString::fromStdString(*limits) << MaskBox::tr("So there is none to draw.");
    else
        sentences << MaskBox::tr("It takes only some masks, so there is none to draw.");
    return sentences.join(QChar(' '));
}

}  // namespace

MaskBox::MaskBox(Document& document, QWidget* parent)
    : QGroupBox(tr("Mask"), parent), document_(document), order_(new QComboBox),
      infinite_(new QCheckBox(tr("−∞"))), value_(new DecimalBox), difference_(new QLabel), how_(new QWidget),
      draw_(new QPushButton(tr("Edit the mask…"))), forget_(new QPushButton(tr("Undraw"))) {
    describe(draw_, QStringLiteral("edit_mask"), tr("Edit the mask"),
             tr("Draws on the query × key matrix which pairs are allowed"));
    describe(forget_, QStringLiteral("forget_mask"), tr("Forget the drawn mask"),
             tr("The mechanism's own mask, or none, in place of the one that was drawn"));
    order_->addItems({tr("after the scale"), tr("before the scale")});
    describe(order_, QStringLiteral("mask_order"), tr("Mask order"),
             tr("After the scale: softmax(S·c + M). Before it: softmax((S + M)·c), so that the scale shrinks "
                "the mask too"));
    describe(infinite_, QStringLiteral("mask_infinite"), tr("Forbid with minus infinity"),
             tr("A forbidden score becomes −∞ and its weight exactly 0"));
    describe(value_, QStringLiteral("mask_value"), tr("Mask value"),
             tr("The number M that is added to a forbidden score. A finite one only discourages: the weight "
                "is small, not 0"));
    value_->setRange(-1e9, 0);
    value_->setDecimals(3);
    value_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    value_->setKeyboardTracking(false);
    ignore_passing_wheel(order_);
    ignore_passing_wheel(value_);
    difference_->setWordWrap(true);
    difference_->setObjectName(QStringLiteral("mask_difference"));
    make_note(*difference_);

    auto* value_row = new QHBoxLayout;
    value_row->setSpacing(8);
    value_row->addWidget(infinite_);
    value_row->addWidget(value_, 1);
    auto* form = new QFormLayout(how_);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->addRow(tr("&Add it"), order_);
    auto* value_label = new QLabel(tr("Forb&id with"));
    value_label->setBuddy(infinite_);
    form->addRow(value_label, value_row);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(draw_);
    buttons->addWidget(forget_);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    layout->addWidget(how_);
    layout->addWidget(difference_);
    layout->addLayout(buttons);

    connect(draw_, &QPushButton::clicked, this, &MaskBox::edit_asked);
    connect(forget_, &QPushButton::clicked, this,
            [this] { document_.edit(forget_drawn_mask(document_.session())); });

    connect(order_, &QComboBox::activated, this, [this](int row) {
        const MaskOrder order = row == 0 ? MaskOrder::after_scale : MaskOrder::before_scale;
        document_.edit(choose_mask_order(document_.session(), order, order_->itemText(row).toStdString()));
    });
    connect(infinite_, &QCheckBox::clicked, this,
            [this](bool on) { document_.edit(forbid_with_infinity(document_.session(), on)); });
    connect(value_, &QDoubleSpinBox::valueChanged, this,
            [this](double value) { document_.edit(set_mask_value(document_.session(), value)); });
    connect(&document_, &Document::session_changed, this, &MaskBox::refresh);
    connect(&document_, &Document::run_changed, this, &MaskBox::refresh);
    refresh();
}

MaskEditor* MaskBox::make_editor() {
    if (!document_.session().runs_mechanism()) {
        emit notice(tr("A mask is drawn for a mechanism: choose one first, in the panel Mechanism."));
        return nullptr;
    }
    if (const AttentionSpec spec = spec_of(document_); !takes_any_mask(spec)) {
        emit notice(limits_text(document_, spec));
        return nullptr;
    }
    try {
        auto* editor = new MaskEditor(document_, window());
        editor->setAttribute(Qt::WA_DeleteOnClose);
        return editor;
    } catch (const Error& error) {
        difference_->setText(QString::fromUtf8(error.what()));
        difference_->show();
        return nullptr;
    }
}

void MaskBox::refresh() {
    const Session& session = document_.session();
    const auto run = document_.run();
    const AttentionSpec spec = spec_of(document_);
    const bool is_there = run && is_masked(spec.mask);
    const QString limits = limits_text(document_, spec);
    // A number that came along from another mechanism is refused here, and has to be taken back somewhere.
    how_->setVisible(is_composed(spec) ? is_there : session.mask_value.has_value());
    draw_->setEnabled(takes_any_mask(spec));
    draw_->setToolTip(draw_->isEnabled() ? draw_->accessibleDescription() : limits);
    difference_->setVisible(is_there || how_->isVisibleTo(this) || !draw_->isEnabled());
    forget_->setVisible(session.drawn_mask != nullptr);
    const QSignalBlocker quiet(value_);
    order_->setCurrentIndex(session.mask_order == MaskOrder::after_scale ? 0 : 1);
    infinite_->setChecked(!session.mask_value);
    value_->setEnabled(session.mask_value.has_value());
    value_->setValue(session.mask_value.value_or(teaching_mask_value));
    difference_->setText(!limits.isEmpty() ? limits : run ? difference_text(*run) : QString());
}

}  // namespace headlight
