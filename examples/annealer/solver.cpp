// A short tour through 500 random points, by simulated annealing until a time limit.
//
// The cooling depends on the time: with little of it, a hot start wastes all steps; with more, a cold one is stuck in the
// first good tour. So the best temperatures move with the limit.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <random>
#include <vector>

using namespace std;

static double param(const char *name, double otherwise) {
    const char *set = getenv(name);
    return set ? atof(set) : otherwise;
}

const int TIME_LIMIT = param("EVOLVE_TIME_LIMIT", 400); // evolve: limit ms
const double HOT = param("EVOLVE_HOT", 10);             // evolve: [0.1, 1000] log
const double COLD = param("EVOLVE_COLD", 0.5);          // evolve: [0.01, 10] log
const double NEAR = param("EVOLVE_NEAR", 0.3);          // evolve: [0.02, 1] log

const int POINTS = 500;
static double x[POINTS], y[POINTS];

static double distance(int a, int b) { return hypot(x[a] - x[b], y[a] - y[b]); }

int main(int argc, char **argv) {
    if (argc != 2) return fprintf(stderr, "usage: solver SEED\n"), 2;
    mt19937 dice(atoi(argv[1]));
    for (int i = 0; i < POINTS; i++) x[i] = dice() % 1000, y[i] = dice() % 1000;

    vector<int> tour(POINTS);
    iota(tour.begin(), tour.end(), 0);
    double length = 0;
    for (int i = 0; i < POINTS; i++) length += distance(tour[i], tour[(i + 1) % POINTS]);
    // CPU time: other processes on the machine take nothing from it.
    const double limit = TIME_LIMIT / 1000.0 * CLOCKS_PER_SEC;
    double heat = HOT;
    for (long step = 0;; step++) {
        if (step % 256 == 0) {
            double share = clock() / limit;
            if (share >= 1) break;
            heat = HOT * pow(COLD / HOT, share);
        }
        // Turns a piece of the tour.
        int i = 1 + dice() % (POINTS - 2);
        int j = min(POINTS - 1, i + 1 + int(dice() % max(1, int(NEAR * POINTS))));
        int before = tour[i - 1], after = tour[(j + 1) % POINTS];
        double change = distance(before, tour[j]) + distance(tour[i], after) - distance(before, tour[i]) - distance(tour[j], after);
        if (change < 0 || exp(-change / heat) * 4294967296.0 > dice()) {
            reverse(tour.begin() + i, tour.begin() + j + 1);
            length += change;
        }
    }
    printf("Score = %.0f\n", length);
}
