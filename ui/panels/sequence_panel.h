#pragma once

#include "core/io/session.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QScrollArea;
class QToolButton;

namespace headlight {

class CounterpartBox;
class Document;
class ImageBox;
class NumberControl;
class SeedBox;
class SequenceEdit;
class TokenStrip;

/// What goes in: the texts, how they are split, and where the token vectors come from.
class SequencePanel : public QWidget {
    Q_OBJECT
public:
    explicit SequencePanel(Document& document, QWidget* parent = nullptr);

    /// Ready to be typed over: the whole query text is chosen.
    void choose_text();

signals:
    /// The "Open…" button: choosing and reading files is the window's business.
    void open_requested();
    void example_picture_requested();
    /// A text was pasted that is too long to show.
    void paste_refused(qsizetype length);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// The text of one sequence with its tokens under it.
    struct Text {
        QWidget* box = nullptr;
        SequenceEdit* edit = nullptr;
        QScrollArea* scroll = nullptr;
        TokenStrip* tokens = nullptr;
    };
    Text make_text(const QString& id, const QString& label, const QString& effect);
    void add_vector_controls(QFormLayout& form);
    void connect_texts();
    void refresh();
    void refresh_tokens();
    void fit_tokens();
    /// Marks the chips of the selected tokens, and brings them into sight.
    void show_selected();

    /// Marks what is searched for among the tokens.
    void show_found();

    Document& document_;
    Text query_, key_;
    CounterpartBox* counterpart_;
    ImageBox* image_box_;
    QWidget* file_box_;
    QLabel* file_label_;
    QToolButton* file_close_;
    QComboBox* split_;
    QComboBox* vectors_;
    NumberControl* dimension_;
    QComboBox* reduction_;
    SeedBox* seed_;
    QCheckBox* positions_;
};

}  // namespace headlight
