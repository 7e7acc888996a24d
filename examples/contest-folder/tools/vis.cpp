// The contest's tester: reads an input and an output, and prints the score on standard error.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <vector>

using namespace std;

int main(int argc, char **argv) {
    if (argc != 3) return cerr << "vis INPUT OUTPUT\n", 2;
    ifstream input(argv[1]), output(argv[2]);
    int n, m;
    input >> n >> m;
    vector<double> load(m);
    double total = 0;
    for (int i = 0; i < n; i++) {
        int time, machine;
        input >> time;
        if (!(output >> machine) || machine < 0 || machine >= m) {
            cerr << "wrong answer: job " << i << " is on no machine\nScore = 0\n";
            return 0;
        }
        load[machine] += time;
        total += time;
    }
    double busiest = *max_element(load.begin(), load.end());
    cerr << "machines = " << m << "\nScore = " << llround(1e6 * total / m / (2 * busiest - total / m)) << "\n";
}
