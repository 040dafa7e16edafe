#pragma once

#include "ui/render/film_export.h"

#include <QDialog>

class QCheckBox;
class QDoubleSpinBox;
class QSpinBox;

namespace headlight {

/// Asks how large a film is to be, how long it is to last, and what is drawn beside the maps.
class FilmOptionsDialog : public QDialog {
    Q_OBJECT
public:
    explicit FilmOptionsDialog(const FilmOptions& options, QWidget* parent = nullptr);

    FilmOptions options() const;

private:
    QSpinBox* width_;
    QDoubleSpinBox* seconds_;
    QCheckBox* shows_loss_;
};

}  // namespace headlight
