#include "bench/eigen_products.h"

#include <Eigen/Core>

#include <vector>

namespace headlight {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Head {
    Matrix query, key, value, weights, context;
};

}  // namespace

struct EigenProducts::Matrices {
    std::vector<Matrix> parameters;
    Matrix tokens, projected;
    std::vector<Head> heads;
};

EigenProducts::EigenProducts(Index tokens, Index width, Index heads)
    : matrices_(std::make_unique<Matrices>()) {
    for (int i = 0; i < 4; ++i)
        matrices_->parameters.push_back(Matrix::Random(width, width));
    matrices_->tokens = Matrix::Random(tokens, width);
    matrices_->projected = Matrix::Zero(tokens, width);
    const auto of_head = [&] { return Matrix(Matrix::Random(tokens, width / heads)); };
    for (Index head = 0; head < heads; ++head)
        matrices_->heads.push_back(
            {of_head(), of_head(), of_head(), Matrix::Zero(tokens, tokens), of_head()});
}

EigenProducts::~EigenProducts() = default;

void EigenProducts::run() {
    for (const Matrix& parameter : matrices_->parameters)
        matrices_->projected.noalias() = matrices_->tokens * parameter;
#pragma omp parallel for schedule(dynamic, 1)
    for (Head& head : matrices_->heads) {
        head.weights.noalias() = head.query * head.key.transpose();
        head.context.noalias() = head.weights * head.value;
    }
}

}  // namespace headlight
