#pragma once

#include <QDialog>

#include <vector>

class QLabel;
class QLineEdit;
class QTabWidget;

namespace headlight {

class CatalogueView;
class Document;

/// All mechanisms as pictures: by family and year, and who comes from whom. What is clicked there attends in
/// the window, beside which the pictures stay open.
class CatalogueDialog : public QDialog {
    Q_OBJECT
public:
    explicit CatalogueDialog(Document& document, QWidget* parent = nullptr);

    /// By the word of its CataloguePicture.
    void show_picture(const QString& word);

signals:
    /// That mechanism was chosen.
    void chosen(const std::string& id);
    /// The picture of that word is to be saved.
    void export_requested(const QString& word);

private:
    QWidget* build_controls();
    /// Goes to what the text finds, in all pictures.
    void search();
    CatalogueView* shown() const;
    /// The pictures go to the mechanism that attends.
    void follow_session();
    void follow_theme();

    Document& document_;
    std::vector<CatalogueView*> views_;  ///< [catalogue_pictures()]
    QTabWidget* tabs_;
    QLineEdit* search_;
    QLabel* found_;  ///< how many
};

}  // namespace headlight
