#pragma once

#include <QObject>
#include <QThreadPool>

#include <functional>

namespace headlight {

/// Work off the UI thread of which every piece matters, one after another: saving files. What still waits
/// when the queue is destroyed is done first.
class JobQueue : public QObject {
    Q_OBJECT
public:
    using Delivery = std::function<void()>;
    /// Runs on the worker with copies of what it needs; must not throw. The delivery is called on this
    /// object's thread.
    using Work = std::function<Delivery()>;

    explicit JobQueue(QObject* parent = nullptr);
    ~JobQueue() override;

    void add(Work work);
    /// Blocks until everything added so far has run; any thread may ask.
    void wait();

private:
    QThreadPool worker_;
};

}  // namespace headlight
