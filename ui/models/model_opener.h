#pragma once

#include "core/tensor/error.h"
#include "ui/jobs/latest_job.h"

#include <QObject>

namespace headlight {

class Document;

/// Puts a model in place of the mechanism. Models are read off the UI thread.
class ModelOpener : public QObject {
    Q_OBJECT
public:
    explicit ModelOpener(Document& document, QObject* parent = nullptr);

    /// One that comes with the program, or a folder. One undoable step, when it has been read.
    void open(const QString& name);
    /// Back to the mechanism.
    void close();

signals:
    void problem(const headlight::Error& error);

private:
    Document& document_;
    LatestJob reading_;
};

/// "dates-additive-gru" of a folder's path.
QString short_name(const std::string& model);

}  // namespace headlight
