// What people are told to look for in a model inside the program is there to be seen.

#include "core/io/model_note.h"
#include "tests/support/shipped_maps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>

namespace headlight::model_note_test { namespace {

using test::said, test::shipped, test::Weights;

constexpr const char* shown_sentence = "the black cat does not sleep";
const std::string translators[] = {"translate-additive-gru", "translate-transformer"};

const std::string& of_task(const Transcript& transcript) { return transcript.model->model->task.what_to_see; }

/// What is said of the words of the sentence that people are shown, behind what is said of any.
std::string of_shown_words(const std::string& model, const Transcript& transcript) {
    const std::string whole = what_to_look_for(model, transcript);
    EXPECT_TRUE(whole.starts_with(of_task(transcript) + ' ')) << whole;
    return whole.substr(std::min(whole.size(), of_task(transcript).size() + 1));
}

/// Every pair that `text` names, "ne looks at "not"", on all the heads given, from head `first` to before
/// `behind`. Returns how many pairs there are.
int expect_pairs(const std::string& text, const Transcript& transcript, const std::string& site, Index first,
                 Index behind) {
    const std::regex pair("(\\S+) (?:looks )?at \"([^\"]+)\"");
    const Weights weights(transcript, site);
    int pairs = 0;
    for (std::sregex_iterator found(text.begin(), text.end(), pair), end; found != end; ++found, ++pairs) {
        const std::string word = (*found)[1], looked_at = (*found)[2];
        const auto step = std::ranges::find(transcript.steps, word, &TranscriptStep::said);
        if (step == transcript.steps.end()) {
            ADD_FAILURE() << word << " is not said";
            continue;
        }
        for (Index head = first; head < std::min(behind, weights.heads()); ++head) {
            const Index key = weights.brightest_key(head, step - transcript.steps.begin());
            EXPECT_EQ(transcript.source[static_cast<std::size_t>(key)], looked_at)
                << word << " in " << site << ", head " << head + 1;
        }
    }
    return pairs;
}

TEST(ModelNote, NamesTheWordsThatTheOneMapOfTheRecurrentModelLooksAt) {
    const Transcript transcript = said("translate-additive-gru", shown_sentence);
    const std::string text = of_shown_words("translate-additive-gru", transcript);
    EXPECT_EQ(expect_pairs(text, transcript, "decoder.cross", 0, 1), 5);
}

// First of all heads of both layers; then, behind "Head 1: ", of that head of the second.
TEST(ModelNote, NamesTheWordsThatTheHeadsOfTheTransformerLookAt) {
    const Transcript transcript = said("translate-transformer", shown_sentence);
    const std::string text = of_shown_words("translate-transformer", transcript);
    const std::regex one_head("Head ([0-9]): ([^.]*)\\.");
    const std::string of_all = text.substr(0, text.find("Head 1: "));
    for (const char* site : {"decoder.0.cross", "decoder.1.cross"})
        EXPECT_EQ(expect_pairs(of_all, transcript, site, 0, 4), 4);
    int heads = 0;
    for (std::sregex_iterator found(text.begin(), text.end(), one_head), end; found != end;
         ++found, ++heads) {
        const Index head = std::stoi((*found)[1]) - 1;
        EXPECT_EQ(expect_pairs((*found)[2], transcript, "decoder.1.cross", head, head + 1), 2);
    }
    EXPECT_EQ(heads, 2);
}

TEST(ModelNote, IsSilentOnParticularWordsOfAnythingElse) {
    for (const std::string& model : translators) {
        const Transcript other = said(model, "the cat sleeps");
        EXPECT_EQ(what_to_look_for(model, other), of_task(other)) << model;
        GenerationRequest request;
        request.source = shown_sentence;
        request.chosen = {"la"};
        const Transcript led = *Generator(shipped(model)).generate(request);
        EXPECT_EQ(what_to_look_for(model, led), of_task(led)) << model;
        request.chosen.clear();
        request.interventions = {
            {.kind = Intervention::Kind::mute_head, .site = other.sites.back().site.name}};
        const Transcript changed = *Generator(shipped(model)).generate(request);
        EXPECT_EQ(what_to_look_for(model, changed), of_task(changed)) << model;
    }
    const Transcript shown = said("translate-transformer", shown_sentence);
    EXPECT_EQ(what_to_look_for("/models/translate-transformer", shown), of_task(shown))
        << "another model has learned something else";
}

TEST(ModelNote, IsTheTasksWhereThatIsTrueOfTheModel) {
    for (const char* model : {"dates-luong", "reverse-pointer"}) {
        const Transcript transcript = said(model, model[0] == 'd' ? "3rd of May 1979" : "abcab");
        EXPECT_EQ(what_to_look_for(model, transcript), of_task(transcript));
    }
}

// A GPT that copies without a mistake has no diagonal: its task's words are of other models.
TEST(ModelNote, OfOnesOwnModelSaysNoStepsOfASourceThatIsPartOfItsText) {
    const Transcript sorted = said("sort-gpt", "dbca"), continued = said("induction-gpt", "raowsktejzpqr"),
                     copied = said("copy-universal", "abca");
    EXPECT_TRUE(what_to_look_for("my-sort", sorted).starts_with("Source and answer are one text"));
    EXPECT_EQ(what_to_look_for("my-induction", continued), of_task(continued));
    EXPECT_EQ(what_to_look_for("my-copy", copied), of_task(copied));
}

// "the last digit of the year draws that digit itself", and one cell is lit in each row.
TEST(ModelNote, IsTrueOfTheModelThatDrawsWhereItLooks) {
    constexpr Index last_of_year = 3;
    for (const std::string date : {"3rd of May 1979", "12 March 2004", "tue 13 aug 1918"}) {
        const Transcript transcript = said("hard-attention-dates", date);
        EXPECT_TRUE(what_to_look_for("hard-attention-dates", transcript).starts_with("One cell"));
        const Weights weights(transcript, "decoder.cross");
        EXPECT_EQ(weights.brightest_key(0, last_of_year), std::ssize(date) - 1) << date;
        for (Index step = 0; step < std::ssize(transcript.steps); ++step)
            EXPECT_EQ(weights(0, step, weights.brightest_key(0, step)), 1) << date << ", step " << step;
    }
}

// The next character mostly has the brightest cell of a row behind =>, in head 1 of the second layer.
TEST(ModelNote, IsTrueOfTheModelThatSorts) {
    Index rows = 0, next = 0;
    for (const std::string letters : {"dbca", "kzmcaq", "hhaxb"}) {
        const Transcript transcript = said("sort-gpt", letters);
        std::string sorted = letters;
        std::ranges::sort(sorted);
        const std::string text = '<' + letters + '=' + sorted;
        const Weights weights(transcript, "decoder.1.self");
        for (std::size_t at = 0; at < sorted.size(); ++at, ++rows) {
            const Index key = weights.brightest_key(0, static_cast<Index>(letters.size() + 1 + at));
            next += text[static_cast<std::size_t>(key)] == sorted[at] ? 1 : 0;
        }
    }
    EXPECT_GE(3 * next, 2 * rows) << next << " of " << rows;
}

/// Mean weight so many places below the diagonal, of the rows that have had a whole period.
double below_diagonal(const Weights& weights, Index head, Index rows, Index period, Index below) {
    double sum = 0;
    Index count = 0;
    for (Index query = period + 3; query < rows; ++query, ++count)
        sum += weights(head, query, query - below);
    return sum / static_cast<double>(count);
}

TEST(ModelNote, IsTrueOfTheModelWithAMemory) {
    const std::pair<const char*, Index> texts[] = {
        {"raowsktejzpqr", 12}, {"qwertyuiqwert", 8}, {"abcdefabcdef", 6}};
    for (const auto& [text, period] : texts) {
        const Transcript transcript = said("induction-xl", text);
        const Index rows = std::ssize(transcript.steps);
        const Weights first(transcript, "decoder.0.self"), second(transcript, "decoder.1.self");
        constexpr Index head_4 = 3;
        const double same = below_diagonal(first, head_4, rows, period, period);
        for (const Index other : {period - 1, period + 1})
            EXPECT_GT(same, 1.5 * below_diagonal(first, head_4, rows, period, other)) << text;
        for (const Weights* weights : {&first, &second})
            for (Index head = 0; head < weights->heads(); ++head)
                EXPECT_LT(below_diagonal(*weights, head, rows, period, period - 1), 0.3)
                    << text << ": an induction stripe in head " << head + 1;
    }
}

TEST(ModelNote, IsTrueOfTheModelWithSlots) {
    const Transcript transcript = said("distinct-slots", "cabbage");
    const Weights weights(transcript, "decoder.0.cross");
    constexpr Index slots = 8, first_b = 2, second_b = 3, first_a = 1, second_a = 4;
    for (Index slot = 0; slot < slots; ++slot) {
        EXPECT_NEAR(weights(0, slot, first_a), weights(0, slot, second_a), 1e-6) << slot;
        EXPECT_NEAR(weights(0, slot, first_b), weights(0, slot, second_b), 1e-6) << slot;
    }
}

// Four words of the question, then three sentences of six; the second is asked for.
TEST(ModelNote, IsTrueOfTheModelThatReadsAQuestion) {
    const Transcript transcript = said("whereabouts-coattention",
                                       "where is paul? anna goes to the garden. paul is in the kitchen. emma "
                                       "sleeps in the park.");
    constexpr Index question = 4, sentence = 6, text = 18, place = 4;
    const Weights layer(transcript, "encoder.0.self"), asked(transcript, "encoder.2.self"),
        label(transcript, "decoder.0.cross");
    for (Index word = 0; word < text; ++word) {
        const Index begins = question + word / sentence * sentence;
        EXPECT_EQ(layer.brightest_key(2, question + word), begins) << "the name, of word " << word;
        EXPECT_EQ(layer.brightest_key(0, question + word), begins + place) << "the place, of word " << word;
        for (Index key = 0; key < question; ++key)
            EXPECT_LT(asked(0, word, key), 0.4) << "nearly even, of word " << word;
    }
    for (Index head = 0; head < label.heads(); ++head) {
        double sum = 0;
        for (Index word = sentence; word < 2 * sentence; ++word)
            sum += label(head, 0, word);
        EXPECT_GT(sum, 0.95) << "head " << head + 1;
    }
}

}}  // namespace headlight::model_note_test
