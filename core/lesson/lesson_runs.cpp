#include "core/lesson/lesson_runs.h"

#include "core/catalog/mechanism.h"
#include "core/io/session_run.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <charconv>

namespace headlight {
namespace {

[[noreturn]] void refuse_number(std::string_view words, const std::string& expected, const std::string& got) {
    throw Error({"write a number of a lesson", "{{" + excerpt(std::string(words)) + "}}", expected, got});
}

/// Whether a number below 0 that follows has brackets: "0.73 × (−0.38)".
bool ends_with_sign(std::string_view text) {
    while (text.ends_with(' '))
        text.remove_suffix(1);
    constexpr std::string_view signs[] = {"+", "−", "×", "·", "÷", "/"};
    return std::ranges::any_of(signs, [text](std::string_view sign) { return text.ends_with(sign); });
}

/// What the state's mechanism is set to: the knob of that name, or the value of its mask.
std::string setting_of(const Session& session, std::string_view name, std::string_view words) {
    std::string knobs;
    std::optional<ParameterValue> value;
    if (session.mask_value) {
        knobs = "mask_value";
        if (name == knobs)
            value = *session.mask_value;
    }
    if (session.runs_mechanism() && !session.custom)
        for (const MechanismParameter& knob : mechanism(session.mechanism).parameters) {
            knobs += (knobs.empty() ? "" : ", ") + knob.name;
            if (name == knob.name)
                value = session.values.contains(knob.name) ? session.values.at(knob.name) : knob.standard;
        }
    if (!value)
        refuse_number(words, knobs.empty() ? "no setting, for this state has none" : knobs,
                      excerpt(std::string(name)));
    std::string written = to_string(*value);
    if (written.starts_with('-'))
        written.replace(0, 1, "−");
    return written;
}

}  // namespace

const LessonRuns::Run& LessonRuns::known_run(std::size_t step, std::size_t state) {
    if (const auto known = runs_.find({step, state}); known != runs_.end())
        return known->second;
    const Session& session = lesson_.steps.at(step).states.at(state);
    Run made;
    // A step begins where the one before it ended.
    const bool is_first = state == 0;
    if (!is_first || step > 0) {
        const std::size_t before = is_first ? step - 1 : step;
        const std::size_t at = is_first ? lesson_.steps[before].states.size() - 1 : state - 1;
        if (same_edits(session, lesson_.steps[before].states[at]))
            made = known_run(before, at);
    }
    if (!made.trace) {
        SessionRun ran = run_session(session);
        made = {std::make_shared<const Trace>(std::move(ran.trace)), std::move(ran.said)};
    }
    return runs_.emplace(std::pair(step, state), std::move(made)).first->second;
}

std::shared_ptr<const Trace> LessonRuns::run(std::size_t step, std::size_t state) {
    return known_run(step, state).trace;
}

std::string LessonRuns::text(std::size_t step, std::size_t state, std::vector<LackingNumber>* lacking) {
    return filled(lesson_.steps.at(step).texts.at(state), step, state, lacking);
}

std::string LessonRuns::because(std::size_t step, std::vector<LackingNumber>* lacking) {
    const LessonStep& asking = lesson_.steps.at(step);
    return asking.question ? filled(asking.question->because, step, asking.states.size() - 1, lacking)
                           : std::string();
}

std::string LessonRuns::notes(std::size_t step, std::vector<LackingNumber>* lacking) {
    const LessonStep& presented = lesson_.steps.at(step);
    return filled(presented.notes, step, presented.states.size() - 1, lacking);
}

std::size_t LessonRuns::answering_state(std::size_t step) const {
    const LessonStep& asking = lesson_.steps.at(step);
    const std::size_t last = asking.states.size() - 1;
    return asking.question.value().kind == Question::Kind::word ? std::min<std::size_t>(1, last) : last;
}

Answer LessonRuns::answer(std::size_t step) {
    const LessonStep& asking = lesson_.steps.at(step);
    const std::size_t state = answering_state(step);
    const Run& asked = known_run(step, state);
    return answer_to(asking.question.value(), *asked.trace, asking.states[state].view.selection,
                     asked.said.get());
}

bool LessonRuns::is_right(std::size_t step, const Guess& guess) {
    const LessonStep& asking = lesson_.steps.at(step);
    const std::size_t state = answering_state(step);
    const Run& asked = known_run(step, state);
    return headlight::is_right(asking.question.value(), guess, *asked.trace,
                               asking.states[state].view.selection, asked.said.get());
}

Selection LessonRuns::answered(std::size_t step, std::size_t state) {
    const LessonStep& asking = lesson_.steps.at(step);
    const auto looked_at = [&](std::size_t at) -> const Selection& {
        return asking.states.at(at).view.selection;
    };
    Selection selection = looked_at(state);
    if (!asking.question || asking.question->kind != Question::Kind::cell)
        return selection;
    for (std::size_t at = 1; at <= state; ++at)
        if (looked_at(at).query != looked_at(0).query || looked_at(at).key != looked_at(0).key)
            return selection;
    const Answer right = answer(step);
    selection.query = right.query;
    selection.key = right.key;
    return selection;
}

std::vector<GivenAnswer> LessonRuns::given(std::size_t step, const Guess& guess) {
    const LessonStep& asking = lesson_.steps.at(step);
    GivenAnswer asked;
    asked.lesson = lesson_.id;
    asked.question = step;
    if (asking.question.value().kind == Question::Kind::choice)
        return given_choices(*asking.question, guess, std::move(asked));
    asked.words = words_of(*asking.question, guess, *run(step, asking.states.size() - 1),
                           asking.states.back().view.selection);
    asked.people = guess.people;
    asked.is_right = is_right(step, guess);
    return {asked};
}

std::string LessonRuns::filled(std::string_view text, std::size_t step, std::size_t state,
                               std::vector<LackingNumber>* lacking) {
    std::string all;
    for (;;) {
        const std::size_t open = text.find("{{");
        if (open == std::string_view::npos)
            return all += text;
        all += text.substr(0, open);
        const std::size_t close = text.find("}}", open);
        const bool has_end = close != std::string_view::npos;
        const std::string_view words = text.substr(open + 2, has_end ? close - open - 2 : close);
        try {
            if (!has_end)
                refuse_number(words, "an end, }}", "none");
            const std::string said = number(words, step, state);
            all += said.starts_with("−") && ends_with_sign(all) ? '(' + said + ')' : said;
        } catch (const Error& error) {
            if (!lacking)
                throw;
            lacking->push_back({"{{" + excerpt(std::string(words)) + (has_end ? "}}" : ""), error.what()});
            all += lacking_number_mark;
            if (!has_end)
                return all += text.substr(open + 2);  // what is meant to be said is in it
        }
        text.remove_prefix(close + 2);
    }
}

std::string LessonRuns::number(std::string_view words, std::size_t step, std::size_t state) {
    const std::string_view all = words;
    if (words.starts_with('@')) {
        const std::size_t blank = words.find(' ');
        const std::string_view place = words.substr(1, blank == std::string_view::npos ? blank : blank - 1);
        const std::size_t dot = place.find('.');
        // Counted from 1.
        const auto part = [&](std::string_view digits, std::size_t count) {
            std::size_t number = 0;
            const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
            const bool is_number = failure == std::errc() && end == digits.data() + digits.size();
            if (!is_number || number < 1 || number > count)
                refuse_number(all, "a number from 1 to " + std::to_string(count) + " behind @",
                              excerpt(std::string(digits)));
            return number - 1;
        };
        if (blank == std::string_view::npos)
            refuse_number(all, "what number it is, behind a blank", "nothing");
        step = part(place.substr(0, dot), lesson_.steps.size());
        const std::size_t states = lesson_.steps[step].states.size();
        state = dot == std::string_view::npos ? states - 1 : part(place.substr(dot + 1), states);
        words.remove_prefix(blank + 1);
    }
    constexpr std::string_view setting = "setting:";
    if (words.starts_with(setting))
        return setting_of(lesson_.steps[step].states[state], words.substr(setting.size()), all);
    const Run& spoken_of = known_run(step, state);
    return LessonNumbers(*spoken_of.trace, lesson_.steps[step].states[state].view.selection,
                         spoken_of.said.get())
        .text_of(words);
}

}  // namespace headlight
