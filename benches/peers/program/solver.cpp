// A short tour through random points by annealing, as a worker: a small solver whose parameters are of all kinds, so that
// optimizers which treat kinds apart can show it.
//
// The instance and all dice follow from the seed: seeds never end, and the same seed and parameters give the same score. What it
// may do is counted in steps, not in time. The score is 100 sqrt(n) / length, larger for shorter tours; it compares tours of
// different numbers of points.
#include "evolve.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace std;

// What all looks at a change and all changes may cost together: a look costs 1, and a change as much as it moves points.
static const int STEPS = 6000;

static double solve() {
    double heat = evolve::param("heat", 1.0);            // the temperature at the start of a round, in mean distances to a neighbour
    double bend = evolve::param("bend", 0.5);            // how early it falls: it goes with (1 - share of the round)^bend
    int rounds = evolve::param("rounds", 60);            // how often it is heated up
    int near = evolve::param("near", 20);                // how many neighbours of a point it may be brought together with
    string move = evolve::param("move", "swap");         // how: two points change places, a piece moves, or a piece is turned
    int piece = evolve::param("piece", 15);              // how long such a piece is at most; nothing to those that swap
    bool greedy = evolve::param("greedy", false);        // whether it starts by going to the nearest point each time
    bool swaps = move == "swap", moves = move == "move";
    if (!swaps && !moves && move != "turn") throw runtime_error("no such move: " + move);

    mt19937_64 dice(evolve::seed());
    auto below = [&](int n) { return static_cast<int>((dice() >> 32) * n >> 32); };
    auto uniform = [&] { return (dice() >> 11) * 0x1p-53; };

    int n = 40 + below(21);
    vector<double> x(n), y(n);
    for (int i = 0; i < n; i++) x[i] = uniform(), y[i] = uniform();
    vector<vector<double>> far(n, vector<double>(n));
    vector<vector<int>> nearest(n);
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            far[a][b] = sqrt((x[a] - x[b]) * (x[a] - x[b]) + (y[a] - y[b]) * (y[a] - y[b]));
            if (b != a) nearest[a].push_back(b);
        }
        sort(nearest[a].begin(), nearest[a].end(), [&](int b, int c) { return far[a][b] < far[a][c]; });
    }

    vector<int> tour(n), place(n);
    for (int i = 0; i < n; i++) tour[i] = i;
    if (greedy) {
        for (int i = 1; i < n; i++) {
            auto closer = [&](int a, int b) { return far[tour[i - 1]][a] < far[tour[i - 1]][b]; };
            iter_swap(tour.begin() + i, min_element(tour.begin() + i, tour.end(), closer));
        }
    }
    for (int i = 0; i < n; i++) place[tour[i]] = i;
    auto at = [&](int i) { return tour[(i + n) % n]; };
    auto put = [&](int i, int point) { tour[(i + n) % n] = point, place[point] = (i + n) % n; };
    auto turn = [&](int from, int count) {
        for (int i = 0; i < count / 2; i++) {
            int a = at(from + i), b = at(from + count - 1 - i);
            put(from + i, b), put(from + count - 1 - i, a);
        }
    };

    double now = 0;
    for (int i = 0; i < n; i++) now += far[at(i)][at(i + 1)];
    double best = now, unit = sqrt(1.0 / n);
    for (int spent = 0; spent < STEPS; spent++) {
        double round = static_cast<double>(spent) * rounds / STEPS;
        double temperature = heat * unit * pow(1 - (round - floor(round)), bend);
        // Point b is to come right behind point a.
        int a = below(n), b = nearest[a][below(min(near, n - 1))];
        int i = place[a] + 1, j = place[b], c = at(i);
        if (c == b || at(j + 1) == a) continue;
        int ahead = (j - i + n) % n, count = 0;          // points from c up to b
        double change;
        if (swaps) {
            // b and c change places.
            count = 2;
            change = far[a][b] + far[c][at(j + 1)] - far[a][c] - far[b][at(j + 1)];
            if (ahead > 1) change += far[b][at(i + 1)] + far[at(j - 1)][c] - far[c][at(i + 1)] - far[at(j - 1)][b];
        } else if (moves) {
            // The piece from b on moves between a and c.
            count = 1 + below(min(piece, n - 3));
            if ((i - j + n) % n <= count) continue;
            int last = at(j + count - 1), next = at(j + count);
            change = far[a][b] + far[last][c] + far[at(j - 1)][next] - far[a][c] - far[at(j - 1)][b] - far[last][next];
        } else {
            // The piece from c to b is turned.
            count = ahead + 1;
            if (count > piece) continue;
            change = far[a][b] + far[c][at(j + 1)] - far[a][c] - far[b][at(j + 1)];
        }
        if (change > 0 && exp(-change / temperature) < uniform()) continue;
        if (swaps) {
            put(i, b), put(j, c);
        } else if (moves) {
            // Three turns take the piece over those between, which need as many steps.
            turn(i, ahead), turn(i + ahead, count), turn(i, ahead + count);
            count += ahead;
        } else {
            turn(i, count);
        }
        spent += count;
        now += change;
        best = min(best, now);
    }
    return 100 * sqrt(n) / best;
}

int main() { return evolve::serve(solve); }
