#pragma once

#include <QObject>
#include <QString>

class QMainWindow;

namespace headlight {

class Actions;
class CatalogueDialog;
class CommandPalette;
class CostDialog;
class Document;
class FileActions;
class KeysDialog;
class KeySettings;
class LevelsDialog;
class SidePanels;
class WindowMessages;
class WindowSettings;

/// The windows beside the main one that its menus open, each made when it is first asked for.
class WindowDialogs : public QObject {
    Q_OBJECT
public:
    /// What is done in them is asked of `panels` and `files`, and said in `messages`.
    WindowDialogs(Document& document, WindowSettings& settings, KeySettings& keys, Actions& actions,
                  SidePanels& panels, FileActions& files, WindowMessages& messages, QMainWindow* window);

public slots:
    void show_commands();
    void show_keys();
    void show_cost();
    /// By the word of its CataloguePicture.
    void show_catalogue(const QString& picture);
    void show_next_level();

private:
    /// The dialog of levels, where the view says that one is shown.
    void show_level();

    Document& document_;
    WindowSettings& settings_;
    KeySettings& keys_;
    Actions& actions_;
    SidePanels& panels_;
    FileActions& files_;
    WindowMessages& messages_;
    QMainWindow* window_;
    CommandPalette* commands_ = nullptr;
    KeysDialog* keys_dialog_ = nullptr;
    CostDialog* cost_ = nullptr;
    CatalogueDialog* catalogue_ = nullptr;
    LevelsDialog* levels_ = nullptr;
};

}  // namespace headlight
