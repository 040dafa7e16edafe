// What the answers of each task should be, found another way.

#include "tests/support/task_examples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>
#include <optional>
#include <set>

namespace headlight::task_answers_test { namespace {

using test::joined, test::task_draws;

std::string run_together(const Tokens& tokens) {
    std::string text;
    for (const std::string& token : tokens)
        text += token;
    return text;
}

template <class Check>
void check_examples(const std::string& id, Check check) {
    for (Index number = 0; number < task_draws; ++number)
        check(example(task(id), 11, number, number % 2 ? Split::training : Split::held_out));
}

TEST(Answers, OfCopyAndReverse) {
    check_examples("copy", [](const Example& each) { ASSERT_EQ(each.source, each.target); });
    check_examples("reverse", [](const Example& each) {
        ASSERT_EQ(each.source.size(), each.target.size());
        for (std::size_t i = 0; i < each.source.size(); ++i)
            ASSERT_EQ(each.source[i], each.target[each.source.size() - 1 - i]);
    });
}

TEST(Answers, OfSortAscendAndKeepEveryCharacter) {
    check_examples("sort", [](const Example& each) {
        for (std::size_t i = 1; i < each.target.size(); ++i)
            ASSERT_LE(each.target[i - 1], each.target[i]);
        std::map<std::string, int> balance;
        for (const std::string& token : each.source)
            ++balance[token];
        for (const std::string& token : each.target)
            --balance[token];
        for (const auto& [token, count] : balance)
            ASSERT_EQ(count, 0) << token;
    });
}

// Column by column from the right, with the carry, as at school.
TEST(Answers, OfAdditionAreSums) {
    check_examples("addition", [](const Example& each) {
        std::string text = run_together(each.source);
        const std::size_t plus = text.find('+');
        std::string a = text.substr(0, plus), b = text.substr(plus + 1), sum;
        ASSERT_TRUE(a == "0" || a.front() != '0');
        ASSERT_TRUE(b == "0" || b.front() != '0');
        int carry = 0;
        while (!a.empty() || !b.empty() || carry != 0) {
            for (std::string* number : {&a, &b})
                if (!number->empty()) {
                    carry += number->back() - '0';
                    number->pop_back();
                }
            sum.insert(sum.begin(), static_cast<char>('0' + carry % 10));
            carry /= 10;
        }
        ASSERT_EQ(run_together(each.target), sum) << text;
    });
}

TEST(Answers, OfBracketsAgreeWithCancelling) {
    int balanced = 0;
    check_examples("brackets", [&balanced](const Example& each) {
        std::string text = run_together(each.source);
        for (std::size_t at = 0; at != std::string::npos;) {
            at = std::min({text.find("()"), text.find("[]"), text.find("{}")});
            if (at != std::string::npos)
                text.erase(at, 2);
        }
        ASSERT_EQ(each.target.front(), text.empty() ? "balanced" : "unbalanced") << joined(each.source);
        balanced += text.empty();
    });
    EXPECT_NEAR(balanced, 0.5 * static_cast<double>(task_draws), 0.02 * static_cast<double>(task_draws));
}

TEST(Answers, OfDistinctCountEveryLetterOnceAndAllAlikeOften) {
    std::map<std::string, int> answers;
    check_examples("distinct", [&answers](const Example& each) {
        static const Tokens numbers{"none", "one", "two", "three", "four", "five", "six", "seven", "eight"};
        const std::set<std::string> letters(each.source.begin(), each.source.end());
        ASSERT_EQ(each.target, Tokens{numbers.at(letters.size())}) << joined(each.source);
        ++answers[each.target.front()];
    });
    for (const auto& [answer, count] : answers)
        EXPECT_NEAR(count, 0.125 * static_cast<double>(task_draws), 0.03 * static_cast<double>(task_draws))
            << answer;
}

// Read as a person would: the sentence that says "i", its adjective, and whether that is denied.
TEST(Answers, OfReviewsAreWhatTheWriterThinks) {
    static const std::set<std::string> praising{"great", "fine", "lovely", "clever"};
    int praised = 0;
    check_examples("reviews", [&praised](const Example& each) {
        std::vector<std::string> own;
        std::string sentence;
        for (const std::string& word : each.source) {
            sentence += ' ' + word + ' ';
            if (word != ".")
                continue;
            if (sentence.starts_with(" i "))
                own.push_back(sentence);
            sentence.clear();
        }
        ASSERT_EQ(own.size(), 1u) << joined(each.source);
        const bool is_denied = own.front().find(" not ") != std::string::npos;
        const bool praises = std::ranges::any_of(praising, [&](const std::string& word) {
            return own.front().find(' ' + word + ' ') != std::string::npos;
        });
        ASSERT_EQ(each.target, Tokens{praises != is_denied ? "good" : "bad"}) << joined(each.source);
        praised += praises != is_denied;
    });
    EXPECT_NEAR(praised, 0.5 * static_cast<double>(task_draws), 0.03 * static_cast<double>(task_draws));
}

// The last word but the full stop of the sentence that begins with the name that the question ends with.
TEST(Answers, OfWhereaboutsStandBehindTheNameThatIsAskedFor) {
    std::map<std::string, int> answers;
    check_examples("whereabouts", [&answers](const Example& each) {
        ASSERT_EQ((Tokens{each.source[0], each.source[1], each.source[3]}), (Tokens{"where", "is", "?"}));
        const auto text = each.source.begin() + task("whereabouts").question;
        const auto named = std::find(text, each.source.end(), each.source[2]);
        ASSERT_NE(named, each.source.end()) << joined(each.source);
        EXPECT_EQ(std::find(named + 1, each.source.end(), each.source[2]), each.source.end());
        const auto stop = std::find(named, each.source.end(), ".");
        ASSERT_EQ(each.target, Tokens{*(stop - 1)}) << joined(each.source);
        ++answers[each.target.front()];
    });
    EXPECT_EQ(answers.size(), 6u);
    for (const auto& [answer, count] : answers)
        EXPECT_NEAR(count, static_cast<double>(task_draws) / 6, 0.03 * static_cast<double>(task_draws))
            << answer;
}

/// Steps from the first point to each, as they follow from what is told; nothing where they do not.
std::vector<std::optional<int>> steps_from_first(const Tokens& pairs, std::size_t points) {
    std::vector<std::optional<int>> steps(points);
    steps[0] = 0;
    for (std::size_t round = 0; round < points; ++round)
        for (std::size_t i = 0; i < pairs.size(); ++i)
            if (const auto& from = steps[i / points]; from && pairs[i] != "_" && pairs[i] != "x") {
                const int to = *from + std::stoi(pairs[i]);
                EXPECT_EQ(steps[i % points].value_or(to), to) << "two ways, two answers: " << joined(pairs);
                steps[i % points] = to;
            }
    return steps;
}

// Every answer follows from what is told, which is so both ways round, and is not told itself.
TEST(Answers, OfDistancesFollowFromThePairsThatAreTold) {
    const auto points = static_cast<std::size_t>(task("distances").points);
    std::map<std::size_t, int> hidden;
    check_examples("distances", [&](const Example& each) {
        ASSERT_EQ(each.source.size(), points * points);
        ASSERT_EQ(std::ranges::count(each.source, "x"), 1) << joined(each.source);
        const auto asked =
            static_cast<std::size_t>(std::ranges::find(each.source, "x") - each.source.begin());
        const auto steps = steps_from_first(each.source, points);
        ASSERT_TRUE(std::ranges::all_of(steps, [](const auto& found) { return found.has_value(); }));
        ASSERT_EQ(std::stoi(each.target.front()), *steps[asked % points] - *steps[asked / points])
            << joined(each.source);
        const auto is_told = [&](std::size_t from, std::size_t to) {
            const std::string& token = each.source[from * points + to];
            return token != "_" && token != "x";
        };
        for (std::size_t from = 0; from < points; ++from) {
            ASSERT_EQ(each.source[from * points + from], "0");
            for (std::size_t to = 0; to < points; ++to)
                ASSERT_EQ(is_told(from, to), is_told(to, from)) << joined(each.source);
        }
        ++hidden[static_cast<std::size_t>(std::ranges::count(each.source, "_"))];
    });
    EXPECT_EQ(hidden.size(), 2u);
    for (const auto& [beside_x, share] : {std::pair{3u, 0.25}, {5u, 0.75}})
        EXPECT_NEAR(hidden[beside_x], share * static_cast<double>(task_draws),
                    0.03 * static_cast<double>(task_draws))
            << beside_x;
}

// One runner in each lane; the answer is the one whom nobody has caught up with.
TEST(Answers, OfARaceAreWhoIsFarthestToTheRight) {
    const PatchGrid grid = task("race").sight.grid;
    const std::map<std::string, std::string> called{
        {"c", "circle"}, {"s", "square"}, {"t", "triangle"}, {"x", "cross"}};
    std::map<std::string, int> answers;
    check_examples("race", [&](const Example& each) {
        ASSERT_EQ(std::ssize(each.source), grid.count());
        std::vector<std::pair<Index, std::string>> places;
        for (Index patch = 0; patch < grid.count(); ++patch)
            if (const std::string& token = each.source[static_cast<std::size_t>(patch)]; token != ".")
                places.emplace_back(patch % grid.columns, token);
        ASSERT_EQ(std::ssize(places), grid.rows) << joined(each.source);
        std::ranges::sort(places);
        ASSERT_LT(places[places.size() - 2].first, places.back().first) << joined(each.source);
        ASSERT_EQ(each.target, Tokens{called.at(places.back().second)}) << joined(each.source);
        for (Index lane = 0; lane < grid.rows; ++lane) {
            const auto first = each.source.begin() + lane * grid.columns;
            ASSERT_EQ(std::count(first, first + grid.columns, "."), grid.columns - 1) << joined(each.source);
        }
        ++answers[each.target.front()];
    });
    EXPECT_EQ(answers.size(), called.size());
    for (const auto& [answer, count] : answers)
        EXPECT_NEAR(count, static_cast<double>(task_draws) / 4, 0.03 * static_cast<double>(task_draws))
            << answer;
}

// Runs of one sound are a letter, and a pause is none.
TEST(Answers, OfSpeechAreTheLettersThatSound) {
    check_examples("speech", [](const Example& each) {
        Tokens letters;
        for (std::size_t i = 0; i < each.source.size(); ++i)
            if (each.source[i] != "-" && (i == 0 || each.source[i] != each.source[i - 1]))
                letters.emplace_back(
                    1, static_cast<char>(std::tolower(static_cast<unsigned char>(each.source[i].front()))));
        ASSERT_EQ(each.target, letters) << joined(each.source);
    });
}

TEST(Answers, OfInductionFollowFromTheLetterBefore) {
    check_examples("induction", [](const Example& each) {
        std::map<std::string, std::string> next;
        for (std::size_t i = 0; i + 1 < each.target.size(); ++i) {
            const std::string &now = each.target[i], &then = each.target[i + 1];
            if (static_cast<Index>(i) + 1 >= each.given) {
                ASSERT_EQ(next[now], then);
            }
            next[now] = then;
        }
    });
}

/// A date read by looking for what can only be its year, its month and its day.
std::string date_read(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    std::vector<std::string> numbers;
    int month = 0;
    std::string word;
    const auto end_word = [&] {
        static const std::string months = "janfebmaraprmayjunjulaugsepoctnovdec";
        if (!word.empty() && std::isdigit(static_cast<unsigned char>(word.front())))
            numbers.push_back(word.substr(0, word.find_first_not_of("0123456789")));
        else if (const std::size_t at = months.find(word.substr(0, 3));
                 word.size() >= 3 && at < 36 && at % 3 == 0)
            month = static_cast<int>(at / 3) + 1;
        word.clear();
    };
    for (const char c : text + " ") {
        if (std::isalnum(static_cast<unsigned char>(c)))
            word += c;
        else
            end_word();
    }
    std::string year;
    for (auto number = numbers.begin(); number != numbers.end();) {
        if (number->size() == 4) {
            year = *number;
            // The year in front: year/month/day; behind: day/month/year.
            if (number == numbers.begin())
                std::reverse(numbers.begin() + 1, numbers.end());
            number = numbers.erase(number);
        } else {
            ++number;
        }
    }
    if (month == 0)
        month = std::stoi(numbers.at(1));
    const int day = std::stoi(numbers.at(0));
    char iso[32];
    std::snprintf(iso, sizeof iso, "%s-%02d-%02d", year.c_str(), month, day);
    return iso;
}

/// Sakamoto's day of the week, Sunday is 0.
std::size_t weekday(int year, int month, int day) {
    static const int shift[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    year -= month < 3;
    return static_cast<std::size_t>((year + year / 4 - year / 100 + year / 400 + shift[month - 1] + day) % 7);
}

TEST(Answers, OfDatesAreTheDatesWithTheirWeekdays) {
    std::set<std::string> patterns;
    std::set<std::string> years;
    check_examples("dates", [&](const Example& each) {
        const std::string text = run_together(each.source), iso = run_together(each.target);
        ASSERT_EQ(date_read(text), iso) << text;
        const int year = std::stoi(iso.substr(0, 4)), month = std::stoi(iso.substr(5, 2)),
                  day = std::stoi(iso.substr(8));
        years.insert(iso.substr(0, 4));
        static const std::string days[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
        for (std::size_t i = 0; i < 7; ++i) {
            std::string lower = text;
            std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
            if (lower.starts_with(days[i])) {
                ASSERT_EQ(i, weekday(year, month, day)) << text;
            }
        }
        for (const char* ending : {"1th ", "2th ", "3th ", "11st", "12nd", "13rd", "4st", "5nd"})
            if (std::string(ending).front() != '1' || day < 11 || day > 13) {
                ASSERT_TRUE(text.find(ending) == std::string::npos || (day >= 11 && day <= 13)) << text;
            }
        std::string pattern;  // letters and digits to one sign each, once
        for (const char c : text) {
            const char sign = std::isdigit(static_cast<unsigned char>(c))   ? '9'
                              : std::isupper(static_cast<unsigned char>(c)) ? 'A'
                              : std::isalpha(static_cast<unsigned char>(c)) ? 'a'
                                                                            : c;
            if (pattern.empty() || sign != pattern.back())
                pattern += sign;
        }
        patterns.insert(pattern);
    });
    EXPECT_GE(patterns.size(), 20u);
    EXPECT_EQ(years.size(), 200u);
    EXPECT_EQ(*years.begin(), "1900");
    EXPECT_EQ(*years.rbegin(), "2099");
}

// The sentence that answers is looked for in the story.
TEST(Answers, OfStoriesWereToldBefore) {
    check_examples("stories", [](const Example& each) {
        const auto given = each.target.begin() + each.given;
        ASSERT_EQ(*(given - 1), "?");
        const Tokens answer(given, each.target.end());
        const std::string story = joined(Tokens(each.target.begin(), given)), said = joined(answer);
        const std::string question = story.substr(story.rfind(" . ") + 3);
        const std::string what = answer.rbegin()[1];  // before the full stop
        if (question.starts_with("where is the")) {
            const std::string thing = said.substr(4, said.find(" is ") - 4);
            EXPECT_NE(story.find(" puts the " + thing + said.substr(said.find(" is ") + 3)),
                      std::string::npos);
        } else if (question.starts_with("where is")) {
            const std::string pronoun_goes = " goes to the " + what + " .";
            const std::size_t gone = story.find(pronoun_goes);
            ASSERT_NE(gone, std::string::npos) << story;
            const std::size_t told = story.rfind(answer.front() + " has a", gone);
            ASSERT_NE(told, std::string::npos) << story;
            EXPECT_EQ(story.substr(told + answer.front().size() + 5, gone - told).find(" has a "),
                      std::string::npos);
        } else if (question.starts_with("who has")) {
            const std::size_t has = story.find(answer.front() + " has a ");
            ASSERT_NE(has, std::string::npos);
            EXPECT_NE(story.substr(has, story.find(" .", has) - has).find(what), std::string::npos) << story;
        } else if (question.starts_with("what colour")) {
            EXPECT_NE(story.find(what + " " + answer[1] + " ."), std::string::npos) << story;
        } else {
            EXPECT_NE(story.find(answer.front() + " is a " + what), std::string::npos) << story;
        }
    });
}

}}  // namespace headlight::task_answers_test
