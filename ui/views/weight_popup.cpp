#include "ui/views/weight_popup.h"

#include "ui/views/decimal_box.h"
#include "ui/views/role.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include <cmath>

namespace headlight {
namespace {

constexpr int slider_steps = 100;

int slider_place(double weight) { return static_cast<int>(std::lround(slider_steps * weight)); }

}  // namespace

WeightPopup::WeightPopup(Document& document, const Intervention& at, const QString& title, QWidget* parent)
    : QFrame(parent, Qt::Popup), movement_(document, at), slider_(new QSlider(Qt::Horizontal)),
      field_(new DecimalBox) {
    setObjectName(QStringLiteral("weight_popup"));
    setAttribute(Qt::WA_DeleteOnClose);
    setAttribute(Qt::WA_WindowPropagation);  // as large as the picture that it belongs to
    setFrameShape(StyledPanel);
    setAccessibleName(title);
    auto* heading = new QLabel(title);
    make_title(*heading);
    auto* effect = new QLabel(tr("The rest of the row keeps its proportions and shares what is left;\n"
                                 "the model decodes on from here."));
    make_note(*effect);

    slider_->setObjectName(QStringLiteral("weight_slider"));
    slider_->setAccessibleName(tr("Weight, slider"));
    slider_->setRange(0, slider_steps);
    slider_->setPageStep(slider_steps / 10);
    slider_->setMinimumWidth(220);
    field_->setObjectName(QStringLiteral("weight_field"));
    // As the cells show it: what is typed here is what stands there.
    field_->setAccessibleName(tr("Weight, from 0 to 1"));
    field_->setRange(0, 1);
    field_->setDecimals(3);
    field_->setSingleStep(0.05);
    auto* row = new QHBoxLayout;
    row->addWidget(slider_, 1);
    row->addWidget(field_);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(heading);
    layout->addLayout(row);
    layout->addWidget(effect);

    slider_->setValue(slider_place(at.weight));
    field_->setValue(at.weight);
    connect(slider_, &QSlider::valueChanged, this, [this](int place) {
        const QSignalBlocker quiet(field_);
        const double weight = static_cast<double>(place) / slider_steps;
        field_->setValue(weight);
        movement_.move_to(weight);
    });
    connect(slider_, &QSlider::sliderReleased, this, [this] { movement_.rest(); });
    connect(field_, &QDoubleSpinBox::valueChanged, this, [this](double weight) {
        const QSignalBlocker quiet(slider_);
        slider_->setValue(slider_place(weight));
        movement_.move_to(weight);
    });
    field_->selectAll();
    setFocusProxy(field_);
}

void WeightPopup::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        close();
    else
        QFrame::keyPressEvent(event);
}

void WeightPopup::closeEvent(QCloseEvent* event) {
    movement_.rest();
    QFrame::closeEvent(event);
}

}  // namespace headlight
