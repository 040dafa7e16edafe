#include "ui/lesson/lesson_player.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace headlight {
namespace {

bool is_counted(const std::vector<Guess>& guesses) {
    return guesses.size() > 1 ||
           (guesses.size() == 1 && (!guesses.front().hands.empty() || guesses.front().people > 1));
}

/// What a book of answers keeps of guesses at a step's question.
std::vector<GivenAnswer> given_of(LessonRuns& runs, std::size_t step, const std::vector<Guess>& guesses) {
    std::vector<GivenAnswer> given;
    for (const Guess& guess : guesses)
        std::ranges::move(runs.given(step, guess), std::back_inserter(given));
    return given;
}

RightShare share_of(const std::vector<GivenAnswer>& given) {
    RightShare share;
    for (const GivenAnswer& answer : given)
        share.add(answer);
    return share;
}

/// What the picture is of, however it is looked at.
auto subject_of(const Session& shown) {
    return std::tie(shown.sequence, shown.mechanism, shown.custom, shown.model, shown.capture,
                    shown.counterpart, shown.compared);
}

/// The mechanism or the model, however it is set.
auto who_attends(const Session& shown) {
    return std::tuple(shown.mechanism, shown.custom.has_value(),
                      shown.model ? shown.model->name : std::string(), shown.capture.has_value());
}

/// Where each of them stands, and why it is not there.
QStringList reasons_of(const std::vector<LackingNumber>& lacking) {
    QStringList lines;
    for (const LackingNumber& number : lacking)
        lines += QString::fromStdString(number.words + ": " + number.why);
    lines.removeDuplicates();
    return lines;
}

bool are_most_right(const RightShare& share) { return 2 * share.right > share.people; }

}  // namespace

QString Verdict::judgement() const {
    if (guess.isEmpty() && !(is_right && !hands.isEmpty()))
        return QObject::tr("%1Answer: %2.").arg(hands.isEmpty() ? QString() : hands + u' ', answer);
    QString judged = !hands.isEmpty() ? QObject::tr("Right: %1. %2").arg(answer, hands)
                     : !is_right      ? QObject::tr("Not quite: you said %1. Answer: %2.").arg(guess, answer)
                     : answer.startsWith(guess)
                         ? QObject::tr("Right: %1.").arg(answer)
                         : QObject::tr("Right: you said %1. Answer: %2.").arg(guess, answer);
    if (!within.isEmpty())
        judged += QObject::tr(" A guess within %1 is right.").arg(within);
    return judged;
}

LessonPlayer::LessonPlayer(Document& document, QObject* parent) : QObject(parent), document_(document) {
    connect(&document, &Document::lesson_changed, this, [this] {
        if (is_open() && !document_.lesson())
            close();
    });
}

void LessonPlayer::open(Lesson lesson) {
    runs_ = std::make_shared<LessonRuns>(std::move(lesson));
    repeat();
}

void LessonPlayer::resume(Lesson lesson, const LessonPlace& place, Session shown) {
    runs_ = std::make_shared<LessonRuns>(std::move(lesson));
    forget_results();
    guesses_.clear();
    is_passed_over_ = false;
    show(place.step, place.state, std::move(shown));
}

void LessonPlayer::repeat() {
    if (!is_open())
        return;
    forget_results();
    go_to(0, 0);
}

void LessonPlayer::forget_results() {
    results_.clear();
    for (Unjudged& guessed : unjudged_)
        guessed.is_of_this_time = false;
}

std::optional<bool> LessonPlayer::result(std::size_t step) const {
    const auto known = results_.find(step);
    return known == results_.end() ? std::nullopt : std::optional(known->second);
}

const Question* LessonPlayer::open_question() const {
    if (!is_open() || is_ended_ || state_ > 0 || !guesses_.empty() || is_passed_over_ || !here().question)
        return nullptr;
    return &*here().question;
}

bool LessonPlayer::asks_of_another() const {
    return open_question() && who_attends(here().states[state_]) != who_attends(document_.session());
}

const LessonTraining* LessonPlayer::training() const {
    return is_open() && here().training ? &*here().training : nullptr;
}

bool LessonPlayer::shows_own_figure() const {
    if (!is_open())
        return false;
    const Session &own = here().states[state_], &shown = document_.session();
    return subject_of(own) == subject_of(shown) && own.view.view == shown.view.view;
}

std::string LessonPlayer::knob() const {
    return is_open() && !is_ended_ && !open_question() ? here().knob : std::string();
}

void LessonPlayer::answer(const std::vector<Guess>& guesses) {
    if (!open_question() || guesses.empty())
        return;
    guesses_ = guesses;
    is_answer_next_ = false;
    unjudged_.push_back({runs_, step_, guesses});
    if (here().states.size() > 1)
        return move_to(step_, 1);
    emit moved();
    tell();
}

void LessonPlayer::go_on() {
    if (!is_open() || is_ended_)
        return;
    if (open_question() && here().states.size() == 1) {
        // Its answer is said before the next step.
        is_passed_over_ = true;
        is_answer_next_ = false;
        emit moved();
        return tell();
    }
    if (state_ + 1 < here().states.size())
        move_to(step_, state_ + 1);
    else if (step_ + 1 < lesson().steps.size())
        move_to(step_ + 1, 0);
    else
        set_ended(true);
}

void LessonPlayer::go_back() {
    if (!is_open() || (is_first() && !is_ended_))
        return;
    if (is_ended_)
        return set_ended(false);
    if (state_ > 0)
        move_to(step_, state_ - 1);
    else
        move_to(step_ - 1, lesson().steps[step_ - 1].states.size() - 1);
}

void LessonPlayer::read_page(int page, int pages) {
    if (page == page_ && pages == pages_)
        return;
    page_ = page;
    pages_ = pages;
    emit page_changed();
}

void LessonPlayer::set_pages(int pages) {
    // Whoever has come to the question stays there, however many pages lead to it now.
    const bool is_at_question = open_question() && (is_answer_next_ || (page_ > 0 && page_ + 1 == pages_));
    read_page(is_at_question ? pages - 1 : std::min(page_, pages - 1), pages);
}

void LessonPlayer::read_question() {
    if (open_question())
        read_page(pages_ - 1, pages_);
}

void LessonPlayer::set_answer_next(bool next) {
    if (std::exchange(is_answer_next_, next) != next)
        emit page_changed();
}

void LessonPlayer::read_on() {
    if (page_ + 1 < pages_)
        read_page(page_ + 1, pages_);
    else if (open_question() && !is_answer_next_)
        set_answer_next(true);
    else
        go_on();
}

void LessonPlayer::read_back() {
    if (is_answer_next_)
        set_answer_next(false);
    else if (page_ > 0)
        read_page(page_ - 1, pages_);
    else
        go_back();
}

void LessonPlayer::set_ended(bool ended) {
    is_ended_ = ended;
    read_page(0, 1);
    emit moved();
    emit told();
}

void LessonPlayer::show_again() {
    if (is_open())
        go_to(step_, state_);
}

void LessonPlayer::leave() {
    if (is_open())
        emit leave_asked();
}

void LessonPlayer::close() {
    forget_results();
    runs_.reset();
    is_ended_ = is_answer_next_ = false;
    said_ = {};
    read_page(0, 1);
    judge_what_is_left();
    emit moved();
    emit left();
}

void LessonPlayer::go_to(std::size_t step, std::size_t state) {
    show(step, state, lesson().steps[step].states[state]);
}

void LessonPlayer::move_to(std::size_t step, std::size_t state) {
    const bool is_changed = subject_of(here().states[state_]) != subject_of(document_.session());
    go_to(step, state);
    if (is_changed)
        emit changes_replaced();
}

void LessonPlayer::show(std::size_t step, std::size_t state, Session shown) {
    if (step != step_ || state == 0) {
        guesses_.clear();
        is_passed_over_ = false;
    }
    const bool is_guessed_cell =
        !guesses_.empty() && state_ == 0 && here().question->kind == Question::Kind::cell;
    is_ended_ = is_answer_next_ = false;
    said_ = {};  // of another place
    step_ = step;
    state_ = state;
    read_page(0, 1);
    shown.view.theme = document_.view().theme;
    if (is_guessed_cell) {
        // The frame stays on the guess until the answer is worked out.
        shown.view.selection.query = document_.view().selection.query;
        shown.view.selection.key = document_.view().selection.key;
    }
    document_.show_lesson({"Lesson: " + here().title, std::move(shown)}, {lesson().source, step, state});
    emit moved();
    tell();
}

void LessonPlayer::judge(const Unjudged& asked, const Cancellation& cancellation) {
    std::vector<GivenAnswer> given = given_of(*asked.runs, asked.step, asked.guesses);
    job_.deliver_part(cancellation, [this, given = std::move(given)] {
        // A job judges all that was unjudged when it began, in this order: these are the first.
        const Unjudged judged = std::move(unjudged_.front());
        unjudged_.erase(unjudged_.begin());
        if (judged.is_of_this_time)
            results_[judged.step] = are_most_right(share_of(given));
        emit guessed(given);
    });
}

void LessonPlayer::judge_what_is_left() {
    job_.cancel();
    if (unjudged_.empty())
        return;
    job_.start(
        "judge the guesses of a lesson",
        [this, unjudged = unjudged_](const Cancellation& cancellation) -> LatestJob::Delivery {
            for (const Unjudged& asked : unjudged)
                judge(asked, cancellation);
            return {};
        },
        [this](const Error&) { unjudged_.clear(); });
}

void LessonPlayer::look_at(Index query, Index key) {
    Selection selection = document_.view().selection;
    selection.query = query;
    selection.key = key;
    document_.looking().select(selection);
}

LessonPlayer::Said LessonPlayer::what_is_said(LessonRuns& runs, std::size_t step, std::size_t state) {
    Said said;
    std::vector<LackingNumber> lacking, lacking_in_notes;
    for (std::size_t part = 0; part <= state; ++part)
        if (const std::string text = runs.text(step, part, &lacking); !text.empty()) {
            said.newest = QString::fromStdString(text);
            said.newest_state = part;
            said.text += (said.text.isEmpty() ? "" : "\n\n") + said.newest;
        }
    said.problems = reasons_of(lacking);
    // Those of the notes are the teacher's alone.
    said.notes = QString::fromStdString(runs.notes(step, &lacking_in_notes));
    for (const QString& line : reasons_of(lacking_in_notes))
        said.notes += QStringLiteral("\n\n") + line;
    if (runs.lesson().steps[step].question)
        try {
            said.answer = QString::fromStdString(runs.answer(step).told());
        } catch (const Error& error) {
            said.problems += QString::fromStdString(error.what());
        }
    return said;
}

void LessonPlayer::add_verdict(Said& said, LessonRuns& runs, std::size_t step, std::size_t state,
                               const std::vector<Guess>& guesses) {
    const Question& question = *runs.lesson().steps[step].question;
    try {
        const Answer answer = runs.answer(step);
        const std::vector<GivenAnswer> given = given_of(runs, step, guesses);
        const RightShare share = share_of(given);
        Verdict verdict;
        verdict.is_right = are_most_right(share);
        if (is_counted(guesses))
            verdict.hands = tr("%1 of %2 hands were right.").arg(share.right).arg(share.people);
        else if (!given.empty())
            verdict.guess = QString::fromStdString(question.kind == Question::Kind::weight
                                                       ? given.front().words
                                                       : quoted_once(given.front().words));
        verdict.answer = QString::fromStdString(answer.said());
        verdict.within = QString::fromStdString(answer.within);
        std::vector<LackingNumber> lacking;
        verdict.because = QString::fromStdString(runs.because(step, &lacking));
        said.problems += reasons_of(lacking);
        if (question.kind == Question::Kind::cell)
            said.frame = runs.answered(step, state);
        said.verdict = verdict;
    } catch (const Error& error) {
        said.problems += QString::fromStdString(error.what());
    }
}

void LessonPlayer::tell() {
    said_ = {};
    read_page(0, 1);
    problem_.clear();
    const bool is_answered = here().question && !open_question();
    job_.start(
        "work out the numbers of a lesson",
        [this, runs = runs_, step = step_, state = state_, is_answered, guesses = guesses_,
         unjudged = unjudged_](const Cancellation& cancellation) -> LatestJob::Delivery {
            QStringList problems;
            try {
                for (const Unjudged& asked : unjudged)
                    judge(asked, cancellation);
            } catch (const Error& error) {
                problems += QString::fromStdString(error.what());
            }
            Said said = what_is_said(*runs, step, state);
            if (is_answered)
                add_verdict(said, *runs, step, state, guesses);
            problems += said.problems;
            problems.removeDuplicates();
            return [this, said, problems] {
                // What was judged has been told of. A guess that cannot be judged must not stop the next
                // words.
                unjudged_.clear();
                said_ = said;
                problem_ = problems.join(u'\n');
                if (said.frame)
                    look_at(said.frame->query, said.frame->key);
                emit told();
            };
        },
        [this](const Error& error) {
            unjudged_.clear();
            problem_ = QString::fromStdString(error.what());
            emit told();
        });
}

}  // namespace headlight
