#pragma once

#include "ui/models/mechanism_model.h"

#include <QToolButton>

#include <optional>

namespace headlight {

class MechanismLibrary;
class MechanismPopup;

/// The name of the mechanism as a button; pressed, it opens the catalogue as a tree with a search line.
class MechanismChooser : public QToolButton {
    Q_OBJECT
public:
    explicit MechanismChooser(const MechanismLibrary& library, QWidget* parent = nullptr);

    /// A mechanism of the catalogue.
    void set_current(const std::string& id);
    /// One's own.
    void set_current_own(const QString& name);
    /// The mechanism `by` places further in teaching order; the ends stay.
    void step(int by);
    /// With a text that is searched for.
    void open(const QString& text = {});

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(const std::string& id);
    void own_chosen(const QString& name, bool is_draft);
    /// After one of them, when it was picked in the tree: the tree is gone, and the keyboard with it.
    void picked();
    /// The tree is gone, after picked() or without.
    void closed(bool was_picked);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void show_name(const QString& name);
    void accept(const QModelIndex& index);
    /// The whole catalogue, which nobody has asked for before the tree is opened.
    MechanismModel& model();

    const MechanismLibrary& library_;
    std::optional<MechanismModel> model_;
    std::string current_;
    QString own_;
    MechanismPopup* popup_ = nullptr;
};

}  // namespace headlight
