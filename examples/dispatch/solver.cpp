// Orders jobs on one machine by a dispatching rule: the next job is the one with the highest priority, of its weight, time,
// due date and setup ("apparent tardiness cost with setups", Lee, Bhaskaran and Pinedo, 1997). Prints the order and, on standard
// error, the weighted tardiness. The best look-aheads depend on whether due dates are tight and setups long.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

using namespace std;

// While they are tuned, parameters are in the environment.
static double param(const char *name, double value) {
    const char *text = getenv(name);
    return text ? atof(text) : value;
}

struct Job {
    int family;
    double weight, time, due;
};

int main() {
    int n;
    string kind;
    cin >> n >> kind;
    double due_ahead = param("EVOLVE_DUE_AHEAD", 1);       // evolve: [0.05, 50] log by kind=kind
    double setup_ahead = param("EVOLVE_SETUP_AHEAD", 1);   // evolve: [0.01, 20] log by kind=kind
    double weight_power = param("EVOLVE_WEIGHT_POWER", 1); // evolve: [0, 4] by kind=kind
    double time_power = param("EVOLVE_TIME_POWER", 1);     // evolve: [0, 4] by kind=kind
    double setup_share = param("EVOLVE_SETUP_SHARE", 0);   // evolve: [0, 2] by kind=kind
    double late = param("EVOLVE_LATE", 1);                 // evolve: [0.05, 20] log by kind=kind

    double setups[6][6], mean_setup = 0, mean_time = 0;
    for (auto &row : setups)
        for (double &one : row) cin >> one, mean_setup += one / 36;
    vector<Job> jobs(n);
    for (Job &job : jobs) cin >> job.family >> job.weight >> job.time >> job.due, mean_time += job.time / n;

    vector<bool> done(n);
    double now = 0, tardiness = 0;
    int family = 0;
    for (int place = 0; place < n; place++) {
        int next = -1;
        double highest = -INFINITY;
        for (int i = 0; i < n; i++) {
            if (done[i]) continue;
            const Job &job = jobs[i];
            double wait = setups[family][job.family];
            double slack = job.due - job.time - setup_share * wait - now;
            double urgency = slack < 0 ? log(late) : -slack / (due_ahead * mean_time);
            double priority = weight_power * log(job.weight) - time_power * log(job.time) + urgency -
                              wait / (setup_ahead * mean_setup);
            if (priority > highest) highest = priority, next = i;
        }
        const Job &job = jobs[next];
        now += setups[family][job.family] + job.time;
        family = job.family;
        done[next] = true;
        tardiness += job.weight * max(0.0, now - job.due);
        printf("%d\n", next);
    }
    fprintf(stderr, "Score = %.1f\n", tardiness);
}
