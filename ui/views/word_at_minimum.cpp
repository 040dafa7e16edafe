#include "ui/views/word_at_minimum.h"

#include "ui/views/inside_qt.h"

#include <QAbstractSpinBox>
#include <QEvent>
#include <QLineEdit>

namespace headlight {
namespace {

class WordSelection : public QObject {
public:
    explicit WordSelection(QAbstractSpinBox& field) : QObject(&field), field_(field) {
        typed_text(field).installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        // Events also come while the text is destroyed, when it is no QLineEdit any more.
        if (event->type() != QEvent::MouseButtonRelease)
            return false;
        auto* text = static_cast<QLineEdit*>(watched);
        if (text->text() == field_.specialValueText())
            text->selectAll();
        return false;
    }

private:
    const QAbstractSpinBox& field_;
};

}  // namespace

void show_word_at_minimum(QAbstractSpinBox& field, const QString& word) {
    field.setSpecialValueText(word);
    if (!word.isEmpty())
        new WordSelection(field);
}

}  // namespace headlight
