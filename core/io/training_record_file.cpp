#include "core/io/training_record_file.h"

#include "core/attention/json_object.h"
#include "core/io/json_text.h"
#include "core/io/model_json.h"
#include "core/io/safetensors.h"
#include "core/io/safetensors_view.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace headlight {

using nlohmann::json;

namespace {

constexpr const char* record_document = "read training record";
constexpr Index widest_stride = Index(1) << 40;
constexpr std::size_t most_points = 1 << 20;
constexpr std::size_t most_sites = 1024;

std::string tensor_name(Index step, const std::string& site) { return std::to_string(step) + '/' + site; }
std::string forbidden_name(Index step, const std::string& site) {
    return tensor_name(step, site) + "/forbidden";
}

[[noreturn]] void refuse_record(const std::string& where, const std::string& expected,
                                const std::string& got) {
    throw Error({record_document, where, expected, got});
}

// Curves

template <class Point>
json pairs(const std::vector<Point>& points, double Point::*number) {
    json list = json::array();
    for (const Point& point : points)
        list.push_back({point.step, point.*number});
    return list;
}

/// [[step, number], ...] by step.
template <class Point>
std::vector<Point> points_from(const json& list, const std::string& where) {
    if (!list.is_array() || list.size() > most_points)
        refuse_record(where, "a list of points", describe(list));
    std::vector<Point> points;
    for (const json& each : list) {
        const bool is_pair = each.is_array() && each.size() == 2 && each[0].is_number_integer() &&
                             each[1].is_number() && std::isfinite(each[1].get<double>());
        if (!is_pair || each[0] < 0 || each[0] > most_steps)
            refuse_record(where, "a step and a number", excerpt(each.dump()));
        points.push_back({each[0].get<Index>(), each[1].get<double>()});
        if (points.size() > 1 && points.back().step <= points[points.size() - 2].step)
            refuse_record(where, "steps in their order", std::to_string(points.back().step));
    }
    return points;
}

// The film

json to_json(const GeneratedWords& words) {
    return {{"source", words.source}, {"read", words.read}, {"said", words.said}};
}

GeneratedWords words_from(const json& document, const std::string& where) {
    JsonObject object(document, record_document, where);
    return {object.texts("source"), object.texts("read"), object.texts("said")};
}

bool same(const GeneratedWords& a, const GeneratedWords& b) {
    return a.source == b.source && a.read == b.read && a.said == b.said;
}

/// What was said in each frame and at which sites; the weights are tensors of their own.
json to_json(const Film& film) {
    json words = json::array(), frames = json::array(), sites = json::array();
    const GeneratedWords* last = nullptr;
    for (const auto& frame : film.frames()) {
        if (!last || !same(*last, frame->words))  // teacher forcing: they seldom change
            words.push_back(to_json(frame->words));
        last = &frame->words;
        frames.push_back({frame->step, words.size() - 1});
        for (const FilmedMap& map : frame->maps)
            if (std::ranges::find(sites, json(map.site)) == sites.end())
                sites.push_back(map.site);
    }
    return {{"every", film.every()}, {"words", words}, {"frames", frames}, {"sites", sites}};
}

std::map<std::string, Tensor> maps_of(const Film& film) {
    std::map<std::string, Tensor> maps;
    std::map<std::string, std::vector<std::uint8_t>> written;  // by site
    for (const auto& frame : film.frames())
        for (const FilmedMap& map : frame->maps) {
            const Shape shape{map.heads, map.rows, map.columns};
            maps.emplace(tensor_name(frame->step, map.site),
                         Tensor(shape, std::vector<double>(map.weights.begin(), map.weights.end())));
            // A mask seldom changes while a model learns.
            if (std::vector<std::uint8_t>& last = written[map.site]; last != map.forbidden) {
                last = map.forbidden;
                std::vector<double> cells(map.forbidden.begin(), map.forbidden.end());
                cells.resize(map.weights.size());
                maps.emplace(forbidden_name(frame->step, map.site), Tensor(shape, std::move(cells)));
            }
        }
    return maps;
}

/// What is forbidden of a map; empty where nothing is.
std::vector<std::uint8_t> forbidden_from(const std::string& name, const FilmedMap& map,
                                         const Tensor& tensor) {
    const Shape shape{map.heads, map.rows, map.columns};
    if (tensor.shape() != shape)
        refuse_record("tensor \"" + excerpt(name) + '"', "the shape of the weights, " + to_string(shape),
                      to_string(tensor.shape()));
    std::vector<std::uint8_t> forbidden;
    for (const double value : tensor.values()) {
        if (value != 0 && value != 1)
            refuse_record("tensor \"" + excerpt(name) + '"', "0 or 1", number_to_json(value).dump());
        forbidden.push_back(value != 0);
    }
    if (std::ranges::count(forbidden, 1) == 0)
        forbidden.clear();
    return forbidden;
}

FilmedMap map_from(const std::string& name, const std::string& site, const Tensor& tensor) {
    // A map of no heads would be a figure of no panels.
    if (tensor.rank() != 3 || tensor.empty())
        refuse_record("tensor \"" + excerpt(name) + '"', "[head, row, column]", to_string(tensor.shape()));
    FilmedMap map{site, tensor.shape()[0], tensor.shape()[1], tensor.shape()[2], {}};
    for (const double value : tensor.values()) {
        map.weights.push_back(static_cast<float>(value));
        if (!std::isfinite(map.weights.back()))
            refuse_record("tensor \"" + excerpt(name) + '"', "finite numbers", number_to_json(value).dump());
    }
    return map;
}

Film film_from(JsonObject document, const SafetensorsView& file) {
    Film film(document.integer("every", 1, 1, widest_stride));
    std::vector<GeneratedWords> words;
    for (const json& each : document.required("words", "a list of texts"))
        words.push_back(words_from(each, pointer_to(document.pointer("words"), words.size())));
    const std::vector<std::string> sites = document.texts("sites");
    if (sites.size() > most_sites || std::set(sites.begin(), sites.end()).size() != sites.size())
        document.refuse("sites", "at most " + std::to_string(most_sites) + " sites, each once",
                        std::to_string(sites.size()));
    const auto frames = points_from<LossCurve::Point>(document.required("frames", "a list of frames"),
                                                      document.pointer("frames"));
    if (frames.size() > Film::Limits().frames)
        document.refuse("frames", "at most " + std::to_string(Film::Limits().frames),
                        std::to_string(frames.size()));
    std::map<std::string, std::vector<std::uint8_t>> forbidden;  // by site, of the frame before
    for (const auto& [step, number] : frames) {
        if (!(number >= 0 && number < static_cast<double>(words.size())))
            document.refuse("frames", "the number of one of the texts", std::to_string(number));
        FilmFrame frame{step, words[static_cast<std::size_t>(number)], {}};
        for (const std::string& site : sites) {
            const std::string name = tensor_name(step, site), mask = forbidden_name(step, site);
            const auto* entry = file.find(name);
            if (!entry)
                continue;
            FilmedMap& map = frame.maps.emplace_back(map_from(name, site, file.tensor(*entry)));
            std::vector<std::uint8_t>& last = forbidden[site];
            if (const auto* cells = file.find(mask))
                last = forbidden_from(mask, map, file.tensor(*cells));
            if (last.size() == map.weights.size())
                map.forbidden = last;
        }
        film.add(std::make_shared<const FilmFrame>(std::move(frame)));
    }
    return film;
}

}  // namespace

std::string write_training_record(const TrainingRecord& record) {
    json text = {{"source", record.text.source}};
    if (record.text.target)
        text["target"] = *record.text.target;
    const json document = {{"text", text},
                           {"loss",
                            {{"stride", record.loss.stride()},
                             {"points", pairs(record.loss.points(), &LossCurve::Point::loss)}}},
                           {"exact_match", pairs(record.exact_match, &Measurement::share)},
                           {"film", to_json(record.film)}};
    return write_safetensors(
        {maps_of(record.film), {{"format", training_record_format}, {"record", document.dump()}}},
        StoredType::f16);
}

TrainingRecord parse_training_record(std::string_view bytes) {
    const SafetensorsView file(bytes);
    if (const std::string& format = file.metadata(record_document, "format");
        format != training_record_format)
        refuse_record("metadata format", '"' + std::string(training_record_format) + '"',
                      '"' + excerpt(format) + '"');
    const JsonDocument document =
        parse_json(file.metadata(record_document, "record"), {.place = "metadata record"});
    JsonObject object(*document, record_document);
    TrainingRecord record;
    JsonObject text = object.object("text");
    record.text.source = text.text("source", {});
    if (text.find("target"))
        record.text.target = text.text("target", {});
    JsonObject loss = object.object("loss");
    const Index stride = loss.integer("stride", 1, 1, widest_stride);
    record.loss = LossCurve(
        points_from<LossCurve::Point>(loss.required("points", "a list of points"), loss.pointer("points")),
        stride);
    record.exact_match = points_from<Measurement>(object.required("exact_match", "a list of measurements"),
                                                  object.pointer("exact_match"));
    for (const Measurement& each : record.exact_match)
        if (!(each.share >= 0 && each.share <= 1))
            object.refuse("exact_match", "shares from 0 to 1", std::to_string(each.share));
    record.film = film_from(object.object("film"), file);
    return record;
}

}  // namespace headlight
