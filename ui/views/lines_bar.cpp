#include "ui/views/lines_bar.h"

#include "ui/actions/shortcuts.h"
#include "ui/models/counted_text.h"
#include "ui/render/fixed_text.h"
#include "ui/views/elided_label.h"
#include "ui/views/plain_number_box.h"
#include "ui/views/role.h"
#include "ui/views/whole_number_box.h"
#include "ui/views/word_at_minimum.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

namespace headlight {

LinesBar::LinesBar(QWidget* parent)
    : QWidget(parent), least_(new PlainNumberBox), most_(new WholeNumberBox), hidden_(new ElidedLabel),
      held_(new ElidedLabel) {
    least_->setObjectName(QStringLiteral("lines_least"));
    least_->setAccessibleName(tr("Hide lines under"));
    least_->setToolTip(
        tr("Lines of smaller numbers, whatever their sign, are not drawn, nor are they in exports"));
    least_->setDecimals(4);
    least_->setRange(0, largest_least_line);
    least_->setSingleStep(0.01);
    auto* label = new QLabel(tr("Hide lines &under"));
    label->setBuddy(least_);
    most_->setObjectName(QStringLiteral("lines_most"));
    most_->setAccessibleName(tr("Strongest lines of each query"));
    most_->setToolTip(tr("So many lines of each query are drawn, the strongest, also in exports"));
    most_->setRange(0, static_cast<int>(most_lines_of_query));
    show_word_at_minimum(*most_, tr("all"));  // of 0
    auto* label_of_most = new QLabel(tr("&Strongest"));
    label_of_most->setBuddy(most_);
    hidden_->setObjectName(QStringLiteral("lines_hidden"));
    held_->setObjectName(QStringLiteral("lines_held"));
    for (QLabel* note : {hidden_, held_})
        make_note(*note);
    held_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* release = new QToolButton;
    release->setObjectName(QStringLiteral("lines_release"));
    release->setText(tr("Show all"));
    release->setAccessibleName(tr("Show the lines of all tokens"));
    release->setToolTip(tr("Shows the lines of all tokens again. Key: Esc"));
    release_ = release;
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 2);
    row->setSpacing(8);
    row->addWidget(label);
    row->addWidget(least_);
    row->addWidget(label_of_most);
    row->addWidget(most_);
    row->addWidget(hidden_);
    row->addWidget(held_, 1);
    row->addWidget(release_);
    held_->installEventFilter(this);
    connect(least_, &QDoubleSpinBox::valueChanged, this, [this](double least) {
        choice_.least = least;
        emit chosen(choice_);
    });
    connect(most_, &QSpinBox::valueChanged, this, [this](int most) {
        choice_.most = most > 0 ? std::optional<Index>(most) : std::nullopt;
        emit chosen(choice_);
    });
    connect(release, &QToolButton::clicked, this, &LinesBar::release_asked);
    show_held({});
}

void LinesBar::show_choice(const LineChoice& choice) {
    const QSignalBlocker no_least(least_), no_most(most_);
    choice_ = choice;
    least_->setValue(choice.least);
    most_->setValue(static_cast<int>(choice.most.value_or(0)));
}

void LinesBar::show_hidden(const HiddenLines& hidden) {
    const double share = hidden.sum > 0 ? 100 * hidden.hidden_sum / hidden.sum : 0;
    hidden_->setText(hidden.count == 0 ? QString()
                                       : tr("%1 hidden: %2 % of the sum")
                                             .arg(counted_text(hidden.count, "line"),
                                                  fixed_text(share, share < 0.1 ? 2 : 1)));
    hidden_->setToolTip(hidden_->text());
}

void LinesBar::show_held(const QString& held) {
    is_held_ = !held.isEmpty();
    held_->setText(held);
    held_->setToolTip(held);  // a narrow window cuts it
    if (!is_held_)
        show_hint();
    release_->setVisible(is_held_);
}

void LinesBar::show_hint() {
    const QString key = key_text(QStringLiteral("keep_lines"));
    const QString whole = tr("Click a word, or press %1, to keep its lines").arg(key);
    const bool has_room = held_->fontMetrics().horizontalAdvance(whole) <= held_->contentsRect().width();
    held_->setText(has_room ? whole : tr("Keep: press %1").arg(key));
    held_->setToolTip(whole);
}

bool LinesBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && !is_held_)
        show_hint();
    return QWidget::eventFilter(watched, event);
}

}  // namespace headlight
