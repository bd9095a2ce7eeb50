# SPDX-License-Identifier: Apache-2.0
"""The cost-complexity path is scikit-learn's on public data sets, where they are at hand.

Together with test_sklearn_ccp.py these are more than twenty. Prices agree to 1e-12 of the root's impurity:
scikit-learn adds up in doubles, and a small price is a difference of large sums."""

from pathlib import Path

import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed (tools/setup.sh python)")
np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")

from peers.test_sklearn_ccp import ours, plateaus, preorder  # noqa: E402
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor  # noqa: E402

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
CLASSES = {
    "balance_scale.csv": "class",
    "banknote.csv": "class",
    "breast_cancer_wisconsin.csv": "class",
    "compas_gosdt.csv": "two_year_recid",
    "german_credit.csv": "class",
    "higgs_7500.csv.gz": "label",
    "letter.csv.gz": "class",
    "penguins.csv": "species",
    "spambase.csv.gz": "class",
    "titanic.csv": "Survived",
}
NUMBERS = {
    "abalone.csv": "Rings",
    "auto_mpg.csv": "mpg",
    "bike_day.csv": "cnt",
    "concrete.csv": "ConcreteCompressiveStrength",
    "rpart_car_test_frame.csv": "Price",
    "wine_quality_red.csv": "quality",
    "wine_quality_white.csv.gz": "quality",
}


@pytest.mark.parametrize("file", [*CLASSES, *NUMBERS])
def test_path_is_scikit_learns_on_public_data(file, release_build):
    if not (SHARED / file).is_file():
        pytest.skip(f"{SHARED / file} is not there")
    target = CLASSES.get(file) or NUMBERS[file]
    frame = pd.read_csv(SHARED / file, na_values=["?"]).dropna(subset=[target])
    x = frame.drop(columns=[target]).select_dtypes("number").to_numpy(dtype=np.float32)
    y = frame[target].to_numpy()
    kind = DecisionTreeClassifier if file in CLASSES else DecisionTreeRegressor
    estimator = kind(random_state=0)
    full = estimator.fit(x, y).tree_
    theirs = estimator.cost_complexity_pruning_path(x, y)
    slack = 1e-12 * full.impurity[0]
    prices, _ = plateaus(theirs.ccp_alphas, theirs.impurities, slack)
    between = [a for a in (prices[1:] + prices[:-1]) / 2 if a > 0]
    some = between[:: max(1, len(between) // 4)]
    found = ours(release_build, full, some)
    our_prices, _ = plateaus(found["alphas"], found["risks"], slack)
    np.testing.assert_allclose(our_prices, prices, rtol=1e-12, atol=slack)
    for alpha, tree in zip(some, found["trees"], strict=True):
        pruned = kind(random_state=0, ccp_alpha=alpha).fit(x, y).tree_
        assert (tree["column"], tree["rows"]) == preorder(pruned)
