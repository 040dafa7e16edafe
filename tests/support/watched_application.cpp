#include "tests/support/watched_application.h"

#include "core/tensor/sanitizers.h"
#include "ui/jobs/latest_job.h"

#include <QAbstractEventDispatcher>
#include <QEvent>
#include <QLocale>
#include <QMetaEnum>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <execinfo.h>
#include <optional>
#include <pthread.h>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

constexpr nanoseconds longest_turn = headlight::is_sanitized ? 3s : 100ms;

/// A machine with much else to do keeps those that the thread waits for from running, and nobody tells how
/// long.
constexpr nanoseconds longest_wait = 5 * longest_turn;

/// How often the watch looks at the thread.
constexpr nanoseconds look_every = 5ms;

nanoseconds time_of(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return std::chrono::seconds(now.tv_sec) + nanoseconds(now.tv_nsec);
}

/// How many times slower the processor is at this moment than a quiet one, at least 1.
///
/// What runs beside a virtual machine takes from its caches, its clock and its cores, and the processor time
/// of a thread counts what was taken. A piece of work that takes a quiet core a millisecond sees it.
double slowness() {
    constexpr nanoseconds quiet = 1ms;
    static std::vector<std::uint32_t> words(1 << 16);
    const nanoseconds began = time_of(CLOCK_THREAD_CPUTIME_ID);
    std::uint32_t at = 1;
    for (int i = 0; i < 400'000; ++i) {
        at = at * 1664525u + 1013904223u;
        words[at >> 16] += at;
    }
    const nanoseconds took = time_of(CLOCK_THREAD_CPUTIME_ID) - began;
    return std::max(1.0, std::chrono::duration<double>(took) / quiet);
}

/// For how long the thread would have run but for others, since it began; nothing where nobody knows.
std::optional<nanoseconds> kept_from_running(pid_t thread) {
    const std::string name = "/proc/self/task/" + std::to_string(thread) + "/schedstat";
    std::FILE* file = std::fopen(name.c_str(), "re");
    if (!file)
        return std::nullopt;
    long long ran = 0, waited = 0;
    const bool is_read = std::fscanf(file, "%lld %lld", &ran, &waited) == 2;
    std::fclose(file);
    return is_read ? std::optional(nanoseconds(waited)) : std::nullopt;
}

/// Set by the UI thread, read by the watch and by the signal's handler.
struct Turn {
    pthread_t thread{};                ///< the UI thread
    int depth = 0;                     ///< of events that it is handling
    std::atomic<unsigned> number = 0;  ///< 0 while there is none; each has another
};

/// Written by the signal's handler, told by the UI thread when the turn has ended.
struct Blocked {
    static constexpr int deepest = 60;
    void* frames[deepest] = {};
    int depth = 0;
    bool is_flush = false;  ///< of a file to the disk
};

Turn turn;
Blocked blocked;
std::atomic<unsigned> asked_about = 0;

void look(int) {
    if (turn.number == asked_about && blocked.depth == 0)
        blocked.depth = backtrace(blocked.frames, Blocked::deepest);
}

/// Qt's file dialog keeps its last folder when it is destroyed, and nobody can ask it not to.
bool is_in_file_dialog(void* const* frames, int depth) {
    char** lines = backtrace_symbols(frames, depth);
    const bool is_in = std::any_of(lines, lines + depth, [](const char* line) {
        return std::strstr(line, "11QFileDialogD") != nullptr;
    });
    std::free(lines);
    return is_in;
}

/// A disk may be quick today: to flush one while an event is handled is blocking, however long it takes.
void note_flush() {
    if (!pthread_equal(pthread_self(), turn.thread) || turn.depth == 0 || blocked.depth != 0)
        return;
    void* frames[Blocked::deepest];
    const int depth = backtrace(frames, Blocked::deepest);
    if (is_in_file_dialog(frames, depth))
        return;
    std::copy_n(frames, depth, blocked.frames);
    blocked.is_flush = true;
    blocked.depth = depth;
}

/// The names of functions as addr2line reads them from the program, a line each.
std::string names_of(void* const* frames, int depth) {
    std::string names;
    char** lines = backtrace_symbols(frames, depth);
    for (int i = 0; i < depth; ++i) {
        const std::string line = lines[i];  // "program(function+0x12) [0x...]"
        const auto open = line.find('('), plus = line.find('+', open), close = line.find(')', open);
        std::string command = "addr2line -Cfe '" + line.substr(0, open) + "' ";
        if (plus == open + 1) {  // a function of the program itself: its name is not in the table
            command += line.substr(plus, close - plus) + " 2>/dev/null";
            if (FILE* pipe = popen(command.c_str(), "r")) {
                char name[400] = "";
                if (std::fgets(name, sizeof name, pipe))
                    names += std::string("    ") + name;
                pclose(pipe);
                continue;
            }
        }
        names += "    " + line + '\n';
    }
    std::free(lines);
    return names;
}

}  // namespace

// The whole program calls these in place of the C library's: so do Qt's libraries.
extern "C" [[gnu::visibility("default")]] int fsync(int file) {
    note_flush();
    return static_cast<int>(syscall(SYS_fsync, file));
}
extern "C" [[gnu::visibility("default")]] int fdatasync(int file) {
    note_flush();
    return static_cast<int>(syscall(SYS_fdatasync, file));
}

namespace headlight {

struct WatchedApplication::Watch {
    explicit Watch(WatchedApplication& application) : ui_thread(pthread_self()) {
        turn.thread = ui_thread;
        void* first[1];
        backtrace(first, 1);  // loads what it needs, which a signal's handler may not
        pthread_getcpuclockid(ui_thread, &clock);
        struct sigaction action {};
        action.sa_handler = look;
        action.sa_flags = SA_RESTART;
        sigaction(SIGUSR2, &action, nullptr);
        // A loop inside the handling of an event, of a dialog, has turns of its own.
        const auto come_back = [this] {
            turn.number = 0;
            outermost = turn.depth;
        };
        auto* dispatcher = QAbstractEventDispatcher::instance();
        connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, &application, come_back);
        connect(dispatcher, &QAbstractEventDispatcher::awake, &application, come_back);
        thread = std::thread([this] { watch(); });
    }
    ~Watch() {
        is_over = true;
        thread.join();
    }

    void begin() {
        outermost = std::min(outermost, turn.depth);
        if (turn.depth++ != outermost)
            return;
        turn.number = ++last;
    }
    /// Ends the turn in which `receiver`, which may be gone by now, has handled `event`.
    void end(const char* receiver, QEvent::Type event) {
        if (--turn.depth > outermost)
            return;
        turn.number = 0;
        if (blocked.depth == 0)
            return;
        const QByteArray type = QMetaEnum::fromType<QEvent::Type>().valueToKey(event);
        const std::string what = blocked.is_flush ? "the event loop waited for the disk in "
                                                  : "the event loop was blocked for over " +
                                                        std::to_string(longest_turn / 1ms) + " ms by ";
        const std::string message =
            what + type.toStdString() + " of " + receiver + '\n' + names_of(blocked.frames, blocked.depth);
        blocked.depth = 0;
        blocked.is_flush = false;
        if (QTest::currentTestFunction())
            QTest::qFail(message.c_str(), __FILE__, __LINE__);
        else
            std::fputs(message.c_str(), stderr);
    }

    /// Since the watch first saw the turn: time that has gone by, of which the thread neither ran nor was
    /// kept from it.
    nanoseconds waited() const {
        const auto kept = kept_from_running(ui_thread_id);
        return kept ? (time_of(CLOCK_MONOTONIC) - seen.at) - (time_of(clock) - seen.spent) -
                          (*kept - seen.kept)
                    : 0ns;
    }

    void watch() {
        nanoseconds before = time_of(clock);  // at the last look
        while (!is_over) {
            std::this_thread::sleep_for(look_every);
            const unsigned number = turn.number;
            const nanoseconds now = time_of(clock);
            // The turn began after the last look. Its thread could read the clock when it begins, which would
            // be a twentieth of what tests do.
            if (number != seen.number)
                seen = {number, time_of(CLOCK_MONOTONIC), now, std::max(before, now - look_every),
                        kept_from_running(ui_thread_id).value_or(0ns)};
            before = now;
            const nanoseconds spent = now - seen.began;
            const bool waits = counts_waiting && waited() >= longest_wait;
            if (number == 0 || number == asked_about ||
                (!waits && (spent < longest_turn || spent < longest_turn * slowness())))
                continue;
            asked_about = number;
            pthread_kill(ui_thread, SIGUSR2);
        }
    }

    struct Seen {
        unsigned number = 0;
        nanoseconds at = 0ns, spent = 0ns;
        nanoseconds began = 0ns;  ///< what the thread had spent before the turn, as the watch takes it
        nanoseconds kept = 0ns;
    };

    const pthread_t ui_thread;
    const pid_t ui_thread_id = gettid();
    clockid_t clock{};
    Seen seen;  ///< the turn that the watch is looking at, as it found it
    std::atomic<bool> counts_waiting = false;
    int outermost = 0;  ///< the depth at which an event is a turn
    unsigned last = 0;
    std::atomic<bool> is_over = false;
    std::thread thread;
};

WatchedApplication::WatchedApplication(int& argc, char** argv)
    : QApplication(argc, argv), watch_(std::make_unique<Watch>(*this)) {
    // A test says what it types and looks at what is shown: quick work is shown by then on any machine.
    LatestJob::set_longest_step(5s);
    if (qEnvironmentVariableIsSet("HEADLIGHT_TEST_LOCALE"))
        QLocale::setDefault(QLocale(qEnvironmentVariable("HEADLIGHT_TEST_LOCALE")));
    if (qEnvironmentVariableIsSet("HEADLIGHT_TEST_RIGHT_TO_LEFT"))
        setLayoutDirection(Qt::RightToLeft);
}

WatchedApplication::~WatchedApplication() = default;

void WatchedApplication::count_waiting() { watch_->counts_waiting = true; }

bool WatchedApplication::notify(QObject* receiver, QEvent* event) {
    if (!watch_ || QThread::currentThread() != thread())
        return QApplication::notify(receiver, event);
    const char* const name = receiver->metaObject()->className();
    const QEvent::Type type = event->type();
    watch_->begin();
    const bool is_handled = QApplication::notify(receiver, event);
    watch_->end(name, type);
    return is_handled;
}

}  // namespace headlight
