#include "ui/models/model_opener.h"

#include "core/io/shipped_models.h"
#include "core/workbench/model_edits.h"
#include "ui/models/document.h"

#include <QDir>

namespace headlight {

ModelOpener::ModelOpener(Document& document, QObject* parent) : QObject(parent), document_(document) {}

void ModelOpener::open(const QString& name) {
    reading_.start(
        "open model",
        [this, name](const Cancellation&) -> Job::Delivery {
            const std::shared_ptr<const TaskModel> model = open_model(name.toStdString()).model;
            return [this, name, model] {
                document_.edit(run_model(document_.session(), name.toStdString(), *model));
            };
        },
        [this](const Error& error) { emit problem(error); });
}

void ModelOpener::close() {
    reading_.cancel();
    document_.edit(leave_model(document_.session()));
}

QString short_name(const std::string& model) {
    return QDir(QDir::cleanPath(QString::fromStdString(model))).dirName();
}

}  // namespace headlight
