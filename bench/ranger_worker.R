# SPDX-License-Identifier: Apache-2.0
# ranger as a process that works when told; speaks like forest_worker.py.
# usage: Rscript ranger_worker.R FOLDER ROWS COLUMNS TREES THREADS LEAF MTRY SAMPLE
suppressMessages(library(ranger))
words <- commandArgs(trailingOnly = TRUE)
folder <- words[1]
n <- as.integer(words[2])
p <- as.integer(words[3])
trees <- as.integer(words[4])
threads <- as.integer(words[5])
leaf <- as.integer(words[6])
mtry <- as.integer(words[7])
share <- as.numeric(words[8])

cells <- readBin(file.path(folder, "x.f32"), "numeric", n * p, size = 4)
x <- matrix(cells, n, p, byrow = TRUE, dimnames = list(NULL, paste0("x", seq_len(p))))
y <- readBin(file.path(folder, "z.f64"), "numeric", n, size = 8)

grow <- function(rows, trees) {
  ranger(x = x[rows, ], y = y[rows], num.trees = trees, num.threads = threads, mtry = mtry, replace = FALSE,
         sample.fraction = share, min.node.size = leaf, oob.error = FALSE, seed = 20261115)
}
say <- function(...) {
  cat(sprintf(...), "\n", sep = "")
  flush(stdout())
}
clock <- function(work) {
  begin <- proc.time()[["elapsed"]]
  force(work)
  proc.time()[["elapsed"]] - begin
}

say('{"ready": true}')
input <- file("stdin", "r")
model <- NULL
while (length(word <- readLines(input, 1)) > 0) {
  if (word == "end") {
    held <- seq_len(n) %% 5 == 1
    answer <- predict(grow(which(!held), 28), x[held, ])$predictions
    score <- 1 - mean((answer - y[held])^2) / (mean(y[held]^2) - mean(y[held])^2)
    say('{"version": "ranger %s", "score": %.9g, "rows": %d, "columns": %d}', packageVersion("ranger"), score, n, p)
    break
  }
  if (word == "fit") {
    taken <- clock(model <- grow(seq_len(n), trees))
  } else {
    taken <- clock(predict(model, x, num.threads = threads))
  }
  say('{"seconds": %.6f}', taken)
}
