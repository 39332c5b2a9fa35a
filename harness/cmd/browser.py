"""Drives headless Chromium for tests of pages, over the DevTools protocol.

The protocol runs over two pipes, so no driver program, no port and no Python package is needed. Messages are JSON, ended
by a zero byte. Reference: the DevTools protocol, domains Target, Page, Runtime, Log, Emulation, Input, Browser.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE_S = 60
QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-extensions --disable-sync --hide-scrollbars"
    " --disable-background-networking --disable-component-update --mute-audio --disable-breakpad --disable-crash-reporter --remote-debugging-pipe"
).split()


def find():
    """The path of a Chromium, or None. NDPROOF_BROWSER names another one."""
    named = os.environ.get("NDPROOF_BROWSER")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One browser with one tab. Use it in a `with` statement, which ends the process and removes its profile."""

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        there, self.writing = os.pipe()
        self.reading, back = os.pipe()
        ends = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (there, back)]

        def place():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        environment = dict(os.environ, HOME=self.profile.name, TMPDIR=self.profile.name)
        self.process = subprocess.Popen(
            [find(), *QUIET, "--user-data-dir=" + self.profile.name, "about:blank"],
            pass_fds=(3, 4), preexec_fn=place, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        for fd in (there, back, *ends):
            os.close(fd)
        self.rest, self.last, self.events, self.session = b"", 0, [], None
        page = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        # The clipboard works only in a window with the focus.
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(PATIENCE_S)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        # Helpers of the browser, which are in its session, may still write into the profile.
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.close(self.writing)
        os.close(self.reading)
        self.profile.cleanup()

    def call(self, method, **parameters):
        """The result of a command. Events that arrive meanwhile are kept in self.events."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE_S
        while True:
            answer = self._receive(until)
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]
            self.events.append(answer)

    def _receive(self, until):
        while b"\0" not in self.rest:
            if not select.select([self.reading], [], [], max(0, until - time.monotonic()))[0]:
                raise RuntimeError("no answer from the browser in %d s" % PATIENCE_S)
            got = os.read(self.reading, 1 << 16)
            if not got:
                raise RuntimeError("the browser has ended")
            self.rest += got
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    # ---- what tests do ----

    def open(self, path, width=1280, height=900, scheme="light"):
        """Opens a file from disk and waits until it is loaded."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.events.clear()
        self.call("Page.navigate", url=path.resolve().as_uri())
        self.wait("document.readyState === 'complete' && location.protocol === 'file:'")

    def run(self, script, is_gesture=False):
        """The value of an expression, after its promise if it is one. `is_gesture` counts as an action of the user."""
        done = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=is_gesture)
        if "exceptionDetails" in done:
            raise RuntimeError("%s: %s" % (script, done["exceptionDetails"]))
        return done["result"].get("value")

    def wait(self, condition):
        until = time.monotonic() + PATIENCE_S
        while not self.run(condition):
            if time.monotonic() > until:
                raise RuntimeError("did not become true in %d s: %s" % (PATIENCE_S, condition))
            time.sleep(0.02)

    def complaints(self):
        """Texts of the console, of exceptions and of the log, since the page was opened."""
        names = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [json.dumps(event["params"]) for event in self.events if event.get("method") in names]

    def requests(self):
        """The addresses that the page asked for."""
        return [event["params"]["request"]["url"] for event in self.events if event.get("method") == "Network.requestWillBeSent"]

    def picture(self, path, is_whole=False):
        """Writes a PNG of the window, or of the whole page."""
        data = self.call("Page.captureScreenshot", captureBeyondViewport=is_whole)["data"]
        path.write_bytes(base64.b64decode(data))

    def paper(self):
        """The page as PDF, on A4."""
        data = self.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, preferCSSPageSize=True, printBackground=False)["data"]
        return base64.b64decode(data)
