#pragma once

#include "core/workbench/mask_parts.h"
#include "ui/panels/setting_form.h"

#include <QWidget>

#include <array>

class QCheckBox;
class QComboBox;
class QLabel;

namespace headlight {

class WordCombo;
class WrappedLabel;

/// The mask of "Build your own": up to three patterns, each as it is or inverted, and whether all or any of
/// them must allow a pair. A place for one more stands below the last.
class ComposerMask : public QWidget {
    Q_OBJECT
public:
    explicit ComposerMask(const QString& label, QWidget* parent = nullptr);

    void show_mask(const Mask& mask, bool on_image);
    /// Shows why the choices of part `index` are impossible.
    void show_impossible(std::size_t index, const std::map<std::string, std::string>& reasons);
    void show_problem(const QString& problem);

signals:
    void edited(const headlight::Mask& mask, const QString& merge);

private:
    struct Part {
        QWidget* row;
        QLabel* link;  ///< "and", "or": to the mask before
        QCheckBox* inverted;
        WordCombo* words;
        WrappedLabel* meaning;
        SettingForm* form;
        std::vector<MaskSetting> settings;
    };
    void build_part(std::size_t index);
    void show_part(std::size_t index, bool on_image);
    void choose(std::size_t index, const std::string& word);
    void change(MaskParts parts, const QString& merge = {});

    MaskParts parts_;
    bool is_other_ = false;  ///< composed of more than this can show
    std::array<Part, most_mask_parts> rows_;
    QComboBox* combination_;
    QLabel* name_;
    WrappedLabel* note_;
    WrappedLabel* problem_;
};

}  // namespace headlight
