// Lets two bots play pig and prints who won: `Score = 1` if it was the second one named, else `Score = 0`.
//
//     referee SEED SIDE OPPONENT BOT ARGUMENT...
//
// SIDE 0: the bot begins; 1: the opponent, which is a command in one word.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace std;

struct Bot {
    FILE *to, *from;
    pid_t pid;
};

static Bot start(vector<string> words) {
    int to[2], from[2];
    if (pipe(to) || pipe(from)) exit(3);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        for (int end : {to[0], to[1], from[0], from[1]}) close(end);
        vector<char *> arguments;
        for (string &word : words) arguments.push_back(&word[0]);
        arguments.push_back(nullptr);
        execvp(arguments[0], arguments.data());
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    return Bot{fdopen(to[1], "w"), fdopen(from[0], "r"), pid};
}

// A turn of a bot: its points after it.
static int turn(Bot &bot, int mine, int theirs, mt19937 &dice) {
    int points = 0;
    while (true) {
        fprintf(bot.to, "%d %d %d\n", mine, theirs, points);
        fflush(bot.to);
        char answer[16];
        if (fscanf(bot.from, "%15s", answer) != 1) fprintf(stderr, "a bot is gone\n"), exit(1);
        if (!strcmp(answer, "hold")) return mine + points;
        int eyes = 1 + dice() % 6;
        if (eyes == 1) return mine;
        points += eyes;
    }
}

int main(int argc, char **argv) {
    if (argc < 5) return fprintf(stderr, "referee SEED SIDE OPPONENT BOT ARGUMENT...\n"), 2;
    mt19937 dice(strtoul(argv[1], nullptr, 10));
    int side = atoi(argv[2]);
    istringstream opponent(argv[3]);
    vector<string> words;
    for (string word; opponent >> word;) words.push_back(word);
    Bot bots[2] = {start(vector<string>(argv + 4, argv + argc)), start(words)};
    int points[2] = {0, 0};
    int now = side;
    for (; points[0] < 100 && points[1] < 100; now = 1 - now) {
        points[now] = turn(bots[now], points[now], points[1 - now], dice);
    }
    // Both are told before any is waited for: the second one holds the pipe of the first one, too.
    for (Bot &bot : bots) fclose(bot.to);
    for (Bot &bot : bots) waitpid(bot.pid, nullptr, 0);
    printf("%d to %d\nScore = %d\n", points[0], points[1], points[0] >= 100);
}
