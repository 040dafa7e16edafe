#pragma once

#include <QObject>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace headlight {

/// One thread that does tasks one after another, and hands back what they bring to the thread that this
/// object lives on. All that crosses goes through one mutex of the standard library, which ThreadSanitizer
/// can follow; it cannot see into Qt's own queues.
class Worker : public QObject {
    Q_OBJECT
public:
    /// Called on this object's thread.
    using Delivery = std::function<void()>;
    /// Called on the worker, with copies of what it needs; must not throw.
    using Task = std::function<Delivery()>;

    enum class Priority {
        normal,
        background,  ///< after everything that somebody waits for; its own threads too
    };

    explicit Worker(QObject* parent = nullptr) : Worker(Priority::normal, parent) {}
    explicit Worker(Priority priority, QObject* parent = nullptr) : QObject(parent), priority_(priority) {}
    /// Waits for all tasks; what they still deliver is dropped.
    ~Worker() override;

    void add(Task task);
    /// Drops the tasks that have not begun.
    void clear();
    /// Blocks until every task is done; any thread but the worker may ask.
    void wait();
    /// Takes a part of the result back before its task is done; any thread may.
    void hand_back(Delivery delivery);

private:
    void work();
    Q_INVOKABLE void deliver();

    const Priority priority_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> tasks_;
    std::deque<Delivery> deliveries_;
    bool busy_ = false, ending_ = false;
    std::thread thread_;  ///< begins with the first task
};

}  // namespace headlight
