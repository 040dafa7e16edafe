#pragma once

#include "core/analysis/receptive_field.h"
#include "ui/jobs/latest_job.h"
#include "ui/models/mask_drawing.h"

#include <QDialog>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QCheckBox;
class QLabel;
class QSlider;
class QToolButton;
class QVBoxLayout;

namespace headlight {

class Document;
class MaskCanvas;
class MaskLegend;
class SettingForm;
class WordCombo;

/// "Edit the mask…": which pairs are allowed, drawn on the matrix or joined from patterns, with what that
/// comes to. Accepted, the drawing is the session's mask.
class MaskEditor : public QDialog {
    Q_OBJECT
public:
    /// Throws Error when the session has no tokens to draw a mask for.
    explicit MaskEditor(Document& document, QWidget* parent = nullptr);

    MaskDrawing& drawing() { return *drawing_; }

public slots:
    void accept() override;
    /// Asks first where a mask was drawn that would be lost.
    void reject() override;
    /// What was drawn is the session's mask now, or dropped.
    void done(int result) override;

private:
    bool is_as_found() const;
    QWidget* build_brush();
    QWidget* build_pattern();
    QWidget* build_numbers();
    QToolButton* add_button(const QString& id, const QString& text, const QString& effect);
    void show_pattern();
    void join(MaskJoin how);
    void refresh();
    void measure();
    void show_field();

    Document& document_;
    MaskDrawing* drawing_ = nullptr;
    std::vector<std::uint8_t> found_;  ///< the cells before anything was drawn
    MaskCanvas* canvas_ = nullptr;
    MaskLegend* legend_ = nullptr;
    Mask pattern_;
    WordCombo* patterns_ = nullptr;
    QCheckBox* inverted_ = nullptr;
    SettingForm* settings_ = nullptr;
    QLabel *counts_ = nullptr, *about_ = nullptr, *field_text_ = nullptr, *problem_ = nullptr;
    QSlider* layers_ = nullptr;
    QToolButton *undo_ = nullptr, *redo_ = nullptr;
    std::shared_ptr<const ReceptiveField> field_;
    QTimer keeping_;              ///< from a stroke to when the document has it, to be kept with the work
    bool measure_again_ = false;  ///< the drawing has changed since the measuring under way began
    LatestJob measuring_;
};

}  // namespace headlight
