// Quadratic assignment by annealing, as a worker: facilities with flows between them are put on places of a grid.
//
// The instance and the random numbers follow from the seed. The number of exchanges that are tried is fixed, so that the same seed and
// parameters give the same score: the cost relative to that of a random assignment, smaller is better.
#include "evolve.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace std;

static const int TRIED = 4000;

static double solve() {
    double hot = evolve::param("hot", 50.0);                // temperature at the start, in mean costs of a facility
    double cold = evolve::param("cold", 5.0);               // and at the end
    string cooling = evolve::param("cooling", "linear");    // between them: linear, geometric or steps
    int partners = evolve::param("partners", 2);            // exchange partners looked at, of which the best is tried
    bool from_best = evolve::param("from_best", false);     // whether each restart begins with the best so far
    int restarts = evolve::param("restarts", 20);
    if (cooling != "linear" && cooling != "geometric" && cooling != "steps") throw runtime_error("no cooling " + cooling);

    mt19937_64 dice(evolve::seed());
    auto below = [&](int n) { return static_cast<int>((dice() >> 32) * n >> 32); };
    auto uniform = [&] { return (dice() >> 11) * 0x1p-53; };

    int across = 4 + below(2), n = across * 4;
    vector<vector<int>> flow(n, vector<int>(n)), far(n, vector<int>(n));
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++) {
            flow[a][b] = flow[b][a] = below(3) ? 0 : 1 + below(1 + below(40));
            far[a][b] = far[b][a] = abs(a / across - b / across) + abs(a % across - b % across);
        }
    vector<int> at(n), best_at;
    for (int i = 0; i < n; i++) at[i] = i;
    auto mixed = [&] { for (int i = n - 1; i > 0; i--) swap(at[i], at[below(i + 1)]); };
    auto cost = [&] {
        double sum = 0;
        for (int a = 0; a < n; a++)
            for (int b = 0; b < a; b++) sum += flow[a][b] * far[at[a]][at[b]];
        return sum;
    };
    auto change = [&](int a, int b) {
        double sum = 0;
        for (int c = 0; c < n; c++)
            if (c != a && c != b) sum += (flow[a][c] - flow[b][c]) * (far[at[b]][at[c]] - far[at[a]][at[c]]);
        return sum;
    };

    double usual = 0;
    for (int i = 0; i < 40; i++) mixed(), usual += cost() / 40;
    double now = cost(), best = now, unit = usual / n;
    best_at = at;
    int length = max(1, TRIED / restarts);
    for (int tried = 0; tried < TRIED;) {
        int step = tried % length;
        if (tried && step < partners) {
            if (from_best) at = best_at, now = best;
            else mixed(), now = cost();
        }
        double share = static_cast<double>(step) / length;
        if (cooling == "steps") share = floor(share * 5) / 5;
        double temperature = cooling == "linear" ? hot + (cold - hot) * share : hot * pow(cold / hot, share);
        int a = below(n), b = -1;
        double by = 0;
        for (int i = 0; i < partners; i++, tried++) {
            int c = (a + 1 + below(n - 1)) % n;
            double of = change(a, c);
            if (b < 0 || of < by) b = c, by = of;
        }
        if (by > 0 && exp(-by / (max(temperature, 1e-9) * unit)) < uniform()) continue;
        swap(at[a], at[b]), now += by;
        if (now < best) best = now, best_at = at;
    }
    return best / usual;
}

int main() { return evolve::serve(solve); }
