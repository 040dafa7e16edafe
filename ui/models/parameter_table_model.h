#pragma once

#include "core/tensor/tensor.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <memory>
#include <string>

namespace headlight {

class Document;
struct Run;

/// One parameter of the newest run as a table of numbers, (in, out); a vector is one row. Editing a cell is
/// one step of the document's history; those that a model has learned are not edited.
class ParameterTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit ParameterTableModel(Document& document, QObject* parent = nullptr);

    /// "W_q"; an unknown or empty name gives an empty table.
    void set_parameter(const std::string& name);
    const std::string& parameter() const { return name_; }

    /// Some texts, of which one is as wide as the widest of the table: of each power of two that its numbers
    /// have.
    QStringList telling_texts() const;
    /// What a cell needs, where no number was typed into one last; empty as soon as one was.
    const QString& problem() const { return problem_; }

    int rowCount(const QModelIndex& parent = {}) const final;
    int columnCount(const QModelIndex& parent = {}) const final;
    QVariant data(const QModelIndex& index, int role) const final;
    bool setData(const QModelIndex& index, const QVariant& value, int role) final;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const final;
    Qt::ItemFlags flags(const QModelIndex& index) const final;

signals:
    void problem_changed(const QString& problem);

private:
    void refresh();
    void say(const QString& problem);
    QString title_of(const QModelIndex& cell) const;
    double number(const QModelIndex& index) const;

    Document& document_;
    std::string name_;
    std::shared_ptr<const Run> run_;  ///< keeps tensor_ alive
    const Tensor* tensor_ = nullptr;
    int rows_ = 0, columns_ = 0;
    QString problem_;
};

}  // namespace headlight
