# SPDX-License-Identifier: Apache-2.0
# Fits rpart on a table and prints everything about the fit, one fact per line, fields between tabs.
# Rscript rpart_side.R table.csv "call after the data, as R code"
library(rpart)
words <- commandArgs(trailingOnly = TRUE)
d <- read.csv(words[1], stringsAsFactors = TRUE, na.strings = c("NA", ""), check.names = TRUE)
groups <- d$groups__
weights__ <- d$weights__
d$groups__ <- NULL
d$weights__ <- NULL
fit <- eval(parse(text = words[2]))
say <- function(...) cat(paste(c(...), collapse = "\t"), "\n", sep = "")
num <- function(x) format(x, digits = 17, trim = TRUE, scientific = TRUE)
table <- fit$cptable
# rpart's own xerror looks losses up with true and predicted class exchanged, and takes the error of another row for
# rows that stop at an inner node. Its predictions are right, so in both cases the errors are added up from these.
wrong <- fit$method == "class" && (!isSymmetric(unname(fit$parms$loss)) || fit$control$usesurrogate < 2)
if (wrong && nrow(table) > 1) {
  at <- c(10 * table[1, 1], sqrt(table[-1, 1] * table[-nrow(table), 1]))
  w <- if (is.null(fit$call$weights)) rep(1, length(fit$y)) else weights__
  shares <- tapply(w, fit$y, sum) / sum(w)
  guesses <- xpred.rpart(fit, xval = groups, cp = at)
  for (i in seq_along(at)) {
    miss <- (fit$parms$prior / shares)[fit$y] * fit$parms$loss[cbind(fit$y, guesses[, i])]
    table[i, 4] <- sum(w * miss) / fit$frame$dev[1]
    table[i, 5] <- sqrt(sum(w * miss^2) - sum(w * miss)^2 / sum(w)) / fit$frame$dev[1]
  }
}
for (i in seq_len(nrow(table))) say("cp", num(table[i, ]))
frame <- fit$frame
at <- 0
for (i in seq_len(nrow(frame))) {
  row <- frame[i, ]
  answer <- if (fit$method == "class") attr(fit, "ylevels")[row$yval] else num(row$yval)
  say("node", row.names(frame)[i], as.character(row$var), row$n, num(row$dev), answer, num(row$complexity))
  if (row$var == "<leaf>") next
  for (k in seq_len(1 + row$ncompete + row$nsurrogate)) {
    s <- fit$splits[at + k, ]
    name <- rownames(fit$splits)[at + k]
    role <- if (k == 1) "primary" else if (k <= 1 + row$ncompete) "competitor" else "surrogate"
    test <- if (abs(s["ncat"]) < 2) num(s["index"]) else
      paste(c("L", "-", "R")[fit$csplit[s["index"], seq_len(s["ncat"])]], collapse = "")
    say(role, name, s["count"], s["ncat"], num(s["improve"]), num(s["adj"]), test)
  }
  at <- at + 1 + row$ncompete + row$nsurrogate
}
if (!is.null(fit$where)) say("where", row.names(frame)[fit$where])
