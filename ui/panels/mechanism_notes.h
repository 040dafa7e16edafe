#pragma once

#include <QWidget>

#include <string>

namespace headlight {

class Document;
class WrappedLabel;

/// What to know while looking at the picture: what to look for, what is often printed otherwise, and where to
/// go next. Of a model, what to look for in its task.
class MechanismNotes : public QWidget {
    Q_OBJECT
public:
    explicit MechanismNotes(Document& document, QWidget* parent = nullptr);

signals:
    void related_chosen(const std::string& id);

private:
    void refresh();

    Document& document_;
    WrappedLabel *look_for_, *correction_, *related_;
};

}  // namespace headlight
