#include "core/attention/component.h"
#include "core/attention/scores/defined_scores.h"

namespace headlight {
namespace {

/// The hyperbolic sine of a larger radius, squared, leaves the range of a double.
constexpr double largest_radius = 300;

Expression sinh_of(const Expression& x) { return (exp_of(x) - exp_of(-x)) / 2; }
/// ln(x + √(x² + 1))
Expression arsinh_of(const Expression& x) { return log_of(x + root_of(x * x + 1)); }
/// √x with a derivative of 0 at 0, where two vectors are one and their distance has a kink.
Expression flat_root_of(const Expression& x) {
    const Expression is_positive = is_above(x, 0);
    return choose(is_positive, root_of(choose(is_positive, x, 1)), 0);
}

/// A vector as a point of the hyperboloid: how far from its lowest point, and which way.
struct Point {
    Expression direction, radius;
};

Point define_point(Composer& composer, const std::string& name, const Expression& x) {
    const Expression direction = direction_of(composer, name, x);
    return {direction,
            composer.let(name + "_radius", smaller_of(sum_of_columns(x * direction), largest_radius),
                         "how far from the lowest point of the hyperboloid")};
}

/// −d, d by the law of haversines: sinh²(d/2) = sinh²((a − b)/2) + sinh a sinh b |u − v|² / 4, of radii a, b
/// and directions u, v. It is arcosh(−⟨q, k⟩) without the difference of two large numbers.
Expression define_hyperbolic(Composer& composer) {
    const Point query = define_point(composer, "query", composer.query);
    const Point key = define_point(composer, "key", composer.key);
    const Expression apart = left_row(query.direction) - right_row(key.direction);
    const Expression chords =
        composer.let("chords", sum_of_pairs(apart * apart), "|u − v|² of the directions of query and key");
    const Expression along =
        composer.let("half_difference", sinh_of((query.radius - transposed(key.radius)) / 2),
                     "sinh of half the difference of the radii");
    const Expression across = sinh_of(query.radius) * transposed(sinh_of(key.radius)) * chords / 4;
    const Expression haversine = composer.let("haversines", along * along + across, "sinh²(distance / 2)");
    return -2 * arsinh_of(flat_root_of(haversine));
}

}  // namespace

ScoreComponent declare_scores_hyperbolic() {
    ScoreComponent component;
    component.meaning = "−β d(q, k), the distance on the hyperboloid of the points that lie |q| and |k| from "
                        "its lowest point in the directions of q and k (Gülçehre et al. 2019)";
    component.options = {number_option("beta", "Sharpness β", 1.0, {0, 100},
                                       "What the distances are multiplied by: 0 makes every row uniform.")};
    component.scale = [](const Plan& plan) { return plan.score().number("beta"); };
    component.define = define_hyperbolic;
    return component;
}

}  // namespace headlight
