#pragma once

#include "ui/models/command_model.h"
#include "ui/panels/search_popup.h"

namespace headlight {

class WindowSettings;

/// Everything that the menus do, over the upper middle of a window, to be found by words. What was used last
/// stands first, and is remembered between runs. What the catalogue knows, a model or a paper, is offered
/// last.
class CommandPalette : public SearchPopup {
    Q_OBJECT
public:
    CommandPalette(WindowSettings& settings, QWidget* window);

    void open(std::vector<MenuCommand> commands);

    void filter() override;

signals:
    /// What was chosen is not possible now: in words, with what it lacks.
    void refused(const QString& words);
    /// The mechanisms that this text finds are what was looked for.
    void mechanisms_wanted(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void accept(const QModelIndex& index) override;

private:
    QStringList used_last() const;
    void remember(const QString& id);

    WindowSettings& settings_;
    CommandModel model_;
};

}  // namespace headlight
