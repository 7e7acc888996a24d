// A timed annealer: points are ordered into a short tour until the time is over. Reads N and N points.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

using namespace std;

const double TIME_LIMIT = 0.02;
const double START_HEAT = 3000.0;
constexpr double END_HEAT = 1000; // far too hot
const bool REVERSES = true;

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    vector<pair<double, double>> points(n);
    for (auto &p : points) {
        if (scanf("%lf %lf", &p.first, &p.second) != 2) return 1;
    }
    auto far = [&](int a, int b) { return hypot(points[a].first - points[b].first, points[a].second - points[b].second); };
    vector<int> tour(n);
    for (int i = 0; i < n; i++) tour[i] = i;
    auto length = [&] {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += far(tour[i], tour[(i + 1) % n]);
        return sum;
    };
    auto now = [] { return chrono::duration<double>(chrono::steady_clock::now().time_since_epoch()).count(); };
    mt19937 dice(1);
    double begin = now(), length_now = length();
    for (double t = 0; t < 1; t = (now() - begin) / TIME_LIMIT) {
        double heat = START_HEAT * pow(END_HEAT / START_HEAT, t);
        for (int again = 0; again < 20; again++) {
            int i = dice() % n, j = dice() % n;
            if (i > j) swap(i, j);
            if (i == j) continue;
            auto change = [&] {
                if (!REVERSES) return swap(tour[i], tour[j]);
                for (int a = i, b = j; a < b; a++, b--) swap(tour[a], tour[b]);
            };
            change();
            double other = length();
            if (other <= length_now || exp((length_now - other) / heat) * 4294967296.0 > dice()) {
                length_now = other;
            } else {
                change();
            }
        }
    }
    printf("Score = %.0f\n", length_now);
}
