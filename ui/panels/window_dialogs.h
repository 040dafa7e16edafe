#pragma once

#include "ui/models/menu_commands.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QString>

#include <vector>

class QMainWindow;
class QWidget;

namespace headlight {

class Actions;
class CatalogueDialog;
class Document;
class FileActions;
class ContextMenu;
class KeySettings;
class LevelsDialog;
class SidePanels;
class TrainAction;
class ViewTabs;
class WindowLessons;
class WindowMessages;
class WindowSettings;
struct DialogRow;

/// The windows beside the main one that its menus open, each made when it is first asked for: those of
/// dialog_rows(), the pictures of the catalogue, and the dialog of levels, which follows the view.
class WindowDialogs : public QObject {
    Q_OBJECT
public:
    /// What is done in them is asked of these, and said in `messages`.
    struct Surroundings {
        ViewTabs& views;
        SidePanels& panels;
        FileActions& files;
        WindowMessages& messages;
        TrainAction& train;
        WindowLessons& lessons;
    };

    WindowDialogs(Document& document, WindowSettings& settings, KeySettings& keys, Actions& actions,
                  const Surroundings& around, QMainWindow* window);
    ~WindowDialogs() override;

    // For the rows.
    Document& document() const { return document_; }
    const Surroundings& around() const { return around_; }
    QMainWindow* window() const { return window_; }
    /// All that the menus of the window do.
    std::vector<MenuCommand> commands() const;
    /// The same, and what can be done with what is selected in the picture.
    std::vector<MenuCommand> commands_here();

    QWidget* make_palette();
    QWidget* make_keys();
    QWidget* make_cost();

public slots:
    /// By the word of its CataloguePicture.
    void show_catalogue(const QString& picture);
    void show_next_level();

private:
    void open(const DialogRow& row);
    void forget_here();
    /// The dialog of levels, where the view says that one is shown.
    void show_level();

    Document& document_;
    WindowSettings& settings_;
    KeySettings& keys_;
    Actions& actions_;
    Surroundings around_;
    QMainWindow* window_;
    QHash<QString, QPointer<QWidget>> made_;  ///< by the id of the action
    QPointer<ContextMenu> here_;              ///< of what was selected when commands_here() was asked last
    QPointer<CatalogueDialog> catalogue_;
    QPointer<LevelsDialog> levels_;
};

}  // namespace headlight
