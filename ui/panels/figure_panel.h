#pragma once

#include "core/figure/figure_options.h"

#include <QWidget>

#include <functional>
#include <vector>

class QCheckBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace headlight {

class Document;
class FontCombo;
class WrappedLabel;

/// How the figure is drawn where its author wants it otherwise: titles, type, what of it is drawn, and what
/// is pointed out. Each change is an edit; what is typed and means nothing changes nothing, and a line says
/// so.
class FigurePanel : public QWidget {
    Q_OBJECT
public:
    explicit FigurePanel(Document& document, QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;

signals:
    /// A person wants the colours of another figure.
    void range_file_requested();

private:
    /// A title that may be ours, another one, or left out.
    struct TitleField {
        std::optional<std::string> FigureOptions::*part;
        QCheckBox* is_drawn;
        QLineEdit* text;
    };
    /// What is typed in the words of the command line.
    struct WordField {
        const char* expected;
        std::function<std::string(const FigureOptions&)> write;
        /// False where the text is none.
        std::function<bool(FigureOptions&, const std::string&)> read;
        QString name = {};
        QLineEdit* text = nullptr;
        WrappedLabel* problem = nullptr;
    };

    void add_titles();
    void add_numbers();
    void add_type();
    void add_parts();
    /// What of an axis is drawn.
    void add_slice(const QString& id, const QString& name, const QString& effect,
                   std::optional<AxisSlice> FigureOptions::*slice);
    /// What is drawn on single cells.
    void add_cells();
    void add_title(const QString& id, const QString& name, const QString& effect,
                   std::optional<std::string> FigureOptions::*part);
    QCheckBox* add_switch(const QString& id, const QString& name, const QString& effect,
                          std::function<void(FigureOptions&, bool)> turn);
    QDoubleSpinBox* add_size(const QString& id, const QString& name, const QString& effect,
                             std::optional<double> FigureType::*part, double least, double most);
    void add_words(const QString& id, const QString& name, const QString& effect, WordField field);
    void add_row(const QString& name, QWidget* field);
    void read_renamed();
    void mark_selected();
    void change(const QString& name, const FigureOptions& options, const QString& merge = {});
    void refresh();

    Document& document_;
    QFormLayout* form_;
    std::vector<TitleField> titles_;
    std::vector<WordField> words_;
    QCheckBox *panel_titles_, *caption_, *letters_, *values_, *bar_, *transparent_;
    QSpinBox *digits_, *in_row_;
    FontCombo* font_;
    QDoubleSpinBox *size_, *least_size_, *line_width_;
    QPlainTextEdit* renamed_;
    QPushButton* reset_;
};

}  // namespace headlight
