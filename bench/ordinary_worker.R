# SPDX-License-Identifier: Apache-2.0
# ranger as a program of the suite `ordinary`: the lines of ordinary_worker.py, from R.
suppressMessages(library(ranger))
input <- file("stdin", "r")
key <- ""
fitted <- NULL

# R's clock has steps of milliseconds: the mean of as many runs as take a tenth of a second.
seconds_of <- function(job) {
  runs <- 0
  begin <- proc.time()[["user.self"]]
  repeat {
    job()
    runs <- runs + 1
    taken <- proc.time()[["user.self"]] - begin
    if (taken >= 0.1) return(taken / runs)
  }
}

answer <- function(folder, model, trees, work) {
  if (!(model %in% c("forest", "extra"))) return("none")
  meta <- readLines(file.path(folder, "meta.json"), warn = FALSE)
  number <- function(name) as.integer(sub(paste0(".*\"", name, "\": *([0-9]+).*"), "\\1", meta))
  x <- matrix(readBin(file.path(folder, "x.f32"), "numeric", number("rows") * number("columns"), size = 4),
              ncol = number("columns"), byrow = TRUE)
  colnames(x) <- paste0("x", seq_len(ncol(x)))
  y <- readBin(file.path(folder, "y.f64"), "numeric", number("rows"))
  classes <- number("classes") > 0
  if (classes) y <- factor(y)
  fit <- function() {
    ranger(x = x, y = y, num.trees = trees, num.threads = 1, seed = 1, oob.error = FALSE,
           min.node.size = 1, mtry = if (classes) floor(sqrt(ncol(x))) else ncol(x),
           splitrule = if (model == "extra") "extratrees" else if (classes) "gini" else "variance",
           replace = model == "forest", sample.fraction = 1)
  }
  this <- paste(folder, model, trees)
  seconds <- 0
  if (work == "fit") seconds <- seconds_of(function() fitted <<- fit())
  else if (key != this) fitted <<- fit()
  key <<- this
  ask <- function() predict(fitted, data = x, num.threads = 1)
  if (work == "predict") seconds <- seconds_of(ask)
  told <- ask()$predictions
  score <- if (classes) mean(as.character(told) == as.character(y)) else 1 - mean((told - y)^2) / mean((y - mean(y))^2)
  paste(seconds, score)
}

while (length(line <- readLines(input, n = 1)) > 0) {
  words <- strsplit(line, " ")[[1]]
  told <- if (words[1] == "version") paste("ranger", packageVersion("ranger"))
          else answer(words[1], words[2], as.integer(words[3]), words[4])
  cat(told, "\n", sep = "")
  flush(stdout())
}
