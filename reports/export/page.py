"""The templates of reports/templates as HTML and as Markdown, with Jinja2."""

import base64
import functools
import hashlib
import pathlib
import re

import jinja2
import markupsafe
import report as arranged
import routes

TEMPLATES = pathlib.Path(__file__).resolve().parent.parent / "templates"
# GitHub accepts 1 MiB of summary for a step; the rest is for other content of the step.
MARKDOWN_BYTES = 900 << 10


def environment(**options):
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, **options
    )
    env.filters["plural"] = arranged.plural
    env.filters["grouped"] = lambda count: "{:,}".format(count)
    env.globals.update(STATE_WORDS=routes.STATE_WORDS, STATE_HELP=routes.STATE_HELP, FUZZING=arranged.FUZZING, Cell=routes.Cell)
    return env


def asset(name):
    """The text of a style sheet or script of the page, and its hash for the content security policy."""
    text = "\n" + (TEMPLATES / name).read_text(encoding="utf-8")
    return text, "'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@functools.cache
def page_template():
    return environment(autoescape=True).get_template("page.html")


def html(report):
    """One page that loads nothing. Text of the report is escaped, and the policy runs no script but ours."""
    style, style_hash = asset("page.css")
    script, script_hash = asset("page.js")
    assets = dict(style=style, style_hash=style_hash, script=script, script_hash=script_hash)
    return page_template().render(report=report, **assets)


# ---- Markdown ----


class Markdown(str):
    """Text that is Markdown already."""


def words(text):
    """Text as Markdown that shows it literally, on one line. No word mentions a user, links, or is a picture."""
    if isinstance(text, Markdown):
        return text
    folded = " ".join(str(text).split())
    quoted = re.sub(r"[\\`*_{}\[\]<>#!|~&$=+^\"@]|:(?=\S)|(?<=www)\.|^(?:-|\d+(?=[.)]))", lambda found: quote(found[0]), folded, flags=re.I)
    return Markdown(quoted)


def quote(piece):
    if piece.isdigit():  # "1." would begin a list
        return piece + "\u200b"
    return "\\@\u200b" if piece == "@" else "\\" + piece


def code(text, is_cell=False):
    """Text as a code span on one line. In a cell of a table, a bar needs a backslash even in code, so that a backslash
    before a bar cannot be shown there; a space parts the two."""
    folded = " ".join(str(text).split())
    if not folded:
        return Markdown("")
    fence = "`" * (1 + max(map(len, re.findall("`+", folded)), default=0))
    pad = " " if folded[0] == "`" or folded[-1] == "`" else ""
    inner = folded.replace("\\|", "\\ |").replace("|", "\\|") if is_cell else folded
    return Markdown(fence + pad + inner + pad + fence)


def block(text, language=""):
    """Text as a fenced block."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return Markdown("%s%s\n%s\n%s" % (fence, language, text.rstrip("\n"), fence))


def html_text(text):
    """Text inside an HTML element of Markdown, on one line."""
    return Markdown(markupsafe.escape(" ".join(str(text).split())).replace("@", "@\u200b"))


@functools.cache
def markdown_template():
    env = environment(autoescape=False, finalize=words)
    env.filters.update(code=code, cell=functools.partial(code, is_cell=True), block=block, html_text=html_text)
    return env.get_template("summary.md")


def markdown(report, limit=MARKDOWN_BYTES):
    """A summary for a job or a comment. Details of causes and rows are left out, least important first, to fit the limit."""
    most = max(len(report.causes), len(report.untested), 1)
    details, rows = len(report.causes), most
    while True:
        text = markdown_template().render(report=report, details=details, rows=rows)
        if len(text.encode()) <= limit or rows == 0:
            return text
        details, rows = (details // 2, rows) if details else (0, rows // 2)
