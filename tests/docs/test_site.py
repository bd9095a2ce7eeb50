# SPDX-License-Identifier: Apache-2.0
"""The site is built without a warning and without network, and its reference misses no public name."""

import doctest
import importlib
import inspect
import re
import shutil
import subprocess
import sys
import zlib
from xml.etree import ElementTree

import pytest
from support import ROOT

sys.path += [str(ROOT / "tools/docs"), str(ROOT / "docs/_ext")]
reference = importlib.import_module("reference")
gallery = importlib.import_module("gallery")
examples = importlib.import_module("api_examples")
stage = importlib.import_module("stage")


def test_every_public_name_of_python_is_on_a_page_of_the_reference():
    bough = pytest.importorskip("bough")
    pages = reference.public_names()
    names = [name for names in pages.values() for name in names]
    assert len(names) == len(set(names))
    wanted = {f"bough.{n}" for n in bough.__all__ if n not in ("__version__", *reference.SUBMODULES)}
    assert wanted <= set(names)
    # A public submodule that is new needs a page.
    folder = ROOT / "python/bough"
    modules = {file.stem for file in folder.glob("[!_]*.py")} | {
        p.parent.name for p in folder.glob("*/__init__.py")
    }
    assert modules - {"distributed"} == set(reference.SUBMODULES)
    undocumented = [name for name in names if not inspect.getdoc(reference.the_object(name))]
    assert undocumented == []


@pytest.mark.parametrize("page", examples.EXAMPLES)
def test_the_example_of_a_page_of_the_reference_runs(page, tmp_path, monkeypatch):
    pytest.importorskip("bough")
    monkeypatch.chdir(tmp_path)
    assert page in reference.PYTHON_PAGES
    test = doctest.DocTestParser().get_doctest(examples.example(page), {}, page, None, None)
    said = []
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)


def test_a_page_of_the_gallery_becomes_a_script():
    page = "# Title\n\n```console\n$ bough demo\n```\n\n```python\na = 1\n```\n"
    page += "\n<!-- not run: x -->\n```python\n1 / 0\n```\n"
    code = gallery.script(page, "docs/gallery/x.md")
    assert "a = 1" in code and "1 / 0" not in code and "# In a shell, in this folder: bough demo" in code
    compile(code, "x.py", "exec")
    assert gallery.script("# Title\n\n```console\n$ bough demo\n```\n", "x") == ""


def test_the_list_of_the_gallery_becomes_cards(tmp_path):
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures/a-x.svg").write_text("<svg><desc>A curve.</desc></svg>")
    (tmp_path / "pictures/a-full.svg").write_text(
        "<svg><desc>3 nodes and 2 leaves, 1 level deep.</desc></svg>"
    )
    (tmp_path / "a.md").write_text("# A\n![t](pictures/a-full.svg)\n![x](pictures/a-x.svg)\n")
    (tmp_path / "b.md").write_text("# B\n")
    text = (
        "# Gallery\n\nWords.\n\n* [A](a.md): one\n  line.\n* [B](b.md)\n\n## More\n\n```{toctree}\na\n```\n"
    )
    made = gallery.cards(text, tmp_path)
    assert made.count(":::{grid-item-card}") == 2 and made.count("::::{grid}") == 1
    assert ":img-top: pictures/a-x.svg" in made and "One line." in made and "## More" in made


def test_no_page_has_the_name_of_one_that_sphinx_writes_itself():
    pages = [str(page.relative_to(ROOT)) for page in (ROOT / "docs").glob("*.md")]
    assert "docs/search.md" in pages and len(pages) > 20
    assert {stage.place(page) for page in pages} & {"search.md", "genindex.md", "py-modindex.md"} == set()


def test_the_parameters_of_an_estimator_are_grouped_as_in_the_table():
    bough = pytest.importorskip("bough")
    docstrings = importlib.import_module("docstrings")
    lines = docstrings.grouped(inspect.getdoc(bough.DecisionTreeClassifier).splitlines())
    heads = [line for line in lines if line.endswith(" parameters")]
    assert heads[:2] == ["Problem parameters", "Growth parameters"] and "Parameters" not in lines
    growth = lines[lines.index("Growth parameters") : lines.index(heads[2])]
    assert any(line.startswith("max_depth : ") for line in growth)
    assert sorted(line for line in lines if " : " in line) == sorted(
        line for line in inspect.getdoc(bough.DecisionTreeClassifier).splitlines() if " : " in line
    )
    few = inspect.getdoc(bough.CostComplexity).splitlines()
    assert docstrings.grouped(few) == few


def test_what_a_page_hides_for_the_tests_is_shown_folded(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("# A\n\n<!-- setup\nx = r'\\1'\n-->\n\n```python\nx\n```\n")
    text = stage.Stage(tmp_path, tmp_path / "out").page("docs/a.md")
    assert "<!--" not in text and ":::{dropdown}" in text and "```python\nx = r'\\1'\n```\n:::" in text


def test_the_reference_shows_templates_and_no_private_names():
    headers = importlib.import_module("headers")
    given = "<templateparamlist><param><type>class</type><declname>T</declname></param></templateparamlist>"
    given += "<requiresclause>(std::integral&lt;T&gt;)</requiresclause>"
    member = """<memberdef kind="function" prot="public" static="no"><type>T</type><name>{}</name>
        <argsstring>() const</argsstring><location line="7"/>{}</memberdef>"""
    reader = headers.Reader(None)
    found = reader.member(ElementTree.fromstring(member.format("get", given)), "cpp")
    assert found.signature == "template<class T> requires (std::integral<T>) T get() const"
    assert reader.member(ElementTree.fromstring(member.format("get", "")), "cpp").signature == "T get() const"
    assert reader.member(ElementTree.fromstring(member.format("hidden_", "")), "cpp") is None


def test_formulas_have_space_around_functions_and_none_in_sets():
    pytest.importorskip("sphinx")
    sys.path.append(str(ROOT / "docs/_ext"))
    mathml = importlib.import_module("mathml")
    drawn = mathml.to_mathml(r"p_c \log_2 p_c", None, as_block=False)
    assert drawn.count("<mspace") == 2
    assert mathml.to_mathml(r"\log_2(n)", None, as_block=False).count("<mspace") == 0
    bars = re.findall(r"<mo ([^>]*)>\|", mathml.to_mathml("|S|!", None, as_block=False))
    assert ["prefix" in bar for bar in bars] == [True, False] and all('lspace="0"' in bar for bar in bars)


@pytest.fixture(scope="module")
def site(release_build, tmp_path_factory):
    if shutil.which("doxygen") is None or importlib.util.find_spec("sphinx") is None:
        pytest.skip("doxygen or sphinx is not installed (tools/setup.sh docs)")
    out = tmp_path_factory.mktemp("site")
    result = subprocess.run(
        [ROOT / "tools/docs.sh", out], capture_output=True, text=True, check=False, timeout=3000
    )
    if result.returncode != 0 or "WARNING" in result.stderr + result.stdout:
        pytest.fail(result.stdout + result.stderr, pytrace=False)
    return out / "html"


@pytest.mark.long
def test_pages_load_nothing_from_a_network(site):
    loads = re.compile(
        r"""<(?:script|img|link|iframe|source)\b[^>]*\s(?:src|href)=["'](?:https?:)?//[^"']*"""
    )
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 100
    found = [
        (str(page.relative_to(site)), hit) for page in pages for hit in loads.findall(page.read_text("utf-8"))
    ]
    assert [hit for hit in found if 'rel="canonical"' not in hit[1]] == []
    styles = [
        hit
        for css in site.rglob("*.css")
        for hit in re.findall(r"url\(.?https?:[^)]*", css.read_text("utf-8"))
    ]
    assert styles == []


def names_by_kind(inventory):
    """Kind ("py:class") -> names, of Sphinx's list of what a site describes."""
    packed = inventory.split(b"\n", 4)[4]
    kinds = {}
    for line in zlib.decompress(packed).decode().splitlines():
        name, kind = re.match(r"(.+?)\s+(\S+:\S+)\s+-?\d+\s", line).groups()
        kinds.setdefault(kind, set()).add(name)
    return kinds


@pytest.mark.long
def test_the_reference_has_every_name(site, release_build):
    inventory = names_by_kind((site / "objects.inv").read_bytes())
    python = {name for kind, names in inventory.items() if kind.startswith("py:") for name in names}
    for names in reference.public_names().values():
        assert set(names) <= python
    cpp = {name for kind, names in inventory.items() if kind.startswith("cpp:") for name in names}
    declared = re.compile(r"^(?:struct|class|enum class|enum) (\w+)\b(?!.*;)", re.MULTILINE)
    for header in sorted((ROOT / "include/bough").glob("*.hpp")):
        types = {f"bough::{name}" for name in declared.findall(header.read_text("utf-8"))}
        assert types - cpp == set(), header.name
    c_names = set(re.findall(r"\b(bough_\w+)\(", (ROOT / "include/bough/bough.h").read_text("utf-8")))
    assert c_names <= {name for kind, names in inventory.items() if kind.startswith("c:") for name in names}
    page = (site / "reference/command_line.html").read_text("utf-8")
    for verb, _ in reference.verbs(release_build / "bough"):
        assert f'id="bough-{verb}"' in page


@pytest.mark.long
def test_a_browser_without_network_draws_formulas_and_searches(site):
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    by = importlib.import_module("selenium.webdriver.common.by").By
    wait = importlib.import_module("selenium.webdriver.support.ui").WebDriverWait
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        driver.get((site / "guide/criteria.html").as_uri())
        fractions = driver.find_elements(by.CSS_SELECTOR, "math mfrac")
        assert fractions
        for fraction in fractions:
            top, bottom = fraction.find_elements(by.XPATH, "./*")
            # The numerator stands above the denominator: it is drawn as a fraction, not as text.
            assert top.rect["height"] > 0 and top.rect["y"] + top.rect["height"] <= bottom.rect["y"] + 2
        driver.get((site / "search.html").as_uri() + "?q=surrogate")
        result = '#search-results li a[href*="rpart"]'
        assert wait(driver, 60).until(lambda d: d.find_elements(by.CSS_SELECTOR, result))
        assert [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"] == []
    finally:
        driver.quit()
