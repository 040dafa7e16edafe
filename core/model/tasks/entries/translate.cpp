#include "core/model/tasks/english_french/translation.h"

namespace headlight {
namespace {

constexpr Index longest_english = 16;
constexpr Index longest_french = 20;

Example make_translate(Random& random) {
    for (;;) {
        english_french::SentencePair pair = english_french::draw_sentence(random);
        if (std::ssize(pair.english) <= longest_english && std::ssize(pair.french) <= longest_french)
            return {std::move(pair.english), std::move(pair.french)};
    }
}

/// With a full stop or without, it is one sentence.
Tokens without_mark(const Example& example) {
    Tokens words = example.source;
    if (words.back() == "." || words.back() == "?")
        words.pop_back();
    return words;
}

}  // namespace

Task declare_task_translate() {
    Task task;
    task.id = "translate";
    task.name = "English to French";
    task.order = 600;
    task.meaning = "Translate sentences of a small grammar. French articles, adjectives and verbs agree with "
                   "words that may "
                   "stand far away; most adjectives move behind their noun; \"not\" becomes ne ... pas "
                   "around the verb, and "
                   "\"does\" nothing at all; \"sees her\" becomes la voit; \"the king's castle\" turns round "
                   "to le château du "
                   "roi. Each sentence has one translation: \"you\" is tu and a man, \"they\" is ils, "
                   "questions are asked "
                   "with est-ce que.";
    task.what_to_see =
        "A diagonal with crossings: an adjective that moves behind its noun looks across it, and an owner "
        "changes places with what is owned. Of ne ... pas, which is one word in English, either may look at "
        "\"not\" or at the verb between them; an article looks at its own or at the noun ahead that gives "
        "its gender.";
    task.source_writing = Writing::english;
    task.target_writing = Writing::french;
    task.source_vocabulary = english_french::english_vocabulary();
    task.target_vocabulary = english_french::french_vocabulary();
    task.longest_source = longest_english;
    task.longest_target = longest_french;
    task.split_by = without_mark;
    task.shown =
        Example{{"the", "black", "cat", "does", "not", "sleep"}, {"le", "chat", "noir", "ne", "dort", "pas"}};
    task.make = make_translate;
    return task;
}

}  // namespace headlight
