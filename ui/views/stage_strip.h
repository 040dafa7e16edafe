#pragma once

#include <QScrollArea>

#include <string>
#include <vector>

class QButtonGroup;
class QHBoxLayout;

namespace headlight {

/// The stages of the formula in order, as a strip of buttons; the current one is pressed and kept in sight.
class StageStrip : public QScrollArea {
    Q_OBJECT
public:
    explicit StageStrip(QWidget* parent = nullptr);

    /// Ids as in the trace; shown by their titles.
    void set_stages(const std::vector<std::string>& stages);
    void set_current(const std::string& stage);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(const std::string& stage);

private:
    std::vector<std::string> stages_;
    QHBoxLayout* row_;
    QButtonGroup* buttons_;
};

}  // namespace headlight
