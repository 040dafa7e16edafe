#pragma once

#include "core/lesson/lesson_runs.h"
#include "ui/jobs/latest_job.h"
#include "ui/models/document.h"

#include <QString>
#include <QStringList>

#include <map>
#include <memory>
#include <optional>

namespace headlight {

/// What is said when a question was answered.
struct Verdict {
    bool is_right = false;
    QString guess{};  ///< empty where the question was passed over, and where hands were counted
    QString hands{};  ///< how many were right, where they were counted
    QString answer{};
    QString within{};   ///< how far off a guess still is right: "0.10"; empty where only the answer is
    QString because{};  ///< the reason

    /// Whether it was right, and the answer, once: "Not quite: you said 0.90. Answer: 0.42. A guess within
    /// 0.10 is right."
    QString judgement() const;
    bool operator==(const Verdict&) const = default;
};

/// Goes through a lesson: has a document show the states of its steps, where a person may change and undo as
/// ever, and works out what is said beside them. The document keeps what was there before, and has it again
/// when the lesson is left.
class LessonPlayer : public QObject {
    Q_OBJECT
public:
    explicit LessonPlayer(Document& document, QObject* parent = nullptr);

    /// Its first step is shown. Another lesson is left without a word.
    void open(Lesson lesson);
    /// Goes on at a place of the lesson (open_lesson_at()) with what was shown there, which may have been
    /// changed by a person.
    void resume(Lesson lesson, const LessonPlace& place, Session shown);
    bool is_open() const { return runs_ != nullptr; }
    const Lesson& lesson() const { return runs_->lesson(); }

    std::size_t step() const { return step_; }
    std::size_t state() const { return state_; }
    bool is_first() const { return step_ == 0 && state_ == 0; }
    /// The last part of the last step. Behind it comes the end.
    bool is_last() const { return step_ + 1 == lesson().steps.size() && state_ + 1 == here().states.size(); }

    /// Behind the last step: what was right is told, the picture stays.
    bool is_ended() const { return is_ended_; }
    /// Whether the question of a step was guessed right; nothing where it has none, or nobody guessed.
    std::optional<bool> result(std::size_t step) const;

    /// What is said so far in this step: Markdown. Empty while its numbers are being worked out.
    const QString& text() const { return said_.text; }
    /// The last of it, and the state that it was said at.
    const QString& newest_text() const { return said_.newest; }
    std::size_t newest_state() const { return said_.newest_state; }
    const QString& notes() const { return said_.notes; }
    /// The answer to this step's question, whether it was asked already or not: for the teacher alone.
    const QString& answer_words() const { return said_.answer; }
    /// Why numbers are lacking in what is said, or the answer to the question, in words; empty where nothing
    /// is wrong.
    const QString& problem() const { return problem_; }

    /// What is said here is read in so many pages where it has little room, and which one is read now, from
    /// 0. There an open question is the last one, behind what leads to it.
    int pages() const { return pages_; }
    int page() const { return page_; }
    /// For the place where it is read, once it has laid out what is said. Another part of the lesson begins
    /// with one page again.
    void set_pages(int pages);

    /// The question of this step, while it has not been answered or passed over.
    const Question* open_question() const;
    /// Whether it is open while another mechanism or model stands in the place of the one it is about.
    bool asks_of_another() const;
    /// The view that the lesson shows with what it says here, whichever a person looks at.
    ViewKind asked_view() const { return here().states[state_].view.view; }
    /// Whether the picture is of what the lesson shows here: its words or numbers, its mechanism or model,
    /// its view. Another cell or stage, and a knob that was turned, make no other picture of it.
    bool shows_own_figure() const;
    /// What may be trained at this step; nullptr where nothing is.
    const LessonTraining* training() const;
    /// Whether read_on() has stopped at the open question: once more shows its answer.
    bool is_answer_next() const { return is_answer_next_; }
    /// The knob that may be turned at this step, by its name; empty where there is none, and as long as a
    /// question is open, whose answer it could be.
    std::string knob() const;
    /// What somebody guessed of the open question is judged, and its answer is revealed. Several guesses are
    /// those of a class whose hands were counted: more than half of them have to be right.
    void answer(const std::vector<Guess>& guesses);
    /// Returns the verdict on this step's question, once it was answered or passed over.
    const std::optional<Verdict>& verdict() const { return said_.verdict; }

public slots:
    /// What is revealed next, then the next step, then the end. An open question is passed over.
    void go_on();
    void go_back();
    /// The next page of what is said, and behind the last one what go_on() shows. At an open question it
    /// stops once: who presses a key to read on, or twice by mistake, has not asked for the answer.
    void read_on();
    /// The page before it, and before the first one what go_back() shows. Where read_on() has stopped at a
    /// question, its answer is next no more.
    void read_back();
    /// Past the pages that lead to an open question.
    void read_question();
    /// From the first step, as if nobody had guessed yet.
    void repeat();
    /// The state of the lesson again, whatever was changed in it.
    void show_again();
    /// Asks for what was there before: what was changed in the lesson is put aside first, by whoever has the
    /// files. Then the document leaves the lesson.
    void leave();

signals:
    void leave_asked();
    /// Opened, left, or elsewhere in the lesson.
    void moved();
    /// Another part of the lesson has taken the place of words, a mechanism or a model of a person's.
    void changes_replaced();
    /// It was left, for what was there before or for what was opened.
    void left();
    /// What text(), notes(), problem() or verdict() have is new.
    void told();
    /// pages(), page() or is_answer_next() is another.
    void page_changed();
    /// What a book of answers keeps of a guess.
    void guessed(const std::vector<headlight::GivenAnswer>& answers);

private:
    /// What the worker found out about a state.
    struct Said {
        QString text, newest, notes, answer;
        std::size_t newest_state = 0;
        std::optional<Verdict> verdict;
        std::optional<Selection> frame;  ///< where the answer is a cell
        QStringList problems;
    };

    /// Guesses at a step's question that no job has judged yet. A person may go on before it has.
    struct Unjudged {
        std::shared_ptr<LessonRuns> runs;
        std::size_t step = 0;
        std::vector<Guess> guesses;
        bool is_of_this_time = true;  ///< false once the lesson was left or begun again
    };

    const LessonStep& here() const { return lesson().steps[step_]; }
    void go_to(std::size_t step, std::size_t state);
    /// go_to(), and tells what is lost from sight there.
    void move_to(std::size_t step, std::size_t state);
    void show(std::size_t step, std::size_t state, Session shown);
    /// Once the document shows no lesson any more.
    void close();
    void set_ended(bool ended);
    void read_page(int page, int pages);
    void set_answer_next(bool next);
    /// As if nobody had guessed yet. Guesses that are not judged yet are kept nevertheless.
    void forget_results();
    // From within a job. What cannot be found out is among the problems, and the rest is there.
    static Said what_is_said(LessonRuns& runs, std::size_t step, std::size_t state);
    static void add_verdict(Said& said, LessonRuns& runs, std::size_t step, std::size_t state,
                            const std::vector<Guess>& guesses);
    /// From within a job: finds out who was right, and delivers that as a part of the job.
    void judge(const Unjudged& asked, const Cancellation& cancellation);
    /// Once no lesson is open any more.
    void judge_what_is_left();
    void tell();
    /// Puts the frame of the picture there.
    void look_at(Index query, Index key);

    Document& document_;
    std::shared_ptr<LessonRuns> runs_;  ///< what is asked of it is asked by the job
    std::size_t step_ = 0, state_ = 0;
    bool is_passed_over_ = false, is_answer_next_ = false, is_ended_ = false;
    std::map<std::size_t, bool> results_;  ///< by step
    std::vector<Guess> guesses_;           ///< of the step's question; none before it is answered
    std::vector<Unjudged> unjudged_;       ///< in the order in which they were guessed
    Said said_;
    QString problem_;
    int page_ = 0, pages_ = 1;
    LatestJob job_;
};

}  // namespace headlight
