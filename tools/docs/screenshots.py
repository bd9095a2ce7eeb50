# SPDX-License-Identifier: Apache-2.0
"""Takes the screenshots of the report in docs/pictures: .venv/bin/python tools/docs/screenshots.py [name...]

Needs chromium, selenium (tools/setup.sh long) and pillow, which matplotlib brings along.
Tables that the package does not carry are read from ../shared/data; where that folder is
absent, their pictures stay as they are.
"""

import argparse
import shutil
import tempfile
import time
from pathlib import Path

import bough
import pandas as pd
from PIL import Image
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

ROOT = Path(__file__).resolve().parents[2]
PICTURES, SHARED = ROOT / "docs" / "pictures", ROOT.parent / "shared" / "data"


def shared(file, target, drop=()):
    frame = pd.read_csv(SHARED / file, na_values=["?"]).drop(columns=list(drop))
    return frame.drop(columns=target), frame[target]


def page(model, X, y, held_out=lambda row: row % 3 == 0, **fit):
    """The report of a model on rows that did not grow it."""
    test = pd.Series(range(len(X))).map(held_out).to_numpy()
    train = ~test
    model.fit(X[train], y[train], **{name: values[train] for name, values in fit.items()})
    return model.report(X[test], y[test], X_train=X[train], y_train=y[train])


def iris():
    X, y = bough.datasets.load("iris", return_X_y=True, as_frame=True)
    return page(bough.DecisionTreeClassifier(), X, y, lambda row: row % 2 == 1)


def titanic():
    X, y = shared("titanic.csv", "Survived", ["PassengerId", "Name", "Ticket"])
    return page(bough.DecisionTreeClassifier(max_depth=4, min_samples_leaf=5), X, y)


def adult():
    X, y = shared("adult.csv.gz", "income")
    return page(bough.DecisionTreeClassifier(max_leaf_nodes=40), X, y, lambda row: row >= 32561)


def german_credit():
    X, y = shared("german_credit.csv", "class")
    return page(bough.DecisionTreeClassifier(max_depth=7, min_samples_leaf=20), X, y)


def california_housing():
    X, y = shared("california_housing.csv.gz", "median_house_value")
    return page(bough.DecisionTreeRegressor(max_leaf_nodes=40), X, y, lambda row: row % 2 == 1)


def causal():
    X, y = shared("lalonde.csv", "re78")
    tree = bough.CausalTree(max_depth=2, min_samples_arm=7, random_state=1)
    treatment = X.pop("treat")
    return page(tree, X, y, treatment=treatment)


def forest():
    X, y = bough.datasets.load("breast_cancer", return_X_y=True, as_frame=True)
    return page(bough.RandomForestClassifier(100, min_samples_leaf=5, random_state=1), X, y)


# Of each picture: the page, what follows '#' in its address, and the scheme.
SHOTS = {
    "iris": (iris, "row=39", "light"),
    "titanic": (titanic, "row=1", "light"),
    "adult": (adult, "leaves=12&row=1", "light"),
    "adult-quality": (adult, "quality", "light"),
    "german_credit": (german_credit, "row=1", "light"),
    "california_housing": (california_housing, "row=1", "dark"),
    "causal": (causal, "row=1", "light"),
    "forest": (forest, "row=1", "light"),
}


def take(html, place, scheme, picture):
    """By a driver: chromium's own --screenshot loses a page that is scrolled."""
    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(word)
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND")
    options.add_argument(f"--blink-settings=preferredColorScheme={int(scheme == 'light')}")
    options.binary_location = shutil.which("chromium")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    size = {"width": 1440, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    driver.get(f"{html.as_uri()}#{place}")
    WebDriverWait(driver, 60).until(
        lambda d: d.execute_script("return document.documentElement.dataset.ready") == "yes"
    )
    time.sleep(1)  # what is drawn later
    driver.save_screenshot(str(picture))
    driver.quit()
    # Few colours are enough for a page, and a third of the bytes.
    Image.open(picture).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(picture, optimize=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="name", help="default: all")
    names = parser.parse_args().names or list(SHOTS)
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            make, place, scheme = SHOTS[name]
            html = Path(folder) / f"{make.__name__}.html"
            try:
                if not html.exists():
                    make().save(html)
            except FileNotFoundError as error:
                print(f"{name}: left as it is, {error.filename} is not there")
                continue
            take(html, place, scheme, PICTURES / f"report-{name}.png")
            print(f"report-{name}.png")


if __name__ == "__main__":
    main()
