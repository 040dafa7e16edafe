#include "ui/models/parameter_table_model.h"

#include "core/attention/explain.h"
#include "core/workbench/parameter_edits.h"
#include "ui/models/document.h"

#include <QLocale>

#include <bitset>
#include <cmath>

namespace headlight {

ParameterTableModel::ParameterTableModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent), document_(document) {
    connect(&document_, &Document::run_changed, this, &ParameterTableModel::refresh);
}

void ParameterTableModel::set_parameter(const std::string& name) {
    name_ = name;
    refresh();
}

void ParameterTableModel::say(const QString& problem) {
    if (problem == problem_)
        return;
    problem_ = problem;
    emit problem_changed(problem_);
}

void ParameterTableModel::refresh() {
    say({});
    const std::shared_ptr<const Run> run = document_.run();
    const Tensor* tensor = nullptr;
    if (run && run->plan) {
        const auto found = run->plan->inputs.parameters.find(name_);
        if (found != run->plan->inputs.parameters.end() && found->second.rank() <= 2)
            tensor = &found->second;
    }
    const int columns =
        !tensor ? 0 : static_cast<int>(tensor->rank() == 0 ? 1 : tensor->extent(tensor->rank() - 1));
    const int rows = !tensor || columns == 0 ? 0 : static_cast<int>(tensor->size() / columns);
    // The same shape keeps the reader's place in the table: only the numbers have changed.
    const bool same_shape = rows == rows_ && columns == columns_;
    if (!same_shape)
        beginResetModel();
    run_ = run;
    tensor_ = tensor;
    rows_ = rows;
    columns_ = columns;
    if (!same_shape)
        endResetModel();
    else if (rows > 0)
        emit dataChanged(index(0, 0), index(rows - 1, columns - 1));
}

QStringList ParameterTableModel::telling_texts() const {
    constexpr int least = -1074, most = 1023;  // of a double
    std::bitset<most - least + 1> powers;
    for (Index i = 0; tensor_ && i < tensor_->size(); ++i)
        if (const double number = (*tensor_)[i]; number != 0 && std::isfinite(number))
            powers.set(static_cast<std::size_t>(std::ilogb(number) - least));
    QStringList texts;
    for (std::size_t power = 0; power < powers.size(); ++power)
        if (powers.test(power))
            for (const double number : {-1.0003, -1.4321, -1.9876})  // with four digits and a sign
                texts += QString::fromStdString(
                    format_number(std::ldexp(number, static_cast<int>(power) + least)));
    return texts;
}

int ParameterTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }

int ParameterTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns_;
}

/// "W_q[3, 4]"
QString ParameterTableModel::title_of(const QModelIndex& cell) const {
    return QStringLiteral("%1[%2, %3]")
        .arg(QString::fromStdString(name_))
        .arg(cell.row() + 1)
        .arg(cell.column() + 1);
}

double ParameterTableModel::number(const QModelIndex& index) const {
    return (*tensor_)[Index(index.row()) * columns_ + index.column()];
}

QVariant ParameterTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !tensor_)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromStdString(format_number(number(index)));
    case Qt::EditRole:
        return QLocale::c().toString(number(index), 'g', QLocale::FloatingPointShortest);
    case Qt::ToolTipRole:
        return QStringLiteral("%1 = %2").arg(title_of(index)).arg(number(index), 0, 'g', 17);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    default:
        return {};
    }
}

bool ParameterTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !index.isValid() || !tensor_)
        return false;
    bool is_number = false;
    QString text = value.toString().trimmed();
    text.replace(QChar(0x2212), QLatin1Char('-'));  // the minus sign that the table itself shows
    const double number = QLocale::c().toDouble(text, &is_number);
    if (!is_number || !std::isfinite(number)) {
        say(text.isEmpty()
                ? tr("%1 needs a number, such as −0.25 or 1e-3. Nothing was typed.").arg(title_of(index))
                : tr("%1 needs a number, such as −0.25 or 1e-3. Here: %2.")
                      .arg(title_of(index), value.toString().trimmed()));
        return false;
    }
    say({});
    Tensor edited = *tensor_;
    edited[Index(index.row()) * columns_ + index.column()] = number;
    document_.edit(
        edit_parameter(document_.session(), name_, std::move(edited), index.row(), index.column()));
    return true;
}

QVariant ParameterTableModel::headerData(int section, Qt::Orientation, int role) const {
    return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
}

Qt::ItemFlags ParameterTableModel::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return Qt::NoItemFlags;
    // A model has learned its own: they are there to look at.
    const bool is_learned = !document_.session().runs_mechanism();
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | (is_learned ? Qt::NoItemFlags : Qt::ItemIsEditable);
}

}  // namespace headlight
