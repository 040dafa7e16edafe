// What a decoder looks back at: it grows, is cut, and is shared by the steps of a text.

#include "core/model/cache.h"

#include <gtest/gtest.h>

namespace headlight::text_cache_test { namespace {

nn::Variable<float> row(nn::Tape<float>& tape, float first, float second) {
    const nn::Variable<float> made = tape.constant(1, 2);
    made.value[0] = first;
    made.value[1] = second;
    return made;
}

std::vector<float> numbers(Cache<float>& cache) {
    const auto values = cache.all().values();
    return {values.begin(), values.end()};
}

TEST(Cache, GrowsAtItsEndAndIsCutThere) {
    nn::Tape<float> tape({});
    Cache<float> cache;
    EXPECT_EQ(cache.all().value, nullptr);
    cache.truncate(3);
    for (const float each : {1.0f, 3.0f, 5.0f})
        cache.append(tape, row(tape, each, each + 1));
    EXPECT_EQ(numbers(cache), std::vector<float>({1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(cache.all().rows, 3);
    EXPECT_EQ(cache.all().columns, 2);
    cache.truncate(5);
    EXPECT_EQ(cache.all().rows, 3);
    const float* first = cache.all().value;
    cache.truncate(1);
    EXPECT_EQ(numbers(cache), std::vector<float>({1, 2}));
    cache.append(tape, row(tape, 7, 8));
    EXPECT_EQ(numbers(cache), std::vector<float>({1, 2, 7, 8}));
    EXPECT_EQ(cache.all().value, first) << "what stays is not moved";
    cache.truncate(0);
    EXPECT_TRUE(numbers(cache).empty());
}

TEST(Cache, OutlivesWhatIsOnTheTape) {
    nn::Tape<float> tape({});
    Cache<float> cache;
    cache.append(tape, row(tape, 1, 2));
    tape.clear();
    row(tape, 9, 9);
    EXPECT_EQ(numbers(cache), std::vector<float>({1, 2}));
}

TEST(Cache, PassesGradientsToWhatIsRemembered) {
    std::vector<float> gradients(1);
    nn::Tape<float> tape(std::span<const float>(gradients), gradients);
    Cache<float> cache;
    const nn::Variable<float> first = tape.variable(1, 2), second = tape.variable(1, 2);
    cache.append(tape, first);
    cache.append(tape, second);
    EXPECT_EQ(cache.all().rows, 2);
    EXPECT_TRUE(cache.all().has_gradient());
    cache.truncate(1);
    cache.forget_gradients();
    EXPECT_EQ(cache.all().rows, 1);
    EXPECT_FALSE(cache.all().has_gradient());
}

class TextCaches : public testing::Test {
protected:
    void read(TextCache& text, float word) {
        text.layers[0].key.append(tape, row(tape, word, word));
        steps.push_back(text.add_step());
    }
    nn::Tape<float> tape{{}};
    std::vector<std::shared_ptr<const void>> steps;  ///< that states keep
    const std::shared_ptr<TextCache> cache = std::make_shared<TextCache>(1, 1);
};

TEST_F(TextCaches, GoOnWhereTheyAreAtTheirEnd) {
    read(*cache, 1);
    EXPECT_EQ(TextCache::behind(cache, 1), cache);
    EXPECT_EQ(cache->steps(), 1);
}

TEST_F(TextCaches, AreCutWhereNobodyWantsTheRest) {
    for (const float word : {1.0f, 2.0f, 3.0f})
        read(*cache, word);
    steps.resize(1);
    EXPECT_EQ(TextCache::behind(cache, 1), cache);
    EXPECT_EQ(cache->steps(), 1);
    EXPECT_EQ(numbers(cache->layers[0].key), std::vector<float>({1, 1}));
}

TEST_F(TextCaches, AreCopiedWhereSomebodyDoes) {
    for (const float word : {1.0f, 2.0f, 3.0f})
        read(*cache, word);
    const std::shared_ptr<TextCache> other = TextCache::behind(cache, 1);
    EXPECT_NE(other, cache);
    read(*other, 9);
    EXPECT_EQ(numbers(other->layers[0].key), std::vector<float>({1, 1, 9, 9}));
    EXPECT_EQ(numbers(cache->layers[0].key), std::vector<float>({1, 1, 2, 2, 3, 3}));
    EXPECT_EQ(other->steps(), 2);
    EXPECT_EQ(cache->steps(), 3);
}

// A step that was interrupted may have left rows of some layers.
TEST_F(TextCaches, LoseRowsThatBelongToNoStep) {
    read(*cache, 1);
    cache->layers[0].key.append(tape, row(tape, 5, 5));
    EXPECT_EQ(TextCache::behind(cache, 1), cache);
    EXPECT_EQ(numbers(cache->layers[0].key), std::vector<float>({1, 1}));
}

}}  // namespace headlight::text_cache_test
