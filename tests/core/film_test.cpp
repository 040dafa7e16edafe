// What there is to see of a model that learns: frames, curves, and that watching changes nothing.

#include "core/figure/film_figure.h"
#include "core/io/safetensors.h"
#include "core/io/training_folder.h"
#include "core/model/attention_choices.h"
#include "core/model/fitting_hosts.h"
#include "core/model/watched_training.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

namespace headlight::film_test {

using namespace test;

namespace {

TrainingSettings small(const char* task, std::optional<HostType> host, const char* attention, Index steps) {
    Recipe recipe;
    recipe.task = task;
    recipe.host = host;
    recipe.attention = attention;
    recipe.width = 16;
    recipe.steps = steps;
    recipe.parts = 1;
    return prepare(recipe).settings;
}

std::shared_ptr<const FilmFrame> frame_of(Index step, std::size_t numbers = 4) {
    FilmFrame frame{step, {}, {{"site", 1, 1, static_cast<Index>(numbers), {}}}};
    frame.maps.front().weights.resize(numbers);
    return std::make_shared<const FilmFrame>(std::move(frame));
}

struct Filmed {
    const char* name;
    const char* task;
    HostType host;
    const char* attention;
    const char* site;  ///< one that is filmed
};

class FilmFrames : public testing::TestWithParam<Filmed> {};

TEST_P(FilmFrames, HaveTheWeightsOfEverySite) {
    const Filmed& row = GetParam();
    const TrainingSettings settings = small(row.task, row.host, row.attention, 3);
    const Task& task = headlight::task(row.task);
    WatchedTraining training(settings, filmed_example(task, 0));
    training.step();
    EXPECT_EQ(training.record().film_problem, "");
    const auto frame = training.record().film.at(1);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->step, 1);
    const FilmedMap* map = frame->find(row.site);
    ASSERT_TRUE(map) << row.site;
    ASSERT_EQ(std::ssize(map->weights), map->heads * map->rows * map->columns);
    for (Index at = 0; at < map->heads * map->rows; ++at) {
        const auto first = map->weights.begin() + at * map->columns;
        EXPECT_NEAR(std::accumulate(first, first + map->columns, 0.0), 1, 1e-4);
    }
    if (row.host == HostType::gpt) {
        ASSERT_EQ(map->forbidden.size(), map->weights.size());
        for (Index query = 0; query < map->rows; ++query)
            for (Index key = 0; key < map->columns; ++key)
                EXPECT_EQ(map->forbidden[static_cast<std::size_t>(query * map->columns + key)], key > query);
    }
    if (row.host == HostType::transformer) {
        EXPECT_TRUE(map->forbidden.empty()) << "the source is there from the beginning";
    }
    EXPECT_EQ(std::ssize(frame->words.said), std::ssize(frame->words.read));
    // Teacher forcing: the same rows in every frame.
    const auto before = training.record().film.at(0);
    EXPECT_EQ(before->step, 0);
    EXPECT_EQ(before->words.said.size(), frame->words.said.size());
    EXPECT_NE(before->maps, frame->maps);
}

INSTANTIATE_TEST_SUITE_P(
    Hosts, FilmFrames,
    testing::Values(Filmed{"recurrent", "dates", HostType::gru, "additive", "decoder.cross"},
                    Filmed{"listener", "speech", HostType::gru, "location_aware", "decoder.cross"},
                    Filmed{"recurrent_heads", "copy", HostType::gru, "multi_head", "decoder.cross"},
                    Filmed{"transformer", "reverse", HostType::transformer, "", "decoder.1.cross"},
                    Filmed{"one_text", "sort", HostType::gpt, "", "decoder.1.self"},
                    Filmed{"language_model", "induction", HostType::gpt, "", "decoder.1.self"},
                    Filmed{"program", "sort", HostType::gpt, "rope", "decoder.1.self"},
                    Filmed{"two_streams", "sort", HostType::two_stream, "", "decoder.1.query"},
                    Filmed{"classifier", "brackets", HostType::encoder, "", "encoder.0.self"},
                    Filmed{"sentences", "reviews", HostType::hierarchical, "", "encoder.1.self"},
                    Filmed{"question", "whereabouts", HostType::coattention, "", "decoder.0.cross"},
                    Filmed{"triangles", "distances", HostType::triangles, "", "decoder.0.cross"},
                    Filmed{"patches", "race", HostType::vision, "", "decoder.0.cross"}),
    [](const auto& row) { return row.param.name; });

TEST(Film, ThinsOutSoThatALongTrainingFits) {
    Film film(5, {.frames = 10, .bytes = 1 << 20});
    Index filmed = 0;
    for (Index step = 0; step <= 1003; ++step)
        if (film.wants(step) || step == 1003) {
            film.add(frame_of(step));
            ++filmed;
        }
    EXPECT_LE(film.frames().size(), 10u);
    EXPECT_GE(film.frames().size(), 5u);
    EXPECT_EQ(film.every(), 160);
    EXPECT_EQ(film.frames().front()->step, 0);
    EXPECT_EQ(film.frames().back()->step, 1003);
    EXPECT_LT(filmed, 40);  // it soon asks for fewer
}

TEST(Film, IsBoundedInBytesToo) {
    Film film(1, {.frames = 1000, .bytes = 4000});
    for (Index step = 0; step < 64; ++step)
        if (film.wants(step))
            film.add(frame_of(step, 100));
    EXPECT_LE(film.frames().size(), 10u);
}

TEST(Film, ShowsTheLastFrameThatIsNotAfterAStep) {
    Film film;
    EXPECT_EQ(film.at(3), nullptr);
    for (const Index step : {2, 4, 4, 8})
        film.add(frame_of(step));
    EXPECT_EQ(film.frames().size(), 3u);
    EXPECT_EQ(film.at(0)->step, 2);
    EXPECT_EQ(film.at(7)->step, 4);
    EXPECT_EQ(film.at(100)->step, 8);
    film.cut_after(5);
    EXPECT_EQ(film.frames().back()->step, 4);
}

std::shared_ptr<const FilmFrame> generated_frame(Index heads, float first) {
    FilmFrame frame{7, {{"x", "y"}, {"<s>", "b"}, {"b", "</s>"}}, {}};
    frame.maps.push_back({"encoder.0.self", 1, 2, 2, {1, 0, 0, 1}});
    frame.maps.push_back({"decoder.0.cross", heads, 2, 2, {}});
    for (Index head = 0; head < heads; ++head)
        frame.maps.back().weights.insert(frame.maps.back().weights.end(), {first, 1 - first, 0, 1});
    return std::make_shared<const FilmFrame>(std::move(frame));
}

TEST(FilmFigure, SaysOfEachStepHowWellItDid) {
    auto record = std::make_shared<TrainingRecord>();
    record->loss.add(1, 0.5);
    const auto note = [&](Index step) { return shots_of({{"copy", record}}, step).front().note; };
    EXPECT_EQ(note(0), "not trained yet");
    EXPECT_EQ(note(1), "loss 0.500");
}

TEST(FilmFigure, OfOneRunSaysItsStepAndItsWords) {
    const FilmShot shot{"dates-dot-gru", generated_frame(1, 0.25f), "loss 0.5"};
    const Figure figure = film_figure(std::span(&shot, 1), {}, {});
    EXPECT_EQ(figure.title, "dates-dot-gru, step 7: Decoder, looks at the source");
    EXPECT_EQ(figure.caption, "loss 0.5");
    ASSERT_EQ(figure.panels.size(), 1u);
    const Panel& panel = figure.panels.front();
    EXPECT_EQ(panel.row_axis.labels, (std::vector<std::string>{"b", "</s>"}));
    EXPECT_EQ(panel.column_axis.labels, (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(panel.values, (std::vector<double>{0.25, 0.75, 0, 1}));
    EXPECT_TRUE(panel.row_sums.empty());
    const Figure other = film_figure(std::span(&shot, 1), "encoder.0.self", {});
    EXPECT_TRUE(other.title.ends_with(": Encoder, looks at itself"));
    EXPECT_EQ(other.panels.front().row_axis.labels, (std::vector<std::string>{"x", "y"}));
}

TEST(FilmFigure, HatchesWhatTheMaskForbids) {
    FilmFrame frame{7, {{}, {"<s>", "b"}, {"b", "</s>"}}, {}};
    frame.maps.push_back({"decoder.0.self", 2, 2, 2, {1, 0, 0.5, 0.5, 1, 0, 0, 1}, {0, 1, 0, 0, 0, 1, 0, 0}});
    const FilmShot shot{"gpt", std::make_shared<const FilmFrame>(std::move(frame)), "loss 0.5"};
    const Figure figure = film_figure(std::span(&shot, 1), {}, {});
    ASSERT_EQ(figure.panels.size(), 2u);
    for (const Panel& panel : figure.panels)
        EXPECT_EQ(panel.forbidden, (std::vector<std::uint8_t>{0, 1, 0, 0}));
    EXPECT_EQ(figure.caption, "loss 0.5  Hatched: forbidden by the mask.");
}

TEST(FilmFigure, HasAFittedRangeOfEveryHead) {
    FilmFrame frame{7, {{}, {"<s>", "b"}, {"b", "</s>"}}, {}};
    frame.maps.push_back({"decoder.0.self", 2, 1, 2, {0.125f, 0.25f, 0.25f, 0.5f}});
    const FilmShot shot{"gpt", std::make_shared<const FilmFrame>(std::move(frame)), {}};
    ViewSettings settings;
    settings.range = RangeKind::fitted;
    const Figure all = film_figure(std::span(&shot, 1), {}, settings);
    settings.options.heads = {0};  // of a picture beside the film
    const Figure figure = film_figure(std::span(&shot, 1), {}, settings);
    ASSERT_EQ(figure.panels.size(), 2u);
    EXPECT_EQ(figure.panels.front().scale, all.panels.front().scale);
}

TEST(FilmFigure, HasPercentilesWithoutWhatTheMaskForbids) {
    FilmFrame frame{7, {{}, {"<s>", "b"}, {"b", "</s>"}}, {}};
    frame.maps.push_back(
        {"decoder.0.self", 2, 2, 2, {1, 0, 0.25f, 0.75f, 1, 0, 0.375f, 0.625f}, {0, 1, 0, 0, 0, 1, 0, 0}});
    const FilmShot shot{"gpt", std::make_shared<const FilmFrame>(std::move(frame)), {}};
    ViewSettings settings;
    settings.range = {RangeKind::percentiles, 20, 60};
    const Figure figure = film_figure(std::span(&shot, 1), {}, settings);
    ASSERT_EQ(figure.panels.size(), 2u);
    for (const Panel& panel : figure.panels) {  // of 0.25, 0.375, 0.625, 0.75, 1 and 1
        EXPECT_DOUBLE_EQ(panel.scale.low, 0.375);
        EXPECT_DOUBLE_EQ(panel.scale.high, 0.75);
        EXPECT_TRUE(panel.scale.clips_low && panel.scale.clips_high);
    }
}

TEST(FilmFigure, HasARangeWithoutWhatTheMaskForbids) {
    FilmFrame frame{7, {{}, {"<s>", "b"}, {"b", "</s>"}}, {}};
    frame.maps.push_back({"decoder.0.self", 1, 2, 2, {1, 0, 0.25f, 0.75f}, {0, 1, 0, 0}});
    const FilmShot shot{"gpt", std::make_shared<const FilmFrame>(std::move(frame)), {}};
    ViewSettings settings;
    settings.range = RangeKind::fitted;
    const ColourScale fitted = film_figure(std::span(&shot, 1), {}, settings).panels.front().scale;
    EXPECT_EQ(fitted.low, 0.25);
    EXPECT_EQ(fitted.high, 1);
    settings.range = {RangeKind::numbers, 0.125, 0.5};
    const ColourScale given = film_figure(std::span(&shot, 1), {}, settings).panels.front().scale;
    EXPECT_EQ(given.low, 0.125);
    EXPECT_EQ(given.high, 0.5);
    EXPECT_FALSE(given.clips_low) << "no number on show is below it";
    EXPECT_TRUE(given.clips_high);
}

TEST(FilmFigure, HasTheLossSoFarOnTheAxesOfTheWholeTraining) {
    auto record = std::make_shared<TrainingRecord>();
    record->loss = LossCurve({{1, 3}, {7, 2}, {9, 4}}, 1);
    const LearningRun run{"additive", record};
    const auto with_loss = [&](Index heads, Index step, bool is_narrow) {
        const FilmShot shot{"additive", generated_frame(heads, 0.25f), "loss 2"};
        return with_loss_curve(film_figure(std::span(&shot, 1), {}, {}), std::span(&run, 1), step, is_narrow);
    };
    const Figure figure = with_loss(1, 7, false);
    EXPECT_EQ(figure.title, "additive, step 7: Decoder, looks at the source");
    EXPECT_EQ(figure.caption, "loss 2");
    EXPECT_EQ(figure.columns, 2);
    ASSERT_EQ(figure.panels.size(), 2u);
    const Panel& losses = figure.panels.back();
    ASSERT_EQ(losses.kind, Panel::Kind::curves);
    EXPECT_EQ(losses.title, "Loss");
    EXPECT_EQ(losses.curves->x, (std::vector<double>{1, 7, 9}));
    EXPECT_EQ(losses.curves->y_end, 4);
    EXPECT_EQ(losses.values[1], 2);
    EXPECT_TRUE(std::isnan(losses.values[2]));
    EXPECT_EQ(*with_loss(1, 0, false).panels.back().curves, *losses.curves) << "the axes stay";
    EXPECT_EQ(with_loss(1, 7, true).columns, 1);
    const Figure heads = with_loss(2, 7, false);
    EXPECT_EQ(heads.columns, 2);
    ASSERT_EQ(heads.panels.size(), 4u);
    EXPECT_EQ(heads.panels[2].title, "Loss");
    EXPECT_TRUE(heads.panels[3].fills_row);
    EXPECT_EQ(heads.panels[0].scale, heads.panels[1].scale);
}

TEST(FilmFigure, OfTwoRunsHasThemSideBySideOrInRows) {
    const FilmShot one{"additive", generated_frame(1, 0.25f), {}},
        other{"dot", generated_frame(1, 0.5f), "loss 1"}, heads{"transformer", generated_frame(4, 0.5f), {}},
        none{"nothing yet", nullptr, {}};
    const Figure pair = film_figure(std::vector{one, other}, {}, {});
    EXPECT_EQ(pair.columns, 2);
    EXPECT_EQ(pair.panels[1].title, "dot");
    EXPECT_EQ(pair.panels[1].subtitle, "step 7");
    EXPECT_EQ(pair.caption, "dot: loss 1");
    EXPECT_EQ(pair.panels[0].scale, pair.panels[1].scale);
    const Figure rows = film_figure(std::vector{heads, one}, {}, {});
    EXPECT_EQ(rows.columns, 3);  // no row of one map and three holes
    ASSERT_EQ(rows.panels.size(), 5u);
    EXPECT_EQ(rows.panels[3].subtitle, "step 7, head 4");
    EXPECT_EQ(rows.panels[4].title, "additive");
    EXPECT_EQ(film_figure(std::vector{heads, heads}, {}, {}).columns, 4);
    EXPECT_EQ(film_figure(std::vector{none, one}, {}, {}).panels.size(), 1u);
    expect_refusal([&] { film_figure(std::span(&none, 1), {}, {}); }, {"draw a film"});
}

TEST(LossCurve, MergesPairsWhenThereAreTooManyPoints) {
    LossCurve curve;
    constexpr Index steps = 5000;
    for (Index step = 1; step <= steps; ++step)
        curve.add(step, static_cast<double>(step));
    EXPECT_LT(curve.points().size(), LossCurve::most_points);
    EXPECT_EQ(curve.stride(), 8);
    const Index stride = curve.stride();
    for (const LossCurve::Point& point : curve.points())
        EXPECT_DOUBLE_EQ(point.loss, static_cast<double>(point.step) - static_cast<double>(stride - 1) / 2);
    curve.cut_after(100);
    EXPECT_EQ(curve.points().back().step, 96);
}

TEST(WatchedTraining, LearnsTheSameAsOneThatNobodyWatches) {
    const TrainingSettings settings = small("copy", HostType::gru, "additive", 20);
    Training alone(settings);
    WatchedTraining watched(settings, filmed_example(task("copy"), 0));
    while (!watched.is_over()) {
        alone.step();
        watched.step();
    }
    EXPECT_EQ(watched.training().checkpoint(), alone.checkpoint());
    const TrainingRecord& record = watched.record();
    EXPECT_EQ(record.loss.points().size(), 20u);
    EXPECT_EQ(record.exact_match.size(), 4u);
    EXPECT_EQ(record.exact_match.back().step, 20);
    EXPECT_EQ(record.film.frames().size(), 21u);
}

TEST(WatchedTraining, GoesOnFromACheckpointToTheSameBytes) {
    const TrainingSettings settings = small("copy", HostType::gru, "dot", 12);
    const FilmedText text = filmed_example(task("copy"), 0);
    WatchedTraining whole(settings, text), killed(settings, text);
    for (Index i = 0; i < 5; ++i)
        killed.step();
    const TrainingState state = killed.training().checkpoint();
    killed.step();  // lost
    WatchedTraining resumed(settings, state, killed.record());
    EXPECT_EQ(resumed.record().film.frames().back()->step, 5);
    while (!whole.is_over())
        whole.step();
    while (!resumed.is_over())
        resumed.step();
    EXPECT_EQ(resumed.training().checkpoint(), whole.training().checkpoint());
    EXPECT_EQ(resumed.record().loss.points(), whole.record().loss.points());
    EXPECT_EQ(resumed.record().exact_match, whole.record().exact_match);
    ASSERT_EQ(resumed.record().film.frames().size(), whole.record().film.frames().size());
    EXPECT_EQ(resumed.record().film.frames().back()->maps, whole.record().film.frames().back()->maps);
}

TEST(WatchedTraining, SaysWhichWordOfTheTextItDoesNotKnow) {
    WatchedTraining training(small("copy", HostType::gru, "additive", 2), {"ab7", {}});
    EXPECT_NE(training.record().film_problem.find('7'), std::string::npos);
    EXPECT_TRUE(training.record().film.frames().empty());
    training.film({"abc", "abc"});
    EXPECT_EQ(training.record().film_problem, "");
    EXPECT_EQ(training.record().film.frames().size(), 1u);
    training.film({"abc", {}});  // its own words
    EXPECT_EQ(training.record().film.frames().size(), 1u);
}

/// What 16-bit floats leave of the weights.
void expect_near(const Film& here, const Film& there) {
    ASSERT_EQ(here.frames().size(), there.frames().size());
    for (std::size_t i = 0; i < here.frames().size(); ++i) {
        const FilmFrame &one = *here.frames()[i], &other = *there.frames()[i];
        EXPECT_EQ(one.step, other.step);
        EXPECT_EQ(one.words.said, other.words.said);
        ASSERT_EQ(one.maps.size(), other.maps.size());
        for (std::size_t m = 0; m < one.maps.size(); ++m) {
            EXPECT_EQ(one.maps[m].site, other.maps[m].site);
            EXPECT_EQ(one.maps[m].forbidden, other.maps[m].forbidden);
            ASSERT_EQ(one.maps[m].weights.size(), other.maps[m].weights.size());
            for (std::size_t at = 0; at < one.maps[m].weights.size(); ++at)
                EXPECT_NEAR(one.maps[m].weights[at], other.maps[m].weights[at], 1e-3);
        }
    }
}

TEST(TrainingFolder, ComesBack) {
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / "headlight-film" / "0001-reverse";
    WatchedTraining training(small("reverse", HostType::transformer, "", 4),
                             filmed_example(task("reverse"), 0));
    training.step();
    training.film({"abc", {}});
    training.step();
    const TrainingSummary summary{"reverse-transformer",  TrainingPhase::training, 2, 4, 0.99, {0.25, 8},
                                  "Reverse · Transformer"};
    write_training_folder(folder, summary, training.record(),
                          {training.training().settings(), training.training().checkpoint()});
    EXPECT_EQ(read_training_summary(folder), summary);
    const TrainingRecord record = read_training_record(folder);
    EXPECT_EQ(record.text, training.record().text);
    EXPECT_EQ(record.loss.points(), training.record().loss.points());
    EXPECT_EQ(record.exact_match, training.record().exact_match);
    expect_near(record.film, training.record().film);
    EXPECT_EQ(read_training_checkpoint(folder).state, training.training().checkpoint());
    std::filesystem::remove_all(folder);
    expect_refusal([&] { read_training_summary(folder); }, {"run.json"});
}

/// A film of one frame, at a step, with a map of such a shape, and what its mask forbids.
std::string filmed(Index step, const Shape& shape, const std::optional<Tensor>& forbidden = {}) {
    const std::string at = std::to_string(step);
    std::map<std::string, Tensor> tensors{{at + "/decoder.cross", Tensor(shape)}};
    if (forbidden)
        tensors.emplace(at + "/decoder.cross/forbidden", *forbidden);
    return write_safetensors(
        {std::move(tensors),
         {{"format", "headlight-training-record/1"},
          {"record", R"({"text": {}, "loss": {"points": []}, "exact_match": [], "film": {"frames": [[)" + at +
                         R"(, 0]], "words": [{}], "sites": ["decoder.cross"]}})"}}});
}

TEST(TrainingRecord, OfAFilmThatCannotBeShownIsRefused) {
    EXPECT_EQ(parse_training_record(filmed(7, {2, 1, 3})).film.frames().front()->maps.front().heads, 2);
    expect_refusal([] { parse_training_record(filmed(7, {2, 3})); }, {"7/decoder.cross", "[2, 3]"});
    for (const Shape& empty : {Shape{0, 1, 3}, {2, 0, 3}, {2, 1, 0}})
        expect_refusal([&] { parse_training_record(filmed(7, empty)); }, {"7/decoder.cross"});
    expect_refusal([] { parse_training_record(filmed(Index(1) << 32, {2, 1, 3})); }, {"/film/frames"});
    const std::string mask = "7/decoder.cross/forbidden";
    expect_refusal(
        [] {
            parse_training_record(filmed(7, {2, 1, 3}, Tensor(Shape{2, 3, 1})));
        },
        {mask, "[2, 3, 1]"});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double cell : {0.5, -1.0, nan})
        expect_refusal(
            [&] {
                parse_training_record(filmed(7, {1, 1, 1}, Tensor(Shape{1, 1, 1}, cell)));
            },
            {mask, "0 or 1"});
}

TEST(TrainingRecord, OfSomethingElseIsRefused) {
    expect_refusal([] { parse_training_record("{}"); }, {});
    expect_refusal([] { parse_training_summary(R"({"format": "headlight-training/1", "phase": "dead"})"); },
                   {"phase", "dead"});
    expect_refusal(
        [] { parse_training_summary(R"({"format": "headlight-training/1", "steps": 3, "steps_done": 4})"); },
        {"steps_done", "4"});
}

TEST(FilmChoices, AreThoseThatARecipeCanPrepare) {
    EXPECT_EQ(possible_hosts(task("brackets")), std::vector<HostType>{HostType::encoder});
    EXPECT_EQ(possible_hosts(task("distinct")),
              (std::vector{HostType::encoder, HostType::set, HostType::slot_attention}));
    EXPECT_EQ(possible_hosts(task("reviews")), (std::vector{HostType::encoder, HostType::hierarchical}));
    EXPECT_EQ(possible_hosts(task("whereabouts")), (std::vector{HostType::encoder, HostType::coattention}));
    EXPECT_EQ(possible_hosts(task("distances")), (std::vector{HostType::encoder, HostType::triangles}));
    EXPECT_EQ(possible_hosts(task("race")), (std::vector{HostType::encoder, HostType::vision}));
    for (const Task& each : tasks())
        for (const HostType host : possible_hosts(each)) {
            Recipe recipe;
            recipe.task = each.id;
            recipe.host = host;
            recipe.width = 8;
            EXPECT_NO_THROW(prepare(recipe)) << each.id << ' ' << to_word(host);
        }
    EXPECT_EQ(possible_hosts(task("stories")),
              (std::vector{HostType::gpt, HostType::xl, HostType::two_stream}));
    EXPECT_EQ(possible_hosts(task("dates")).size(), 10u);  // all but those that say a label or point
    for (const Task& each : tasks())
        EXPECT_GE(possible_attentions(each, possible_hosts(each).back()).size(), 4u) << each.id;
    const auto names = [](HostType host) {
        std::vector<std::string> list;
        const AttentionChoice* before = nullptr;
        const std::vector<AttentionChoice> choices = possible_attentions(task("dates"), host);
        for (const AttentionChoice& each : choices) {
            EXPECT_FALSE(each.meaning.empty()) << each.name;
            const bool is_by_name =
                before && before->kind == each.kind && each.kind != AttentionChoice::Kind::mechanism;
            EXPECT_TRUE(!is_by_name || before->name < each.name) << each.name;
            before = &each;
            list.push_back(each.name);
        }
        return list;
    };
    const std::vector<std::string> recurrent = names(HostType::gru);
    const auto has = [&](const char* name) { return std::ranges::find(recurrent, name) != recurrent.end(); };
    for (const char* name : {"additive", "dot", "general", "hard", "sparsemax", "local_m", "local_p"})
        EXPECT_TRUE(has(name)) << name;
    for (const char* name : {"multi_head", "grouped_query", "multi_query", "gated"})
        EXPECT_TRUE(has(name)) << name;
    for (const char* name : {"causal", "window", "rope", "sinkhorn", "slot"})
        EXPECT_FALSE(has(name)) << name;
}

}  // namespace

}  // namespace headlight::film_test
