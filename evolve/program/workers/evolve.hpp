// Parameters and worker mode for a solver in C++ (C++11 and later), to be copied beside it.
//
//     #include "evolve.hpp"
//
//     double solve() {                                  // plays one trial and returns its score
//         int k = evolve::param("k", 5);                // the parameter, or 5 outside of tuning
//         std::mt19937 dice(evolve::random());          // another one in every replicate
//         std::istream &in = evolve::input();           // the instance
//         ...
//     }
//
//     int main() { return evolve::serve(solve); }
//
// With `worker = true` in the job the program stays alive and answers a line to each trial. Otherwise it plays one trial,
// with parameters from the environment (`env = { EVOLVE_K = "{k}" }`) and the instance on standard input, and prints
// `Score = 123`.
#ifndef EVOLVE_HPP
#define EVOLVE_HPP

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

namespace evolve {

namespace detail {

// The leaves of the JSON object of a trial by their paths: `seed`, `params.k`, `params.table.0`.
typedef std::map<std::string, std::string> Leaves;

struct Trial {
    bool worker;
    Leaves leaves;
    std::map<std::string, double> metrics;
    std::ifstream file;
};

inline Trial &trial() {
    static Trial one;
    return one;
}

class Parser {
  public:
    Parser(const std::string &text, Leaves &leaves) : text(text), at(0), leaves(leaves) { value(""); }

  private:
    const std::string &text;
    size_t at;
    Leaves &leaves;

    char next() {
        while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) at++;
        if (at == text.size()) throw std::runtime_error("the trial ends early");
        return text[at];
    }

    bool skip(char c) {
        if (next() != c) return false;
        at++;
        return true;
    }

    void value(const std::string &path) {
        char first = next();
        if (first == '{') {
            at++;
            if (skip('}')) return;
            do {
                next();
                std::string name = quoted();
                skip(':');
                value(path.empty() ? name : path + "." + name);
            } while (skip(','));
            skip('}');
        } else if (first == '[') {
            at++;
            if (skip(']')) return;
            int i = 0;
            do value(path + "." + std::to_string(i++));
            while (skip(','));
            skip(']');
        } else if (first == '"') {
            leaves[path] = quoted();
        } else {
            size_t end = text.find_first_of(",]} \t", at);
            if (end == std::string::npos) end = text.size();
            leaves[path] = text.substr(at, end - at);
            at = end;
        }
    }

    std::string quoted() {
        std::string result;
        for (at++; at < text.size() && text[at] != '"'; at++) {
            if (text[at] != '\\') {
                result += text[at];
                continue;
            }
            switch (text.at(++at)) {
            case 'n': result += '\n'; break;
            case 't': result += '\t'; break;
            case 'r': result += '\r'; break;
            case 'b': result += '\b'; break;
            case 'f': result += '\f'; break;
            case 'u':
                // Only control characters are written in this way.
                result += static_cast<char>(std::strtol(text.substr(at + 1, 4).c_str(), nullptr, 16));
                at += 4;
                break;
            default: result += text[at];
            }
        }
        at++;
        return result;
    }
};

inline bool find(const std::string &path, std::string &found) {
    Leaves::const_iterator leaf = trial().leaves.find(path);
    if (leaf == trial().leaves.end()) return false;
    found = leaf->second;
    return true;
}

inline bool find_param(const std::string &name, std::string &found) {
    if (find("params." + name, found)) return true;
    std::string variable = "EVOLVE_";
    for (unsigned char c : name) {
        // The first byte of a character in UTF-8 stands for all of them.
        if ((c & 0xC0) != 0x80) variable += c < 0x80 && std::isalnum(c) ? static_cast<char>(std::toupper(c)) : '_';
    }
    const char *text = std::getenv(variable.c_str());
    if (text) found = text;
    return text != nullptr;
}

template <class T> T parse(const std::string &text) {
    std::istringstream in(text);
    T value;
    if (!(in >> value) || !(in >> std::ws).eof())
        throw std::runtime_error("not a value of the default's type: " + text + " (write 5.0 for a number with a point)");
    return value;
}
// These are numbers, not characters.
template <class T> T parse_byte(const std::string &text) {
    int value = parse<int>(text);
    if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max())
        throw std::runtime_error("not within a byte: " + text);
    return static_cast<T>(value);
}
template <> inline signed char parse<signed char>(const std::string &text) { return parse_byte<signed char>(text); }
template <> inline unsigned char parse<unsigned char>(const std::string &text) { return parse_byte<unsigned char>(text); }
template <> inline std::string parse<std::string>(const std::string &text) { return text; }
template <> inline bool parse<bool>(const std::string &text) {
    if (text != "true" && text != "1" && text != "false" && text != "0") throw std::runtime_error("not a switch: " + text);
    return text == "true" || text == "1";
}
template <> inline double parse<double>(const std::string &text) {
    char *end;
    double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end) throw std::runtime_error("not a number: " + text);
    return value;
}

} // namespace detail

// Returns a parameter, with the type of its default.
template <class T> T param(const std::string &name, T otherwise) {
    std::string found;
    return detail::find_param(name, found) ? detail::parse<T>(found) : otherwise;
}
inline std::string param(const std::string &name, const char *otherwise) {
    return param<std::string>(name, otherwise);
}

// Returns the value of a scenario variable, in worker mode.
inline std::string scenario(const std::string &name, const std::string &otherwise = "") {
    std::string found;
    return detail::find("scenario." + name, found) ? found : otherwise;
}

// Return the seed of the instance, and the seed for the solver's random numbers, in worker mode.
inline unsigned long long seed(unsigned long long otherwise = 0) {
    std::string found;
    return detail::find("seed", found) ? std::strtoull(found.c_str(), nullptr, 10) : otherwise;
}
inline unsigned long long random(unsigned long long otherwise = 0) {
    std::string found;
    return detail::find("random", found) ? std::strtoull(found.c_str(), nullptr, 10) : otherwise;
}

// Return the time limit of the trial, in worker mode.
inline long limit_ms(long otherwise) {
    std::string found;
    return detail::find("limit_ms", found) ? std::strtol(found.c_str(), nullptr, 10) : otherwise;
}
inline double limit_s(double otherwise) {
    std::string found;
    return detail::find("limit_s", found) ? std::strtod(found.c_str(), nullptr) : otherwise;
}

// Returns the instance's input: its file in worker mode, otherwise standard input.
inline std::istream &input() {
    detail::Trial &trial = detail::trial();
    if (!trial.worker) return std::cin;
    std::string path;
    if (!detail::find("input", path)) throw std::runtime_error("this trial has no input");
    trial.file.close();
    trial.file.clear();
    trial.file.open(path.c_str());
    if (!trial.file) throw std::runtime_error("cannot read " + path);
    return trial.file;
}

// Records a further number for the tables, whose name must be in `metrics` of the job.
inline void metric(const std::string &name, double value) { detail::trial().metrics[name] = value; }

// Plays trials with a function that returns a score: all trials in worker mode, otherwise one.
template <class Solve> int serve(Solve solve) {
    detail::Trial &trial = detail::trial();
    trial.worker = std::getenv("EVOLVE_WORKER") != nullptr;
    if (!trial.worker) {
        std::printf("Score = %.17g\n", static_cast<double>(solve()));
        return 0;
    }
    std::string line;
    while (std::getline(std::cin, line)) {
        trial.leaves.clear();
        trial.metrics.clear();
        try {
            detail::Parser(line, trial.leaves);
            std::printf("{\"score\": %.17g", static_cast<double>(solve()));
            for (const auto &metric : trial.metrics) std::printf(", \"%s\": %.17g", metric.first.c_str(), metric.second);
            std::printf("}\n");
        } catch (const std::exception &error) {
            // A trial that throws has no score; the worker is restarted.
            std::fprintf(stderr, "%s\n", error.what());
            return 1;
        }
        std::fflush(stdout);
    }
    return 0;
}

} // namespace evolve

#endif
