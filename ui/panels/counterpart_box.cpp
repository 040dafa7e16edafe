#include "ui/panels/counterpart_box.h"

#include "core/io/model_title.h"
#include "core/io/shipped_models.h"
#include "core/workbench/comparison_edits.h"
#include "core/workbench/figure_edits.h"
#include "ui/actions/context_menu.h"
#include "ui/models/document.h"
#include "ui/panels/sequence_edit.h"
#include "ui/views/describe.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace headlight {

CounterpartBox::CounterpartBox(Document& document, const QString& id, QWidget* parent)
    : QWidget(parent), document_(document), id_(id), compare_(new QPushButton(tr("&Compare with"))),
      choices_(new ContextMenu(QStringLiteral("counterpart_menu"), compare_)), compared_(new QWidget),
      name_(new QLabel), close_(new QToolButton), difference_(new QCheckBox(tr("Show the &difference"))),
      layout_(new QVBoxLayout(this)) {
    describe(compare_, id_ + QStringLiteral("_compare"), tr("Compare with"),
             tr("Another text, model or capture beside this one: on the tokens that both have, what is more "
                "here and what is less"));
    compare_->setMenu(choices_);
    describe(close_, id_ + QStringLiteral("_end"), tr("End the comparison"), tr("Shows this alone again"));
    close_->setText(QStringLiteral("×"));
    close_->setAutoRaise(true);
    describe(difference_, id_ + QStringLiteral("_difference"), tr("Show the difference"),
             tr("The maps show the weights here minus those of the other one. Compare shows both and the "
                "difference of one head side by side"));
    name_->setWordWrap(true);

    auto* chip = new QHBoxLayout(compared_);
    chip->setContentsMargins(0, 0, 0, 0);
    chip->addWidget(name_, 1);
    chip->addWidget(close_);
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(6);
    layout_->addWidget(compare_);
    layout_->addWidget(compared_);
    layout_->addWidget(difference_);

    connect(choices_, &QMenu::aboutToShow, this, &CounterpartBox::fill_menu);
    connect(close_, &QToolButton::clicked, this,
            [this] { document_.edit(end_comparison(document_.session())); });
    connect(difference_, &QCheckBox::toggled, this,
            [this](bool on) { document_.edit(show_differences(document_.session(), on)); });
    connect(&document_, &Document::session_changed, this, &CounterpartBox::refresh);
    refresh();
}

void CounterpartBox::start_text() {
    document_.edit(compare_with_text(document_.session()));
    text_edit().setFocus(Qt::OtherFocusReason);
    text_edit().selectAll();
}

void CounterpartBox::fill_menu() {
    choices_->offer_nothing();
    const Session& session = document_.session();
    if (session.allows(Counterpart::Kind::text))
        connect(&choices_->offer(QStringLiteral("counterpart_text")), &QAction::triggered, this,
                &CounterpartBox::start_text);
    if (session.allows(Counterpart::Kind::model)) {
        ContextMenu& models = choices_->offer_menu(QStringLiteral("counterpart_models_menu"));
        for (const ShippedModel& each : shipped_models())
            if (each.name != session.model->name)
                connect(&models.offer(QStringLiteral("counterpart_model"), {QString::fromUtf8(each.title)},
                                      QString::fromUtf8(each.name)),
                        &QAction::triggered, this, [this, &each] {  // which stands in the program
                            document_.edit(
                                compare_with_model(document_.session(), std::string(each.name), each.title));
                        });
        connect(&models.offer(QStringLiteral("counterpart_folder")), &QAction::triggered, this,
                &CounterpartBox::other_model_requested);
    }
    if (session.allows(Counterpart::Kind::capture))
        connect(&choices_->offer(QStringLiteral("counterpart_capture")), &QAction::triggered, this,
                &CounterpartBox::other_capture_requested);
}

SequenceEdit& CounterpartBox::text_edit() {
    if (edit_)
        return *edit_;
    edit_ = new SequenceEdit;
    describe(edit_, id_ + QStringLiteral("_text"), tr("The other text"),
             tr("Read in the place of the text above it; tokens that only one of the two has are compared "
                "with nothing"));
    edit_->setPlaceholderText(tr("Type the other sentence"));
    edit_->set_lines(2);
    layout_->insertWidget(layout_->indexOf(difference_), edit_);
    connect(edit_, &SequenceEdit::typed, this, [this](const QString& text) {
        document_.edit(type_other_text(document_.session(), text.toStdString()));
    });
    connect(edit_, &SequenceEdit::paste_refused, this, &CounterpartBox::paste_refused);
    return *edit_;
}

void CounterpartBox::refresh() {
    const Session& session = document_.session();
    const bool is_compared = session.has_counterpart();
    const bool is_text = is_compared && session.counterpart->kind == Counterpart::Kind::text;
    compare_->setVisible(!is_compared);
    compared_->setVisible(is_compared);
    difference_->setVisible(is_compared);
    if (edit_ || is_text)
        text_edit().setVisible(is_text);
    if (!is_compared)
        return;
    const QString value = QString::fromStdString(session.counterpart->value);
    switch (session.counterpart->kind) {
    case Counterpart::Kind::text:
        name_->setText(tr("Compared with another text:"));
        text_edit().show_text(value);
        break;
    case Counterpart::Kind::model:
        name_->setText(
            tr("Compared with %1").arg(QString::fromStdString(model_title(session.counterpart->value))));
        break;
    case Counterpart::Kind::capture:
        name_->setText(tr("Compared with %1").arg(QFileInfo(value).fileName()));
        break;
    }
    name_->setToolTip(is_text ? QString() : value);
    const QSignalBlocker quiet(difference_);
    difference_->setChecked(session.figure.differences);
}

}  // namespace headlight
