#include "ui/panels/titled_text.h"

#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QLabel>
#include <QVBoxLayout>

namespace headlight {

TitledText::TitledText(const QString& id, const QString& title, QWidget* parent)
    : QWidget(parent), text_(new WrappedLabel) {
    text_->setObjectName(id);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    if (!title.isEmpty()) {
        auto* heading = new QLabel(title);
        heading->setObjectName(id + QStringLiteral("_title"));
        make_title(*heading);
        text_->setAccessibleName(title);
        layout->addWidget(heading);
    }
    layout->addWidget(text_);
}

void TitledText::show_words(const QString& words) {
    text_->show_words(words);
    setVisible(!words.isEmpty());
}

void TitledText::show_text(const QString& text) {
    text_->show_text(text);
    setVisible(!text.isEmpty());
}

}  // namespace headlight
