#include "ui/panels/capture_box.h"

#include "core/analysis/token_units.h"
#include "ui/models/document.h"
#include "ui/panels/describe.h"
#include "ui/panels/number_control.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace headlight {

CaptureBox::CaptureBox(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), units_(new QComboBox),
      compare_(new QPushButton(tr("Com&pare with a capture…"))), compared_(new QWidget), other_(new QLabel),
      close_(new QToolButton), difference_(new QCheckBox(tr("Show the &difference"))) {
    describe(
        units_, QStringLiteral("capture_units"), tr("Units"),
        tr("What a row and a column is. Of several tokens together, what is looked at is summed, and who "
           "looks is averaged"));
    for (const Word<TokenUnit>& unit : words<TokenUnit>()) {
        const auto text = [](std::string_view words) {
            return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
        };
        QString name = text(unit.word);
        name.front() = name.front().toUpper();
        units_->addItem(name, static_cast<int>(unit.value));
        units_->setItemData(units_->count() - 1, text(unit.meaning), Qt::ToolTipRole);
    }
    ignore_passing_wheel(units_);
    describe(
        compare_, QStringLiteral("compare_capture"), tr("Compare with a capture"),
        tr("Another text, model or moment of training with as many layers and heads: on the tokens that both "
           "have, what is more here and what is less"));
    describe(close_, QStringLiteral("end_capture_comparison"), tr("End the comparison"),
             tr("Shows this capture alone again, with all of its tokens"));
    close_->setText(QStringLiteral("×"));
    close_->setAutoRaise(true);
    describe(difference_, QStringLiteral("capture_difference"), tr("Show the difference"),
             tr("The maps show the weights here minus those of the other capture. Compare shows both and the "
                "difference of one head side by side"));
    other_->setWordWrap(true);

    auto* units_label = new QLabel(tr("&Units"));
    units_label->setBuddy(units_);
    auto* units = new QHBoxLayout;
    units->addWidget(units_label);
    units->addWidget(units_, 1);
    auto* chip = new QHBoxLayout(compared_);
    chip->setContentsMargins(0, 0, 0, 0);
    chip->addWidget(other_, 1);
    chip->addWidget(close_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(units);
    layout->addWidget(compare_);
    layout->addWidget(compared_);
    layout->addWidget(difference_);

    connect(units_, &QComboBox::activated, this, [this](int row) {
        change(tr("Units: %1").arg(units_->itemText(row).toLower()), [&](Session& session) {
            session.capture->unit = static_cast<TokenUnit>(units_->itemData(row).toInt());
        });
    });
    connect(compare_, &QPushButton::clicked, this, &CaptureBox::other_requested);
    connect(close_, &QToolButton::clicked, this, [this] {
        change(tr("End the comparison"), [](Session& session) {
            session.capture->other.reset();
            session.figure.differences = false;
        });
    });
    connect(difference_, &QCheckBox::toggled, this, [this](bool on) {
        FigureSettings figure = document_.session().figure;
        figure.differences = on;
        document_.change_figure(on ? tr("Show the difference") : tr("Show the weights"), figure);
    });
    connect(&document_, &Document::session_changed, this, &CaptureBox::refresh);
    refresh();
}

template <class Change>
void CaptureBox::change(const QString& text, const Change& change) {
    Session next = document_.session();
    change(next);
    document_.edit(text, std::move(next));
}

void CaptureBox::refresh() {
    const Session& session = document_.session();
    setVisible(session.capture.has_value());
    if (!session.capture)
        return;
    const bool is_compared = session.capture->other.has_value();
    units_->setCurrentIndex(units_->findData(static_cast<int>(session.capture->unit)));
    compare_->setVisible(!is_compared);
    compared_->setVisible(is_compared);
    difference_->setVisible(is_compared);
    if (!is_compared)
        return;
    const QString file = QString::fromStdString(*session.capture->other);
    other_->setText(tr("Compared with %1").arg(QFileInfo(file).fileName()));
    other_->setToolTip(file);
    const QSignalBlocker quiet(difference_);
    difference_->setChecked(session.figure.differences);
}

}  // namespace headlight
