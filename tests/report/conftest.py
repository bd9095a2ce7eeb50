# SPDX-License-Identifier: Apache-2.0
"""A browser without a network, and pages to open in it."""

import json
import shutil
import time

import pytest


class Page:
    """One page in headless Chromium."""

    def __init__(self, driver):
        self.driver = driver

    def open(self, path, place=""):
        """Opens a file, at a place in it; gives the seconds until it was ready. What it said is kept."""
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        begin = time.monotonic()
        self.driver.get(path.as_uri() + place)
        while self.run("return document.documentElement.dataset.ready") is None:
            assert time.monotonic() - begin < 60, "the page is not ready after a minute"
            time.sleep(0.01)
        seconds = time.monotonic() - begin
        assert self.run("return document.documentElement.dataset.ready") == "yes", self.log()
        self.settle()
        return seconds

    def run(self, script, *values):
        return self.driver.execute_script(script, *values)

    def settle(self):
        """Waits until what was asked for is drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));"
        )

    def log(self):
        return self.driver.get_log("browser")

    def requests(self):
        """Addresses that the page has asked for."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]

    def find(self, css):
        return self.driver.find_element("css selector", css)

    def all(self, css):
        return self.driver.find_elements("css selector", css)

    def text(self, css):
        return self.find(css).text

    def click(self, css):
        self.find(css).click()
        self.settle()

    def keys(self, css, *keys):
        self.find(css).send_keys(*keys)
        self.settle()

    def slide(self, css, value):
        """Moves a slider as dragging does."""
        self.run(
            "const s = document.querySelector(arguments[0]); s.value = arguments[1];"
            "s.dispatchEvent(new Event('input', {bubbles: true}));",
            css,
            value,
        )
        self.settle()

    def shown(self):
        """Ids of the nodes that are drawn as boxes."""
        return sorted(
            int(node)
            for node in self.run("return [...document.querySelectorAll('.node')].map(n => n.dataset.node)")
        )


@pytest.fixture(scope="session")
def browser():
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for word in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--window-size=1400,900",
        "--host-resolver-rules=MAP * ~NOTFOUND",
    ):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    driver.execute_cdp_cmd("Network.enable", {})
    driver.set_script_timeout(300)  # axe takes 30 s on a busy machine
    yield Page(driver)
    driver.quit()
