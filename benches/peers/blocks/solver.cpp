// A greedy player of falling blocks, as a worker: a contest player's evaluation with twenty constants of all kinds.
//
// Pieces of four cells fall into a shaft of 8 x 14, 150 of them or until one does not fit. Two to four rows at once are worth
// more than as many rows one by one, and the shaft is low: safety and reward pull the weights apart. The sequence of pieces
// follows from the seed. The score is the reward of all rows, larger is better.
#include "evolve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace std;

static const int WIDTH = 8, HEIGHT = 14, PIECES = 150;
static const int REWARD[5] = {0, 1, 3, 6, 12};

// The rows of a piece, lowest first, as bits from its left column.
struct Shape {
    array<uint8_t, 4> rows;
    int width, height;
};

// The rotations of the seven pieces.
static vector<vector<Shape>> shapes() {
    const vector<vector<array<int, 2>>> cells = {
        {{0, 0}, {1, 0}, {2, 0}, {3, 0}}, {{0, 0}, {1, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 0}, {2, 0}, {1, 1}},
        {{0, 0}, {1, 0}, {1, 1}, {2, 1}}, {{1, 0}, {2, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 0}, {2, 0}, {2, 1}},
        {{0, 0}, {1, 0}, {2, 0}, {0, 1}},
    };
    vector<vector<Shape>> all;
    for (auto piece : cells) {
        vector<Shape> turns;
        for (int turn = 0; turn < 4; turn++) {
            Shape shape{{}, 0, 0};
            for (auto [x, y] : piece) {
                shape.rows[y] |= 1 << x;
                shape.width = max(shape.width, x + 1), shape.height = max(shape.height, y + 1);
            }
            auto same = [&](const Shape &other) { return other.rows == shape.rows; };
            if (none_of(turns.begin(), turns.end(), same)) turns.push_back(shape);
            int high = shape.width;
            for (auto &[x, y] : piece) {
                int across = y;
                y = high - 1 - x, x = across;
            }
        }
        all.push_back(turns);
    }
    return all;
}

typedef array<uint8_t, HEIGHT + 4> Board;

static double solve() {
    double height = evolve::param("height", 1.0);           // penalty for the heights of columns
    double height_power = evolve::param("height_power", 1.0);
    string measure = evolve::param("measure", "mean");      // of these heights: mean, largest, or both
    double holes = evolve::param("holes", 1.0);             // for each empty cell under a full one
    double buried = evolve::param("buried", 0.0);           // for each full cell above a hole
    double rows_with_holes = evolve::param("rows_with_holes", 0.0);
    double bumps = evolve::param("bumps", 1.0);             // for differences between neighbouring columns
    double bump_power = evolve::param("bump_power", 1.0);
    double wells = evolve::param("wells", 0.0);             // for each cell of depth of a well
    int well_free = evolve::param("well_free", 0);          // depth that costs nothing
    bool keep_edge = evolve::param("keep_edge", false);     // whether the well at the right edge costs nothing
    double across = evolve::param("across", 0.0);           // for changes between full and empty along a row
    double down = evolve::param("down", 0.0);               // and along a column
    double landing = evolve::param("landing", 1.0);         // for the height at which the piece lands
    double one = evolve::param("one", 1.0), two = evolve::param("two", 1.0);        // rewards of rows
    double three = evolve::param("three", 1.0), four = evolve::param("four", 1.0);
    int danger_from = evolve::param("danger_from", 14);     // height from which danger counts
    double danger = evolve::param("danger", 0.0);           // for each cell above it
    if (measure != "mean" && measure != "largest" && measure != "both") throw runtime_error("no such measure: " + measure);
    double gain[5] = {0, one, two, three, four};
    static const vector<vector<Shape>> pieces = shapes();
    double height_of[HEIGHT + 5], bump_of[HEIGHT + 5];
    for (int i = 0; i < HEIGHT + 5; i++) height_of[i] = pow(i, height_power), bump_of[i] = pow(i, bump_power);

    mt19937_64 dice(evolve::seed());
    Board board{};
    const int full = (1 << WIDTH) - 1;
    int total = 0;
    for (int turn = 0; turn < PIECES; turn++) {
        double best = -1e300;
        Board chosen{};
        int reward = -1;
        for (const Shape &shape : pieces[(dice() >> 32) * 7 >> 32]) {
            for (int x = 0; x + shape.width <= WIDTH; x++) {
                auto hits = [&](int y) {
                    for (int i = 0; i < shape.height; i++)
                        if (board[y + i] & shape.rows[i] << x) return true;
                    return false;
                };
                int y = HEIGHT;
                while (y > 0 && !hits(y - 1)) y--;
                if (y + shape.height > HEIGHT) continue;
                Board next = board;
                for (int i = 0; i < shape.height; i++) next[y + i] |= shape.rows[i] << x;
                int rows = 0, to = 0;
                for (int from = 0; from < HEIGHT; from++) {
                    if (next[from] == full) rows++;
                    else next[to++] = next[from];
                }
                for (; to < HEIGHT; to++) next[to] = 0;

                double value = gain[rows] - landing * (y + 0.5 * shape.height);
                int tops[WIDTH], largest = 0;
                double sum = 0;
                uint8_t above = 0, roof = 0;
                int count_holes = 0, with_holes = 0, count_buried = 0, changes_across = 0, changes_down = 0;
                fill(tops, tops + WIDTH, 0);
                for (int row = HEIGHT - 1; row >= 0; row--) {
                    uint8_t cells = next[row];
                    if (!cells && !above) continue;
                    for (uint8_t fresh = cells & ~above; fresh; fresh &= fresh - 1) tops[__builtin_ctz(fresh)] = row + 1;
                    uint8_t hollow = above & ~cells;
                    count_holes += __builtin_popcount(hollow), with_holes += hollow != 0;
                    changes_down += __builtin_popcount(cells ^ roof);
                    int walled = cells << 1 | 1 | 1 << (WIDTH + 1);
                    changes_across += __builtin_popcount((walled ^ walled >> 1) & ((1 << (WIDTH + 1)) - 1));
                    above |= cells, roof = cells;
                }
                changes_down += __builtin_popcount(static_cast<uint8_t>(~roof) & full);
                for (int i = 0; i < WIDTH; i++) {
                    largest = max(largest, tops[i]), sum += height_of[tops[i]];
                    bool open = false;
                    for (int row = tops[i] - 1; row >= 0; row--) {
                        if (!(next[row] >> i & 1)) open = true;
                    }
                    if (open) {
                        int row = tops[i] - 1;
                        while (row >= 0 && next[row] >> i & 1) count_buried++, row--;
                    }
                    if (i) value -= bumps * bump_of[abs(tops[i] - tops[i - 1])];
                    int left = i ? tops[i - 1] : HEIGHT, right = i + 1 < WIDTH ? tops[i + 1] : HEIGHT;
                    int depth = min(left, right) - tops[i] - well_free;
                    if (depth > 0 && !(keep_edge && i == WIDTH - 1)) value -= wells * depth;
                    if (tops[i] > danger_from) value -= danger * (tops[i] - danger_from);
                }
                if (measure != "largest") value -= height * sum / WIDTH;
                if (measure != "mean") value -= height * height_of[largest];
                value -= holes * count_holes + buried * count_buried + rows_with_holes * with_holes;
                value -= across * changes_across + down * changes_down;
                if (value > best) best = value, chosen = next, reward = REWARD[rows];
            }
        }
        if (reward < 0) break;
        board = chosen, total += reward;
    }
    return total;
}

int main() { return evolve::serve(solve); }
