// Spreads jobs over machines, so that the busiest one has as little to do as possible: simulated annealing.
//
// Input: N M, then N times. Output: the machine of each job, from 0.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

using namespace std;

double T0 = 30.0;  // evolve: [0.1, 1000] log
double T1 = 1.0;   // evolve: [0.01, 100] log
int SWAPS = 20;    // evolve: [0, 100]
bool SORTED = false; // evolve: bool

// While it is tuned, parameters are in the environment.
template <class T> void tuned(const char *name, T &value) {
    if (const char *text = getenv(name)) value = isalpha(text[0]) ? text[0] == 't' : atof(text);
}

int main() {
    tuned("EVOLVE_T0", T0), tuned("EVOLVE_T1", T1), tuned("EVOLVE_SWAPS", SWAPS), tuned("EVOLVE_SORTED", SORTED);
    int n, m;
    cin >> n >> m;
    vector<int> time(n), order(n), machine(n);
    for (int &t : time) cin >> t;
    for (int i = 0; i < n; i++) order[i] = i;
    if (SORTED) sort(order.begin(), order.end(), [&](int a, int b) { return time[a] > time[b]; });
    vector<double> load(m);
    for (int i : order) {
        machine[i] = min_element(load.begin(), load.end()) - load.begin();
        load[machine[i]] += time[i];
    }
    double target = 0;
    for (int t : time) target += double(t) / m;
    auto cost = [&](int a, double change) { return (load[a] + change - target) * (load[a] + change - target); };
    mt19937 dice(1);
    const int STEPS = 20000;
    for (int step = 0; step < STEPS; step++) {
        double heat = pow(T0, 1 - double(step) / STEPS) * pow(T1, double(step) / STEPS);
        int i = dice() % n, j = dice() % n, a = machine[i], b = machine[j];
        bool swaps = int(dice() % 100) < SWAPS;
        int to = swaps ? b : int(dice() % m);
        if (a == to) continue;
        double moved = swaps ? time[i] - time[j] : time[i];
        double worse = cost(a, -moved) + cost(to, moved) - cost(a, 0) - cost(to, 0);
        if (worse <= 0 || exp(-worse / (heat * heat)) * 4294967296.0 > dice()) {
            load[a] -= moved, load[to] += moved;
            machine[i] = to;
            if (swaps) machine[j] = a;
        }
    }
    for (int a : machine) cout << a << "\n";
}
