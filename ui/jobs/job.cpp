#include "ui/jobs/job.h"

#include "core/tensor/interruption.h"

#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>

namespace headlight {

std::optional<Error> current_error(const std::string& operation) {
    try {
        throw;
    } catch (const Interrupted&) {
        return std::nullopt;
    } catch (const Error& error) {
        return error;
    } catch (const std::bad_alloc&) {
        return Error({operation, "", "work that fits into memory", "more than there is"});
    } catch (const std::length_error&) {  // a container was asked for more than it can ever hold
        return Error({operation, "", "work that fits into memory", "more than there is"});
    } catch (const std::filesystem::filesystem_error& error) {
        return Error({operation, excerpt(error.path1().filename().string()), "a place that can be read",
                      error.code().message()});
    } catch (const std::exception& error) {
        return Error({operation, "", "work that ends well", excerpt(error.what())});
    } catch (...) {
        return Error({operation, "", "work that ends well", "an unknown fault"});
    }
}

QString current_problem(const std::string& operation) {
    const auto error = current_error(operation);
    return error ? QString::fromStdString(error->what()) : QString();
}

}  // namespace headlight
