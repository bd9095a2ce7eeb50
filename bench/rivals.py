# SPDX-License-Identifier: Apache-2.0
"""How each peer is called, so that it does the work of one tree.

The timed part is `fit` (or `predict`, `path`), from plain arrays on: for LightGBM and XGBoost the binned
data set is part of it, since bough codes its input inside fit too. Leaves may be of one row, nothing is
shrunk, sampled or regularised. `describe` gives the figures that the answers are compared by.
"""

import importlib
import json
import os
import time

import numpy as np

CLASSES = {"gini", "entropy", "misclassification", "hellinger"}


class Peer:
    """One peer on one data set; `options` are those of bench_tasks."""

    modules = ()

    def __init__(self, data, options):
        for module in self.modules:  # before anything is timed
            importlib.import_module(module)
        self.x = data.x
        self.criterion = options.get("criterion", "gini")
        self.classes = self.criterion in CLASSES
        default = "y" if self.classes else "counts" if self.criterion == "poisson" else "z"
        self.y = data.target(options.get("target", default))
        self.depth = int(options.get("depth", 0)) or None
        self.threads = int(options.get("threads", 1))
        self.weights = data.weights if int(options.get("weights", 0)) else None
        self.parts = {}  # seconds of the last fit by part, where there are parts

    def predict(self, model):
        return model.predict(self.x)

    def score(self, model):
        answer = self.predict(model)
        return float(np.mean(answer == self.y) if self.classes else np.mean((answer - self.y) ** 2))


def sklearn_root(tree):
    """Column, threshold and share of impurity removed by the root."""
    if tree.node_count == 1:
        return {"column": -1, "threshold": 0.0, "root_share": 0.0}
    left, right = tree.children_left[0], tree.children_right[0]
    cost = tree.weighted_n_node_samples * tree.impurity
    share = (cost[0] - cost[left] - cost[right]) / cost[0]
    return {"column": int(tree.feature[0]), "threshold": float(tree.threshold[0]), "root_share": float(share)}


def sklearn_figures(tree):
    return {
        "nodes": int(tree.node_count),
        "leaves": int(tree.n_leaves),
        "depth": int(tree.max_depth),
        **sklearn_root(tree),
    }


class ScikitLearn(Peer):
    modules = ("sklearn.tree",)

    def fit(self):
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

        kind = DecisionTreeClassifier if self.classes else DecisionTreeRegressor
        model = kind(criterion=self.criterion, max_depth=self.depth, random_state=0)
        return model.fit(self.x, self.y, sample_weight=self.weights)

    def path(self, model):
        # The path alone: the estimator's method would fit the tree again first.
        from sklearn.tree._tree import ccp_pruning_path

        return ccp_pruning_path(model.tree_)

    def describe(self, model):
        return sklearn_figures(model.tree_)

    @staticmethod
    def version():
        import sklearn

        return f"scikit-learn {sklearn.__version__}"


class SklearnIntelex(Peer):
    """A forest of one tree without bootstrap and with all columns; 256 bins, oneDAL's default."""

    modules = ("sklearnex.ensemble",)

    def fit(self):
        from sklearnex.ensemble import RandomForestClassifier, RandomForestRegressor

        kind = RandomForestClassifier if self.classes else RandomForestRegressor
        model = kind(
            n_estimators=1,
            bootstrap=False,
            max_features=None,
            max_depth=self.depth,
            n_jobs=self.threads,
            random_state=0,
        )
        model.fit(self.x, self.y, sample_weight=self.weights)
        if not hasattr(model, "_onedal_estimator"):
            raise RuntimeError("scikit-learn-intelex handed the fit to scikit-learn")
        return model

    def describe(self, model):
        return sklearn_figures(model.estimators_[0].tree_)

    @staticmethod
    def version():
        from importlib.metadata import version

        return f"scikit-learn-intelex {version('scikit-learn-intelex')}"


class LightGbm(Peer):
    modules = ("lightgbm",)

    def fit(self):
        import lightgbm

        params = {
            "objective": "binary" if self.classes else "regression",
            "num_leaves": 2 ** (self.depth or 16),
            "max_depth": self.depth or -1,
            "max_bin": 255,
            "learning_rate": 1.0,
            "lambda_l2": 0.0,
            "min_data_in_leaf": 1,
            "min_sum_hessian_in_leaf": 0.0,
            "feature_pre_filter": False,
            "force_col_wise": True,  # spares it the trial of both ways; the faster one here
            "num_threads": self.threads,
            "verbosity": -1,
        }
        begin = time.perf_counter()
        data = lightgbm.Dataset(self.x, self.y, weight=self.weights, params=params).construct()
        middle = time.perf_counter()
        model = lightgbm.train(params, data, num_boost_round=1)
        self.parts = {"bins": middle - begin, "tree": time.perf_counter() - middle}
        return model

    def predict(self, model):
        answer = model.predict(self.x, num_threads=self.threads)
        return (answer > 0.5).astype(int) if self.classes else answer

    def describe(self, model):
        root = model.dump_model()["tree_info"][0]["tree_structure"]

        def depth(node):
            if "left_child" not in node:
                return 0
            return 1 + max(depth(node["left_child"]), depth(node["right_child"]))

        leaves = model.dump_model()["tree_info"][0]["num_leaves"]
        return {
            "nodes": 2 * leaves - 1,
            "leaves": leaves,
            "depth": depth(root),
            "column": root["split_feature"],
            "threshold": root["threshold"],
        }

    @staticmethod
    def version():
        import lightgbm

        return f"LightGBM {lightgbm.__version__}"


class XgBoost(Peer):
    modules = ("xgboost",)

    def fit(self):
        import xgboost

        params = {
            "objective": "binary:logistic" if self.classes else "reg:squarederror",
            "tree_method": "hist",
            "max_depth": self.depth or 0,
            "max_bin": 256,
            "eta": 1.0,
            "lambda": 0.0,
            "min_child_weight": 0.0,
            "nthread": self.threads,
            "verbosity": 0,
        }
        begin = time.perf_counter()
        data = xgboost.QuantileDMatrix(
            self.x, self.y, weight=self.weights, nthread=self.threads, max_bin=params["max_bin"]
        )
        middle = time.perf_counter()
        model = xgboost.train(params, data, num_boost_round=1)
        self.parts = {"bins": middle - begin, "tree": time.perf_counter() - middle}
        return model

    def predict(self, model):
        answer = model.inplace_predict(self.x)
        return (answer > 0.5).astype(int) if self.classes else answer

    def describe(self, model):
        root = json.loads(model.get_dump(dump_format="json")[0])

        def walk(node):
            if "children" not in node:
                return 1, 0
            parts = [walk(child) for child in node["children"]]
            return sum(leaves for leaves, _ in parts), 1 + max(depth for _, depth in parts)

        leaves, depth = walk(root)
        return {
            "nodes": 2 * leaves - 1,
            "leaves": leaves,
            "depth": depth,
            "column": int(root["split"].lstrip("f")),
            "threshold": root["split_condition"],
        }

    @staticmethod
    def version():
        import xgboost

        return f"XGBoost {xgboost.__version__}"


PEERS = {"sklearn": ScikitLearn, "sklearnex": SklearnIntelex, "lightgbm": LightGbm, "xgboost": XgBoost}


def environment(threads):
    """The environment that keeps the thread pools under the peers to this many threads."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return {**os.environ, **dict.fromkeys(names, str(threads))}
