"""The finding that a file of the command line contains: a finding, a report, a descriptor, or bytes to decode."""

import hashlib
import json
import pathlib
import re

# Words of a descriptor that need a library with another name.
OTHER_WORDS = {"quantity": "astropy"}


class Unusable(Exception):
    """The file names no single finding; the text says why."""


class Finding:
    """One case. `path` is the file for `ndproof replay`, once `write` has been called."""

    def __init__(self, path, tree, signature, descriptor, title):
        self.path, self.tree, self.signature, self.descriptor, self.title = path, tree, signature, descriptor, title
        self.key = hashlib.sha256(self._text().encode() if descriptor else path.read_bytes()).hexdigest()[:12]

    @property
    def is_documented(self):
        """Whether the report calls it a loss or a hazard that the library documents."""
        return self.tree.get("severity") in ("documented-loss", "hazard")

    def _text(self):
        wanted = {"signature": self.signature, "descriptor": self.descriptor} if self.signature else self.descriptor
        return json.dumps(wanted, sort_keys=True)

    def write(self, folder):
        """Writes the case alone into `folder`, without names of environments. Bytes stay where they are."""
        if self.descriptor is None:
            return
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / ("case-%s.json" % self.key)
        self.path.write_text(self._text() + "\n")

    def libraries(self, known):
        """Those of the libraries in `known` that the case names, and NumPy."""
        text = self._text() if self.descriptor else self.path.read_bytes().decode("latin-1")
        words = {word.lower() for word in re.findall(r"[A-Za-z0-9]+", text)}
        words |= {library for word, library in OTHER_WORDS.items() if word in words}
        if self.descriptor and "dict" in self.descriptor.get("value", {}):
            words.add("numba")
        if self.path.suffix == ".joblib":
            words.add("joblib")
        return sorted(({"numpy"} | words) & set(known) | {"numpy"})


def _one_environment(descriptor):
    """The descriptor with targets `numpy` instead of `numpy@seeds`, if both ends were in one environment."""
    route = descriptor.get("route")
    if not isinstance(route, dict):
        return descriptor
    ends = {end: route[end] for end in ("encoder", "decoder") if isinstance(route.get(end), str)}
    if len({name.partition("@")[2] for name in ends.values() if name != "reference"}) != 1:
        return descriptor
    return dict(descriptor, route=dict(route, **{end: name.partition("@")[0] for end, name in ends.items()}))


def _made(path, tree, signature, descriptor, title=""):
    if not isinstance(descriptor, dict):
        raise Unusable("%s: the finding has no descriptor" % path)
    return Finding(path, tree, signature or "", _one_environment(descriptor), title or "")


def _of_cause(path, tree, cause):
    """The finding whose descriptor a cause shows, else its first one."""
    findings = [one for one in tree["findings"] if one.get("signature") in cause.get("findings", ())]
    same = [one for one in findings if one.get("descriptor") == cause.get("descriptor")] or findings[:1]
    found = same[0] if same else {}
    return _made(path, found or cause, found.get("signature"), found.get("descriptor", cause.get("descriptor")), cause.get("title"))


def _of_report(path, tree, wanted):
    causes = tree.get("causes") or []
    if wanted:
        chosen = [cause for cause in causes if cause.get("id") in wanted]
        if len(chosen) == 1:
            return _of_cause(path, tree, chosen[0])
        raise Unusable("%s: expected one --cause of the report: %s" % (path, _some(causes)))
    if len(tree["findings"]) == 1:
        found = tree["findings"][0]
        return _made(path, found, found.get("signature"), found.get("descriptor"), causes[0].get("title") if causes else "")
    if len(causes) == 1:
        return _of_cause(path, tree, causes[0])
    raise Unusable("%s: a report of %d findings; choose one with --cause: %s" % (path, len(tree["findings"]), _some(causes)))


def _some(causes):
    return ", ".join(str(cause.get("id")) for cause in causes[:20]) or "it lists no causes"


def load(name, causes=()):
    """The finding of a file. Raises Unusable; OSError if the file cannot be read."""
    path = pathlib.Path(name)
    data = path.read_bytes()
    if not data.lstrip().startswith(b"{"):
        return Finding(path, {}, "", None, "")
    try:
        tree = json.loads(data)
    except ValueError as error:
        raise Unusable("%s: not JSON: %s" % (path, error)) from None
    if isinstance(tree.get("findings"), list):
        return _of_report(path, tree, causes)
    if "descriptor" in tree:
        return _made(path, tree, tree.get("signature"), tree["descriptor"], tree.get("title"))
    return _made(path, tree, "", tree)
