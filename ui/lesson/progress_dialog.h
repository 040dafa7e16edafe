#pragma once

#include "core/lesson/answer_book.h"
#include "core/tensor/error.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;
class QTableWidget;

namespace headlight {

class ClassAnswers;

/// A class's progress: of each question how many of a class were right before and after. Its answers leave
/// the computer only as a file that somebody saves here.
class ProgressDialog : public QDialog {
    Q_OBJECT
public:
    /// Titles and questions are looked up in `lessons`.
    ProgressDialog(ClassAnswers& answers, std::vector<Lesson> lessons, QWidget* parent = nullptr);

    /// Writes those of the chosen class, off this thread; says what is wrong.
    void save_to(const QString& path);

private:
    void read();
    void fill_classes();
    void warn(const Error& error);
    void show_class();
    std::vector<GivenAnswer> of_class() const;
    void ask_save();
    void ask_forget();

    ClassAnswers& answers_;
    std::vector<Lesson> lessons_;
    std::vector<GivenAnswer> given_;
    QComboBox* classes_;
    QTableWidget* table_;
    QLabel* summary_;
    QPushButton *save_, *forget_;
};

}  // namespace headlight
