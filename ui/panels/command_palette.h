#pragma once

#include "ui/models/command_model.h"
#include "ui/panels/search_popup.h"

namespace headlight {

class WindowSettings;

/// Everything that the menus do, over the upper middle of a window, to be found by words. What was used last
/// stands first, and is remembered between runs.
class CommandPalette : public SearchPopup {
    Q_OBJECT
public:
    CommandPalette(WindowSettings& settings, QWidget* window);

    void open(std::vector<MenuCommand> commands);

    void filter() override;

signals:
    /// What was chosen is not possible now: in words, with what it lacks.
    void refused(const QString& words);

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
