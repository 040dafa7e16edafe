#pragma once

#include "ui/models/mechanism_filter.h"

#include <QWidget>

#include <array>
#include <functional>
#include <vector>

class QComboBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace headlight {

/// What may be asked of a mechanism, as small buttons that stay down, two menus and two years.
class MechanismFilterBar : public QWidget {
    Q_OBJECT
public:
    explicit MechanismFilterBar(QWidget* parent = nullptr);

    /// The text is not the bar's business.
    const MechanismCriteria& criteria() const { return criteria_; }
    void clear();
    /// Those that open a window of their own.
    std::array<const QComboBox*, 2> lists() const { return {family_, cost_}; }
    /// How many of all there are the criteria leave.
    void show_count(int found, int all);

signals:
    void changed();

private:
    QToolButton* add_chip(const QString& id, const QString& text, const QString& effect,
                          bool MechanismCriteria::*asked);
    QSpinBox* add_year(const QString& id, const QString& name, const QString& effect, bool is_first);
    void ask();
    void refresh();

    MechanismCriteria criteria_;
    std::vector<std::pair<QToolButton*, bool MechanismCriteria::*>> chips_;
    QComboBox *family_, *cost_;
    QSpinBox *from_, *to_;
    QToolButton* clear_;
    QLabel* count_;
};

}  // namespace headlight
