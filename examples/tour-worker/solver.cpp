// A short tour through points, by local search from random starts, as a worker: the program stays alive and answers a line
// to each trial. Without `worker = true` it plays one trial and ends.
#include "evolve.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

using namespace std;

static double solve() {
    int starts = evolve::param("starts", 2);       // how many tours it begins with
    int kicks = evolve::param("kicks", 20);        // how often it shuffles a piece of the best one
    int piece = evolve::param("piece", 5);         // how long that piece is

    int n;
    istream &in = evolve::input();
    if (!(in >> n) || n < 4) throw runtime_error("there are no points to read");
    vector<double> x(n), y(n);
    for (int i = 0; i < n; i++) in >> x[i] >> y[i];
    auto distance = [&](int a, int b) { return hypot(x[a] - x[b], y[a] - y[b]); };
    long looks = 0;
    // Turns pieces of a tour as long as that makes it shorter, and gives its length.
    auto improve = [&](vector<int> &tour) {
        for (bool better = true; better;) {
            better = false;
            for (int i = 1; i + 1 < n; i++) {
                for (int j = i + 1; j < n; j++) {
                    looks++;
                    int a = tour[i - 1], b = tour[i], c = tour[j], d = tour[(j + 1) % n];
                    if (distance(a, c) + distance(b, d) < distance(a, b) + distance(c, d) - 1e-9) {
                        reverse(tour.begin() + i, tour.begin() + j + 1);
                        better = true;
                    }
                }
            }
        }
        double sum = 0;
        for (int i = 0; i < n; i++) sum += distance(tour[i], tour[(i + 1) % n]);
        return sum;
    };

    mt19937 dice(static_cast<unsigned>(evolve::random()));
    vector<int> tour(n), best;
    iota(tour.begin(), tour.end(), 0);
    double shortest = HUGE_VAL;
    for (int start = 0; start < starts; start++) {
        for (int i = n - 1; i > 0; i--) swap(tour[i], tour[dice() % (i + 1)]);
        double length = improve(tour);
        if (length < shortest) shortest = length, best = tour;
    }
    for (int kick = 0; kick < kicks; kick++) {
        tour = best;
        int from = dice() % n;
        for (int i = min(piece, n) - 1; i > 0; i--) swap(tour[(from + i) % n], tour[(from + dice() % (i + 1)) % n]);
        double length = improve(tour);
        if (length < shortest) shortest = length, best = tour;
    }
    evolve::metric("looks", looks);
    // Every look costs, so that more starts and kicks are not always better.
    return shortest + 0.002 * looks;
}

int main() { return evolve::serve(solve); }
