// A short tour through points, by simulated annealing.
//
// Reads the number of points and their coordinates, prints the tour on standard output and `Score = LENGTH` on standard
// error. The same input and parameters always give the same tour.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace std;

struct Point {
    double x, y;
};

static vector<Point> points;

static double distance(int a, int b) { return hypot(points[a].x - points[b].x, points[a].y - points[b].y); }

static double length(const vector<int> &tour) {
    double sum = 0;
    for (size_t i = 0; i < tour.size(); i++) sum += distance(tour[i], tour[(i + 1) % tour.size()]);
    return sum;
}

// From every point to the nearest one that is left.
static vector<int> nearest_first() {
    vector<int> tour(points.size());
    iota(tour.begin(), tour.end(), 0);
    for (size_t i = 1; i < tour.size(); i++) {
        auto closer = [&](int a, int b) { return distance(tour[i - 1], a) < distance(tour[i - 1], b); };
        swap(tour[i], *min_element(tour.begin() + i, tour.end(), closer));
    }
    return tour;
}

int main(int argc, char **argv) {
    int k = 5;               // how far apart in the tour a move's two places are at most, in twentieths of it
    double temp = 10;        // the temperature at the start
    string move = "2opt";    // what a move does: swaps two points, turns a piece, or inserts a point elsewhere
    bool greedy = false;     // whether it starts with the nearest points
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--k")) k = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--temp")) temp = atof(argv[i + 1]);
        else if (!strcmp(argv[i], "--move")) move = argv[i + 1];
        else if (!strcmp(argv[i], "--greedy")) greedy = !strcmp(argv[i + 1], "true");
        else return fprintf(stderr, "no such option: %s\n", argv[i]), 2;
    }
    int n;
    if (!(cin >> n) || n < 4) return fprintf(stderr, "there are no points to read\n"), 1;
    points.resize(n);
    for (Point &point : points) cin >> point.x >> point.y;

    vector<int> tour(n);
    iota(tour.begin(), tour.end(), 0);
    if (greedy) tour = nearest_first();
    mt19937 dice(1);
    const int STEPS = 4000;
    double now = length(tour);
    for (int step = 0; step < STEPS; step++) {
        double heat = temp * pow(1e-3, double(step) / STEPS);
        int apart = 1 + dice() % max(1, n * k / 20 - 1);
        int i = dice() % n, j = min(n - 1, i + apart);
        if (i == j) continue;
        vector<int> next = tour;
        if (move == "swap") swap(next[i], next[j]);
        else if (move == "2opt") reverse(next.begin() + i, next.begin() + j + 1);
        else rotate(next.begin() + i, next.begin() + i + 1, next.begin() + j + 1);
        double then = length(next);
        if (then < now || exp((now - then) / heat) * 4294967296.0 > dice()) {
            tour = next;
            now = then;
        }
    }
    for (int point : tour) printf("%d\n", point);
    fprintf(stderr, "Score = %.0f\n", now);
}
