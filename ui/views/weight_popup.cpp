#include "ui/views/weight_popup.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include <cmath>

namespace headlight {

WeightPopup::WeightPopup(Document& document, const Intervention& at, const QString& title, QWidget* parent)
    : QFrame(parent, Qt::Popup), movement_(document, at), slider_(new QSlider(Qt::Horizontal)),
      field_(new QDoubleSpinBox) {
    setObjectName(QStringLiteral("weight_popup"));
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(StyledPanel);
    setAccessibleName(title);
    auto* heading = new QLabel(title);
    heading->setProperty("role", "title");
    auto* effect = new QLabel(tr("The rest of the row keeps its proportions and shares what is left;\n"
                                 "the model decodes on from here."));
    effect->setProperty("role", "note");

    slider_->setObjectName(QStringLiteral("weight_slider"));
    slider_->setAccessibleName(tr("Weight, slider"));
    slider_->setRange(0, 100);
    slider_->setPageStep(10);
    slider_->setMinimumWidth(220);
    field_->setObjectName(QStringLiteral("weight_field"));
    field_->setAccessibleName(tr("Weight in percent"));
    field_->setRange(0, 100);
    field_->setDecimals(1);
    field_->setSuffix(tr(" %"));
    auto* row = new QHBoxLayout;
    row->addWidget(slider_, 1);
    row->addWidget(field_);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(heading);
    layout->addLayout(row);
    layout->addWidget(effect);

    slider_->setValue(static_cast<int>(std::lround(100 * at.weight)));
    field_->setValue(100 * at.weight);
    connect(slider_, &QSlider::valueChanged, this, [this](int percent) {
        const QSignalBlocker quiet(field_);
        field_->setValue(percent);
        movement_.move_to(percent / 100.0);
    });
    connect(slider_, &QSlider::sliderReleased, this, [this] { movement_.rest(); });
    connect(field_, &QDoubleSpinBox::valueChanged, this, [this](double percent) {
        const QSignalBlocker quiet(slider_);
        slider_->setValue(static_cast<int>(std::lround(percent)));
        movement_.move_to(percent / 100);
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
