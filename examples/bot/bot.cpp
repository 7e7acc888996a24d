// A bot for a game of dice, pig. In a turn a player rolls as often as he likes and adds up the points; a 1 ends the turn and
// loses them, `hold` keeps them. Who has 100 points first wins.
//
// Reads a line for each decision, `MINE THEIRS TURN`, and answers `roll` or `hold`.
#include <cstdlib>
#include <cstring>
#include <iostream>

int main(int argc, char **argv) {
    int hold = 15;     // points of a turn that are enough
    int chase = 0;     // so many hundredths of the lead of the other one are added to that
    int rush = 0;      // who is that near to the end, of either, does not hold
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--hold")) hold = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--chase")) chase = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--rush")) rush = atoi(argv[i + 1]);
        else return std::cerr << "no such option: " << argv[i] << "\n", 2;
    }
    int mine, theirs, turn;
    while (std::cin >> mine >> theirs >> turn) {
        int enough = hold + (theirs - mine) * chase / 100;
        bool end = mine + rush >= 100 || theirs + rush >= 100;
        bool done = mine + turn >= 100 || (turn >= enough && !end);
        std::cout << (done ? "hold" : "roll") << std::endl;
    }
}
