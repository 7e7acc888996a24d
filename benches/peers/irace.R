# Run irace against the bench's evaluator: `Rscript irace.R PROBLEM SEED OUT`, with the evaluator's binary in $PEERS.
#
# An experiment is a configuration on a block of $BLOCK deals, which are the same for all configurations. irace gets the declared
# parameters, their starts as its first configuration, and its defaults otherwise. irace plans its budget, so each number of games
# in $STOPS (with commas; default: the problem's) is a separate run. Its best elite is recommended. $SETTINGS has further settings,
# such as `firstTest = 2`; irace refuses small budgets without them. $LABEL is the method's name in the table.
#
# With $CAPPING, for a problem whose objective is the logarithm of a time, irace caps trials, and its budget is the time that the
# start would need for the trials. A trial is played to its end, but counts up to its bound. Times are in milliseconds.

suppressPackageStartupMessages({
  library(irace)
  library(jsonlite)
  library(processx)
})

arguments <- commandArgs(trailingOnly = TRUE)
problem <- arguments[1]
seed <- as.integer(arguments[2])
block <- as.integer(Sys.getenv("BLOCK", "8"))

evaluator <- process$new(
  Sys.getenv("PEERS"),
  c("serve", "--problem", problem, "--label", Sys.getenv("LABEL", "irace"), "--seed", seed, "--out", arguments[3],
    "--held-out", Sys.getenv("HELD_OUT", "4000")),
  stdin = "|", stdout = "|", stderr = ""
)

# An answer is a line; a long one comes in parts.
heard <- function() {
  line <- character()
  while (length(line) == 0) {
    evaluator$poll_io(-1)
    line <- evaluator$read_output_lines(n = 1)
    if (length(line) == 0 && !evaluator$is_alive()) stop("the evaluator ended")
  }
  fromJSON(line, simplifyDataFrame = FALSE)
}

ask <- function(request) {
  rest <- charToRaw(paste0(toJSON(request, auto_unbox = TRUE, digits = NA), "\n"))
  while (length(rest) > 0) rest <- evaluator$write_input(rest)
  heard()
}

# Values by name. Those whose condition does not hold are missing, and stay at their starts.
point <- function(configuration) {
  values <- as.list(configuration)
  values <- values[vapply(values, function(value) !is.na(value), TRUE)]
  # An empty list would be written as one of coordinates.
  values[!startsWith(names(values), ".")]
}

declared <- heard()

line <- function(parameter) {
  if (is.null(parameter$choices)) {
    kind <- paste0(if (parameter$kind == "int") "i" else "r", if (parameter$log) ",log" else "")
    range <- paste(format(c(parameter$min, parameter$max), digits = 15, trim = TRUE), collapse = ", ")
  } else {
    kind <- "c"
    range <- paste(tolower(parameter$choices), collapse = ", ")
  }
  condition <- if (is.null(parameter$when)) "" else paste("|", parameter$when)
  sprintf('%s "" %s (%s) %s', parameter$name, kind, range, condition)
}
parameters <- readParameters(
  text = paste(vapply(declared$parameters, line, ""), collapse = "\n"), digits = 8
)

# The table of first configurations: the start alone, <NA> where a condition does not hold.
starts <- setNames(lapply(declared$parameters, `[[`, "start"), vapply(declared$parameters, `[[`, "", "name"))
starts <- lapply(starts, function(start) if (is.logical(start)) tolower(start) else start)
for (parameter in declared$parameters) {
  if (!is.null(parameter$when) && !eval(parse(text = parameter$when), starts)) starts[[parameter$name]] <- NA
}
first <- tempfile()
write.table(as.data.frame(starts, check.names = FALSE), first, row.names = FALSE, quote = TRUE, na = "NA")

capping <- nzchar(Sys.getenv("CAPPING"))
milliseconds <- function(cost) 1000 * exp(cost)

answer <- function(cost, bound) {
  if (!capping) return(list(cost = cost, time = 1))
  time <- min(milliseconds(cost), bound)
  list(cost = time, time = time)
}

# All configurations of an instance are played at once.
run <- function(experiments, exec.target.runner, scenario, target.runner) {
  instances <- vapply(experiments, function(experiment) as.integer(experiment$id.instance), 1L)
  answers <- vector("list", length(experiments))
  for (instance in unique(instances)) {
    own <- which(instances == instance)
    points <- lapply(experiments[own], function(experiment) point(experiment$configuration))
    means <- ask(list(points = unname(points), games = block, deals = instance))
    played <<- played + length(own)
    for (i in seq_along(own)) answers[[own[i]]] <- answer(-means[i], experiments[[own[i]]]$bound)
  }
  answers
}

settings <- eval(parse(text = sprintf("list(%s)", Sys.getenv("SETTINGS"))))
stops <- Sys.getenv("STOPS")
stops <- if (nzchar(stops)) as.integer(strsplit(stops, ",")[[1]]) else unlist(declared$stops)
for (limit in stops) {
  played <- 0
  experiments <- limit %/% block
  scenario <- list(
    targetRunnerParallel = run, instances = seq_len(experiments), sampleInstances = 0, deterministic = 1,
    maxExperiments = experiments, configurationsFile = first, seed = seed, logFile = "", digits = 8
  )
  if (capping) {
    start <- list(points = list(setNames(list(), character())), games = 1)
    times <- vapply(seq_len(20), function(trial) milliseconds(-ask(start)[[1]]), 0)
    scenario$maxExperiments <- NULL
    caps <- list(capping = TRUE, boundMax = 10000, minMeasurableTime = 1, maxTime = round(limit * mean(times)))
    scenario <- modifyList(scenario, caps)
  }
  scenario <- modifyList(scenario, settings)
  began <- Sys.time()
  invisible(capture.output(best <- irace(checkScenario(scenario), parameters)))
  held_out <- ask(list(recommend = point(best[1, ]), after = limit))
  seconds <- as.numeric(Sys.time() - began, units = "secs")
  message(sprintf("%s %d: %d of %d games in %.0f s: %.4f", problem, seed, played * block, limit, seconds, held_out))
}
