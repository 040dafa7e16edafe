#pragma once

#include <QWidget>

#include <optional>

class QAction;

namespace headlight {

class Document;
class FoldStrip;
class WindowSettings;

/// A little map beside the picture, which can be folded to a strip with its name. Until a person has chosen,
/// it is unfolded where the page leaves the picture enough beside it, which of a trained model is less. It is
/// gone where it would take a small page's room, beside the large map, and where there is the picture alone;
/// its action brings it back, or says why it cannot.
class MapStrip : public QWidget {
    Q_OBJECT
public:
    /// `settings` remember whether it is folded.
    MapStrip(Document& document, WindowSettings& settings, QWidget* parent = nullptr);

    /// Shows and folds it, for the menu.
    QAction* action() const { return action_; }
    /// Stands at the end of the row that is the layout of `page`.
    void stand_in(QWidget* page);
    /// For the picture alone.
    void put_away(bool away);

signals:
    /// Why it was asked for and is not there.
    void notice(const QString& words);

protected:
    /// The page has another size.
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fold(bool folded);
    QString reason_against() const;
    void show_what_has_room();
    /// It is as wide as so many sizes of the type.
    bool page_has(int ems) const;

    Document& document_;
    WindowSettings& settings_;
    QAction* action_;
    QWidget* open_;  ///< the map and its title
    FoldStrip* folded_;
    std::optional<bool> wants_folded_;  ///< nothing while nobody has said
    bool is_put_away_ = false;
};

}  // namespace headlight
