#include "ui/panels/find_bar.h"

#include "ui/views/describe.h"
#include "ui/views/icon.h"
#include "ui/views/role.h"
#include "ui/views/token_search.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace headlight {
namespace {

/// `key_of`: the command whose key stands behind the effect.
QToolButton* make_button(const char* id, const QString& name, const QString& effect,
                         const QString& key_of = {}) {
    auto* button = new QToolButton;
    describe_with_key(button, QLatin1String(id), name, effect, key_of);
    button->setAutoRaise(true);
    return button;
}

}  // namespace

FindBar::FindBar(Document& document, QWidget* parent)
    : QWidget(parent), search_(TokenSearch::of(document)), text_(new QLineEdit),
      expression_(make_button("find_expression", tr("Regular expression"),
                              tr("What is typed is a regular expression of Perl over the whole text: the|a "
                                 "finds both, \\bun what "
                                 "begins so"))),
      previous_(make_button("find_back", tr("The one found before"), tr("Selects the one before"),
                            QStringLiteral("find_previous_token"))),
      next_(make_button("find_forth", tr("The next one found"), tr("Selects the next one"),
                        QStringLiteral("find_next_token"))),
      close_(make_button("find_close", tr("Close"), tr("Puts the line and its marks away (Esc)"))),
      count_(new QLabel) {
    setObjectName(QStringLiteral("find_bar"));
    describe(
        text_, QStringLiteral("find_text"), tr("Find tokens"),
        tr("Marks tokens with this text in every picture, across the pieces of a word. Case counts where "
           "there is a capital letter"));
    text_->setPlaceholderText(tr("Find tokens"));
    text_->setFixedWidth(fontMetrics().averageCharWidth() * 40);  // whatever is said beside it
    expression_->setText(QStringLiteral(".*"));
    expression_->setCheckable(true);
    give_role(*expression_, Role::toggle);
    close_->setText(QStringLiteral("×"));
    count_->setObjectName(QStringLiteral("find_count"));
    make_note(*count_);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(4);
    layout->addWidget(text_);
    for (QWidget* part : std::initializer_list<QWidget*>{expression_, previous_, next_, count_})
        layout->addWidget(part);
    layout->addStretch(1);
    layout->addWidget(close_);
    hide();

    connect(text_, &QLineEdit::textChanged, this, &FindBar::search);
    connect(expression_, &QToolButton::toggled, this, &FindBar::search);
    connect(previous_, &QToolButton::clicked, this, &FindBar::find_previous);
    connect(next_, &QToolButton::clicked, this, &FindBar::find_next);
    connect(close_, &QToolButton::clicked, this, &FindBar::close_bar);
    connect(&search_, &TokenSearch::changed, this, &FindBar::show_count);
    restyle();
}

void FindBar::open() {
    show();
    text_->setFocus(Qt::ShortcutFocusReason);
    text_->selectAll();
    search();
}

void FindBar::find_next() {
    if (isHidden())
        return open();
    search_.step(1);
}

void FindBar::find_previous() {
    if (isHidden())
        return open();
    search_.step(-1);
}

void FindBar::search() { search_.set(isHidden() ? QString() : text_->text(), expression_->isChecked()); }

void FindBar::close_bar() {
    hide();
    search();
    emit closed();
}

void FindBar::show_count() {
    const bool is_there = search_.count() > 0;
    previous_->setEnabled(is_there);
    next_->setEnabled(is_there);
    if (!search_.problem().isEmpty())
        count_->setText(search_.problem());
    else if (text_->text().trimmed().isEmpty())
        count_->clear();
    else if (!is_there)
        count_->setText(tr("not found"));
    else
        count_->setText(search_.current() ? tr("%1 of %2").arg(*search_.current() + 1).arg(search_.count())
                                          : tr("%1 found").arg(search_.count()));
}

void FindBar::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Cancel))
        return close_bar();
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return event->modifiers() & Qt::ShiftModifier ? find_previous() : find_next();
    QWidget::keyPressEvent(event);
}

void FindBar::restyle() {
    previous_->setIcon(line_icon(QStringLiteral("back"), palette()));
    next_->setIcon(line_icon(QStringLiteral("forward"), palette()));
    show_count();
}

void FindBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        restyle();
    QWidget::changeEvent(event);
}

}  // namespace headlight
