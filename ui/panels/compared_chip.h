#pragma once

#include <QFrame>

class QToolButton;

namespace headlight {

/// One mechanism of a comparison in the bar above the pictures: its name, with what can be done with it, and
/// a cross that takes it out. The session's own has its name alone.
class ComparedChip : public QFrame {
    Q_OBJECT
public:
    enum class Kind { own, beside };

    ComparedChip(const QString& name, Kind kind, QWidget* parent = nullptr);

    /// What it is set to, or why it cannot run.
    void set_details(const QString& details, bool is_refused);
    bool is_refused() const { return is_refused_; }
    /// Longer names are cut in the middle.
    void set_longest(int characters);

    /// "Use ... as main" and "Remove", of one beside the session's own.
    void open_menu(const QPoint& place);

signals:
    void main_requested();
    void removal_requested();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();

    QString name_;
    QToolButton* title_;
    bool is_refused_ = false;
    int longest_ = 30;
};

}  // namespace headlight
