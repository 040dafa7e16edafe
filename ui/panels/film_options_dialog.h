#pragma once

#include "ui/render/film_export.h"

#include <QDialog>

#include <optional>

class QCheckBox;
class QDoubleSpinBox;
class QSpinBox;

namespace headlight {

/// Asks how large a film is to be, how long it is to last, and of a training what is drawn beside the maps.
class FilmOptionsDialog : public QDialog {
    Q_OBJECT
public:
    enum class Of { training, motion };

    explicit FilmOptionsDialog(const FilmOptions& options, Of of = Of::training, QWidget* parent = nullptr);

    FilmOptions options() const;

private:
    QSpinBox* width_;
    QDoubleSpinBox* seconds_;
    QCheckBox* shows_loss_;
};

/// Asks that, beginning with `options`, which get the answer, and then for the file. Nothing where a person
/// thinks better of it.
std::optional<QString> ask_film_file(FilmOptions& options, FilmOptionsDialog::Of of, QWidget* parent);

}  // namespace headlight
