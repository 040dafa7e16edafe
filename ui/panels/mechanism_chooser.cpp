#include "ui/panels/mechanism_chooser.h"

#include "ui/models/mechanism_library.h"
#include "ui/panels/mechanism_popup.h"
#include "ui/views/describe.h"

#include <QKeyEvent>
#include <QStyleOption>
#include <QStylePainter>

#include <algorithm>

namespace headlight {

MechanismChooser::MechanismChooser(const MechanismLibrary& library, QWidget* parent)
    : QToolButton(parent), library_(library) {
    describe(this, QStringLiteral("mechanism"), tr("Mechanism"),
             tr("Which attention turns the queries, keys and values into weights. "
                "Page up and page down go to the one before and after"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    installEventFilter(this);
    connect(this, &QToolButton::clicked, this, [this] { open(); });
    connect(&library, &MechanismLibrary::changed, this, [this] {
        if (model_)
            model_->set_own(library_.list(), library_.drafts());
    });
}

MechanismModel& MechanismChooser::model() {
    if (!model_) {
        model_.emplace();
        model_->set_own(library_.list(), library_.drafts());
    }
    return *model_;
}

void MechanismChooser::set_current(const std::string& id) {
    current_ = id;
    own_.clear();
    const Mechanism* mechanism = find_mechanism(id);
    show_name(QString::fromStdString(mechanism ? mechanism->name : id));
}

void MechanismChooser::set_current_own(const QString& name) {
    own_ = name;
    show_name(name);
}

void MechanismChooser::show_name(const QString& name) {
    setText(name);
    setAccessibleName(tr("Mechanism: %1").arg(name));
}

void MechanismChooser::step(int by) {
    const auto all = mechanisms();
    const auto here =
        std::find_if(all.begin(), all.end(), [&](const Mechanism& each) { return each.id == current_; });
    const auto target =
        std::clamp<std::ptrdiff_t>(here - all.begin() + by, 0, static_cast<std::ptrdiff_t>(all.size()) - 1);
    if (target != here - all.begin() || !own_.isEmpty())
        emit chosen(all[static_cast<std::size_t>(target)].id);
}

QSize MechanismChooser::minimumSizeHint() const {
    return {12 * fontMetrics().averageCharWidth(), sizeHint().height()};
}

QSize MechanismChooser::sizeHint() const {
    return {fontMetrics().horizontalAdvance(QStringLiteral("Scaled dot-product attention")) + 48,
            fontMetrics().height() + 14};
}

void MechanismChooser::paintEvent(QPaintEvent*) {
    // Looks like the combo boxes beside it; the tree and its search line are what a combo box cannot have.
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    option.initFrom(this);
    option.currentText = fontMetrics().elidedText(text(), Qt::ElideRight, width() - 40);
    if (isDown())
        option.state |= QStyle::State_Sunken;
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

void MechanismChooser::open(const QString& text) {
    if (!popup_) {
        popup_ = new MechanismPopup(model(), this);
        connect(popup_, &MechanismPopup::picked, this, &MechanismChooser::accept);
        connect(popup_, &MechanismPopup::closed, this, &MechanismChooser::closed);
    }
    popup_->open_below(*this, own_.isEmpty() ? model().index_of(current_) : model().index_of_own(own_), text);
}

void MechanismChooser::accept(const QModelIndex& index) {
    if (const Mechanism* mechanism = model().mechanism_at(index))
        emit chosen(mechanism->id);
    else
        emit own_chosen(index.data(MechanismModel::OwnNameRole).toString(),
                        index.data(MechanismModel::DraftRole).toBool());
    emit picked();
}

bool MechanismChooser::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress)
        return QToolButton::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_PageDown || key == Qt::Key_PageUp) {
        step(key == Qt::Key_PageDown ? 1 : -1);
        return true;
    }
    if (key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter) {
        open();
        return true;
    }
    return false;
}

}  // namespace headlight
