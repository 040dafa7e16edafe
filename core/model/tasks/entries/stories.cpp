#include "core/model/tasks/alphabet.h"

#include <array>
#include <sstream>

namespace headlight {
namespace {

using StoryWord = std::string_view;

struct Name {
    StoryWord name, pronoun, child;
};

constexpr std::array<Name, 8> names{{{"anna", "she", "girl"},
                                     {"emma", "she", "girl"},
                                     {"julie", "she", "girl"},
                                     {"marie", "she", "girl"},
                                     {"paul", "he", "boy"},
                                     {"tom", "he", "boy"},
                                     {"victor", "he", "boy"},
                                     {"simon", "he", "boy"}}};
constexpr std::array<StoryWord, 6> moods{"happy", "small", "tall", "young", "quiet", "kind"};
constexpr std::array<StoryWord, 6> colours{"red", "blue", "green", "yellow", "black", "white"};
constexpr std::array<StoryWord, 8> toys{"ball", "book", "key", "hat", "doll", "kite", "spoon", "flute"};
constexpr std::array<StoryWord, 8> hiding_places{"in the box",     "in the bag",     "in the basket",
                                            "on the table",   "on the chair",   "under the bed",
                                            "under the tree", "behind the door"};
constexpr std::array<StoryWord, 6> rooms{"garden", "kitchen", "park", "forest", "school", "market"};

struct Person {
    Name name;
    StoryWord mood, colour, toy, hiding_place, room;
};

/// Two different elements.
template <class Range>
auto two_of(Random& random, const Range& range) {
    const auto count = static_cast<Index>(range.size());
    const Index first = random.below(count);
    const Index second = (first + random.between(1, count - 1)) % count;
    return std::array{range[static_cast<std::size_t>(first)], range[static_cast<std::size_t>(second)]};
}

std::string told(const Person& person, bool says_mood, bool leaves) {
    const std::string name(person.name.name);
    std::ostringstream story;
    if (says_mood)
        story << name << " is a " << person.mood << ' ' << person.name.child << " . ";
    story << name << " has a " << person.colour << ' ' << person.toy << " . ";
    story << person.name.pronoun << " puts the " << person.toy << ' ' << person.hiding_place << " . ";
    if (leaves)
        story << "then " << person.name.pronoun << " goes to the " << person.room << " . ";
    return story.str();
}

struct Question {
    std::string question, answer;
};

Question asked(Random& random, const Person& person, bool said_mood, bool left) {
    const std::string name(person.name.name), toy(person.toy), the_toy = "the " + toy;
    switch (random.below(5)) {
    case 0:
        return {"who has a " + toy + " ? ", name + " has a " + toy + " ."};
    case 1:
        return {"what colour is " + the_toy + " ? ", the_toy + " is " + std::string(person.colour) + " ."};
    case 2:
        if (left)
            return {"where is " + name + " ? ", name + " is in the " + std::string(person.room) + " ."};
        break;
    case 3:
        if (said_mood)
            return {"who is " + std::string(person.mood) + " ? ",
                    name + " is " + std::string(person.mood) + " ."};
        break;
    default:
        break;
    }
    return {"where is " + the_toy + " ? ", the_toy + " is " + std::string(person.hiding_place) + " ."};
}

Tokens split(const std::string& text) {
    std::istringstream words(text);
    Tokens tokens;
    for (std::string word; words >> word;)
        tokens.push_back(word);
    return tokens;
}

Example make_stories(Random& random) {
    std::array<Person, 2> people;
    const auto two_names = two_of(random, names);
    const auto two_moods = two_of(random, moods);
    const auto two_toys = two_of(random, toys);
    const auto two_places = two_of(random, hiding_places);
    const auto two_rooms = two_of(random, rooms);
    for (std::size_t i = 0; i < 2; ++i)
        people[i] = {two_names[i], two_moods[i],  random.one_of(colours),
                     two_toys[i],  two_places[i], two_rooms[i]};
    std::array<bool, 2> says_mood{}, leaves{};
    std::string story;
    for (std::size_t i = 0; i < 2; ++i) {
        says_mood[i] = random.chance(0.5);
        leaves[i] = random.chance(0.5);
        story += told(people[i], says_mood[i], leaves[i]);
    }
    const auto about = static_cast<std::size_t>(random.below(2));
    const Question question = asked(random, people[about], says_mood[about], leaves[about]);
    Example example;
    example.target = split(story + question.question);
    example.given = static_cast<Index>(example.target.size());
    for (std::string& word : split(question.answer))
        example.target.push_back(std::move(word));
    return example;
}

Tokens vocabulary() {
    Tokens words =
        split("is a has puts the then goes to who what colour where in on under behind . ? boy girl he she");
    const auto add = [&words](StoryWord text) {
        for (std::string& word : split(std::string(text)))
            words.push_back(std::move(word));
    };
    for (const Name& each : names)
        add(each.name);
    for (const StoryWord each : moods)
        add(each);
    for (const StoryWord each : colours)
        add(each);
    for (const StoryWord each : toys)
        add(each);
    for (const StoryWord each : hiding_places)
        add(each);
    for (const StoryWord each : rooms)
        add(each);
    return sorted_once(std::move(words));
}

}  // namespace

Task declare_task_stories() {
    Task task;
    task.id = "stories";
    task.name = "Small stories";
    task.order = 900;
    task.meaning =
        "Continue small stories word by word: two children, each with a thing that is put somewhere, then a "
        "question. Most words follow from the grammar alone; the answer has to be fetched from the sentence "
        "that told it, and \"she\" has to be the girl of whom the story speaks.";
    task.what_to_see = "At the answer, heads look back at the one sentence that holds it: from \"is\" to the "
                       "place where the "
                       "thing was put, from \"?\" to the name. Within the story, \"he\" and \"she\" look at "
                       "the last name, and "
                       "the second mention of a thing at the first.";
    task.kind = TaskKind::language_model;
    task.target_writing = Writing::english;
    task.target_vocabulary = vocabulary();
    task.longest_target = 66;
    task.make = make_stories;
    return task;
}

}  // namespace headlight
