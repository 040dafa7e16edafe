#pragma once

namespace headlight {

enum class Activation { tanh, relu, sigmoid, identity };

}  // namespace headlight
