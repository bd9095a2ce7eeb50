# SPDX-License-Identifier: Apache-2.0
"""What the pages of the Python reference begin with: a few lines that run, with what they print."""

SETUP = '>>> X, y = bough.datasets.load("iris", return_X_y=True, as_frame=True)\n'
OWN_DATA = {"causal"}  # pages whose example makes its own rows
EXAMPLES = {
    "trees": """\
>>> tree = bough.DecisionTreeClassifier(max_depth=2).fit(X, y)
>>> tree.predict(X[:1])
array(['setosa'], dtype=object)
>>> tree.explain(X, 0).sentences[0]
'petal_length is 1.4, which is at most 2.45.'
""",
    "classics": """\
>>> model = bough.C45Classifier().fit(X, y)
>>> print(bough.rules(model)[0])
if petal_width ≤ 0.8, or missing (33.3% of it) then setosa
""",
    "forests": """\
>>> forest = bough.RandomForestClassifier(20, random_state=0).fit(X, y)
>>> forest.predict_proba(X[:1]).round(2)
array([[1., 0., 0.]])
""",
    "oblique": """\
>>> tree = bough.ObliqueDecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
>>> tree.get_n_leaves()
3
""",
    "honest": """\
>>> tree = bough.HonestTreeClassifier(max_depth=2, random_state=0).fit(X, y)
>>> tree.predict_proba(X[:1]).shape
(1, 3)
""",
    "causal": """\
>>> import numpy as np
>>> rng = np.random.default_rng(0)
>>> X, drug = rng.uniform(size=(2000, 2)), rng.integers(0, 2, 2000)
>>> y = X[:, 0] + drug * (1 + (X[:, 1] > 0.5))  # helps twice as much where the second column is large
>>> tree = bough.CausalTree(max_depth=1, random_state=0).fit(X, y, drug)
>>> tree.effect([[0.5, 0.2], [0.5, 0.9]]).round(1)
array([1., 2.])
""",
    "pruning": """\
>>> tree = bough.DecisionTreeClassifier().fit(X, y)
>>> bough.prune(tree, alpha=0.02).get_n_leaves(), tree.get_n_leaves()
(4, 9)
""",
    "pictures": """\
>>> tree = bough.DecisionTreeClassifier(max_depth=2).fit(X, y)
>>> bough.draw_tree(tree, X, y, row=77)
<bough picture: Decision tree of species>
>>> page = bough.report(tree, X, y, "iris.html")
""",
    "study": """\
>>> tree = bough.DecisionTreeClassifier(max_depth=2).fit(X, y)
>>> bough.evaluate(tree, X, y).scores["accuracy"]
0.96
""",
    "files": """\
>>> tree = bough.DecisionTreeClassifier(max_depth=2).fit(X, y)
>>> tree.save("iris.bough")
>>> bough.load("iris.bough").predict(X)[0].item()
'setosa'
""",
}


def example(page: str) -> str:
    """The example of a page; empty where it has none."""
    setup = "" if page in OWN_DATA else SETUP
    return ">>> import bough\n" + setup + EXAMPLES[page] if page in EXAMPLES else ""
