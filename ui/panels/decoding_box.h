#pragma once

#include "core/model/word_choice.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QPushButton;

namespace headlight {

class Document;
class NumberControl;
class SeedBox;

/// How a model finds its words: the likeliest, a beam, or drawn; and what each of these needs.
class DecodingBox : public QWidget {
    Q_OBJECT
public:
    explicit DecodingBox(Document& document, QWidget* parent = nullptr);

private:
    /// A setting, and which way it belongs to.
    struct Row {
        WordChoice::Way way;
        NumberControl* control;
        double (*read)(const WordChoice&);
        void (*write)(WordChoice&, double);
    };

    void add_row(const QString& label, const QString& step, Row row);
    void change(const QString& text, const WordChoice& choice, const QString& merge = {});
    void refresh();

    Document& document_;
    QComboBox* way_;
    QFormLayout* form_;
    SeedBox* seed_;
    QPushButton* again_;
    std::vector<Row> rows_;
};

}  // namespace headlight
