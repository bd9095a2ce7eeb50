# SPDX-License-Identifier: Apache-2.0
"""Words that people search for become keywords of the page that they want, which search then puts first."""

import json

from docutils import nodes

KEYWORDS = {
    "guide/columns": "feature features predictor attribute one-hot encoding categorical",
    "guide/tree": "feature sample samples observation classification regression",
    "guide/why": "feature importance importances explanation interpretability",
    "explain": "feature importance importances shap shapley permutation counterfactual",
    "report": "confusion matrix roc calibration feature importance dashboard visualization",
    "start": "install installation quickstart tutorial confusion matrix evaluate accuracy",
    "guide/outputs": "multi-output multilabel multitarget",
    "guide/growing": "overfitting underfitting hyperparameter hyperparameters max_depth min_samples_leaf",
    "guide/pruning": "overfitting hyperparameter ccp_alpha regularization",
    "pruning": "overfitting ccp_alpha cost-complexity",
    "gallery/grid_search": "hyperparameter hyperparameters tuning cross-validation",
    "guide/weights": "imbalanced imbalance sample_weight class_weight sample",
    "guide/missing": "nan null imputation impute",
    "gallery/imbalance": "confusion matrix imbalanced precision recall",
    "gallery/calibration": "confusion matrix probability probabilities",
    "pictures": "plot visualize visualization dtreeviz graphviz feature importance",
    "forests": "random forest bagging ensemble oob feature importance",
    "reference/parameters": "hyperparameter hyperparameters options arguments",
    "exports": "deploy deployment production inference",
    "study": "overfitting stability significance",
    "guide/limits": "overfitting extrapolation",
    "guide/honest": "probability probabilities uncertainty",
    "format-v1": "save load model pickle serialization",
    "install": "install installation pip wheel",
}


def add_keywords(app, doctree):
    words = KEYWORDS.get(app.env.docname)
    if words:
        doctree.insert(0, nodes.meta("", name="keywords", content=", ".join(words.split())))


def setup(app):
    app.connect("doctree-read", add_keywords)
    # search.js puts these pages first.
    app.add_js_file(None, body=f"const PAGE_KEYWORDS = {json.dumps(KEYWORDS)};", priority=400)
    return {"parallel_read_safe": True}
