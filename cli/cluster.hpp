// SPDX-License-Identifier: Apache-2.0
// Training on a Dask cluster, which Python does: what it is told, and the model it gives back.
#pragma once

#include <string>

#include "bough/model.hpp"
#include "bough/table.hpp"

namespace bough::cli {

/// What a cluster is asked for.
struct ClusterJob {
  std::string address;  ///< of the scheduler: tcp://host:port
  std::string data;     ///< a file, a pattern or a folder that the workers can read
  ReadOptions reading;
  FitSpec spec;
  Params params;
};

/// Throws bad_params for what cannot be the address of a Dask scheduler.
void check_cluster_address(const std::string& address);

/// Hands the job to `python -m bough` and waits for its model. Throws what went wrong there, and
/// not_supported where there is no Python that can do it. Ctrl-C stops the tasks of the cluster.
Model train_on_cluster(const ClusterJob& job);

}  // namespace bough::cli
