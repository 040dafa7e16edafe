#pragma once

#include <QWidget>

class QLabel;

namespace headlight {

class WrappedLabel;

/// A paragraph under a title of its own; hidden while there is nothing to say.
class TitledText : public QWidget {
    Q_OBJECT
public:
    /// `id` names the paragraph. An empty title leaves it alone.
    TitledText(const QString& id, const QString& title, QWidget* parent = nullptr);

    WrappedLabel* text() const { return text_; }
    void show_text(const QString& text);
    /// Plain text with its subscripts lowered.
    void show_words(const QString& words);

private:
    WrappedLabel* text_;
};

}  // namespace headlight
