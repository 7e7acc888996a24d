// A beam search with its parameters in its arguments: picks one number of each row, next to the one above, for a large
// sum. Reads the number of rows, and three numbers of each.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace std;

struct State {
    double hope;
    int sum, place;
};

int main(int argc, char **argv) {
    int width = argc > 1 ? atoi(argv[1]) : 1;
    double future = argc > 2 ? atof(argv[2]) : 0.2;
    int rows;
    if (scanf("%d", &rows) != 1) return 1;
    vector<vector<int>> table(rows, vector<int>(9));
    for (auto &row : table) {
        for (int &number : row) {
            if (scanf("%d", &number) != 1) return 1;
        }
    }
    vector<State> beam = {{0, 0, 4}};
    for (int i = 0; i < rows; i++) {
        vector<State> next;
        for (const State &state : beam) {
            for (int place = max(0, state.place - 1); place <= min(8, state.place + 1); place++) {
                int sum = state.sum + table[i][place];
                double hope = sum;
                if (i + 1 < rows) hope += future * table[i + 1][place];
                next.push_back({hope, sum, place});
            }
        }
        sort(next.begin(), next.end(), [](const State &a, const State &b) { return a.hope > b.hope; });
        next.resize(min<size_t>(next.size(), width));
        beam = next;
    }
    int best = 0;
    for (const State &state : beam) best = max(best, state.sum);
    printf("Score = %d\n", best);
}
