#pragma once

#include "core/io/installed_manual.h"

#include <QObject>

class QWidget;

namespace headlight {

class Actions;

/// What Help does that is no dialog: the ways into the program, pictures of the catalogue, the manual.
class HelpActions : public QObject {
    Q_OBJECT
public:
    /// `manual`: the folder of its pages; without it the entry says so.
    HelpActions(Actions& actions, QWidget* window, std::filesystem::path manual = manual_folder());

    /// A page of the manual, "learned.md", in the program of the desktop for it.
    void open_page(const QString& page);

signals:
    void begin_requested();
    void example_requested();
    /// By the word of its CataloguePicture.
    void picture_requested(const QString& word);

private:
    QWidget* window_;
    std::filesystem::path manual_;
};

}  // namespace headlight
