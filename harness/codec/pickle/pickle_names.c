#include "codec/pickle/pickle_names.h"

enum way { BOTH, READ, WRITTEN };

struct row {
    const char *old_module;
    const char *old_name; /* NULL: all of the module, by their own names */
    const char *module;
    const char *name;
    enum way way;
};

/* Exceptions had a module of their own, and not all of those that there are now. */
#define EXCEPTION(name)                                                                                                \
    { "exceptions", name, "builtins", name, BOTH }
#define OS_ERROR(name)                                                                                                 \
    { "exceptions", "OSError", "builtins", name, WRITTEN }

/* Rows of one name come before those of their module. */
static const struct row rows[] = {
    {"__builtin__", "xrange", "builtins", "range", BOTH},
    {"__builtin__", "reduce", "functools", "reduce", BOTH},
    {"__builtin__", "intern", "sys", "intern", BOTH},
    {"__builtin__", "unichr", "builtins", "chr", BOTH},
    {"__builtin__", "unicode", "builtins", "str", BOTH},
    {"__builtin__", "long", "builtins", "int", BOTH},
    {"itertools", "izip", "builtins", "zip", BOTH},
    {"itertools", "imap", "builtins", "map", BOTH},
    {"itertools", "ifilter", "builtins", "filter", BOTH},
    {"itertools", "ifilterfalse", "itertools", "filterfalse", BOTH},
    {"itertools", "izip_longest", "itertools", "zip_longest", BOTH},
    {"UserDict", "IterableUserDict", "collections", "UserDict", BOTH},
    {"UserList", "UserList", "collections", "UserList", BOTH},
    {"UserString", "UserString", "collections", "UserString", BOTH},
    {"_multiprocessing", "Connection", "multiprocessing.connection", "Connection", BOTH},
    {"whichdb", "whichdb", "dbm", "whichdb", BOTH},
    {"_socket", "fromfd", "socket", "fromfd", BOTH},
    {"multiprocessing.process", "Process", "multiprocessing.context", "Process", BOTH},
    {"multiprocessing.forking", "Popen", "multiprocessing.popen_fork", "Popen", BOTH},
    {"urllib", "ContentTooShortError", "urllib.error", "ContentTooShortError", BOTH},
    {"urllib", "getproxies", "urllib.request", "getproxies", BOTH},
    {"urllib", "pathname2url", "urllib.request", "pathname2url", BOTH},
    {"urllib", "quote_plus", "urllib.parse", "quote_plus", BOTH},
    {"urllib", "quote", "urllib.parse", "quote", BOTH},
    {"urllib", "unquote_plus", "urllib.parse", "unquote_plus", BOTH},
    {"urllib", "unquote", "urllib.parse", "unquote", BOTH},
    {"urllib", "url2pathname", "urllib.request", "url2pathname", BOTH},
    {"urllib", "urlcleanup", "urllib.request", "urlcleanup", BOTH},
    {"urllib", "urlencode", "urllib.parse", "urlencode", BOTH},
    {"urllib", "urlopen", "urllib.request", "urlopen", BOTH},
    {"urllib", "urlretrieve", "urllib.request", "urlretrieve", BOTH},
    {"urllib2", "HTTPError", "urllib.error", "HTTPError", BOTH},
    {"urllib2", "URLError", "urllib.error", "URLError", BOTH},
    {"multiprocessing", "AuthenticationError", "multiprocessing.context", "AuthenticationError", BOTH},
    {"multiprocessing", "BufferTooShort", "multiprocessing.context", "BufferTooShort", BOTH},
    {"multiprocessing", "ProcessError", "multiprocessing.context", "ProcessError", BOTH},
    {"multiprocessing", "TimeoutError", "multiprocessing.context", "TimeoutError", BOTH},
    {"socket", "_socketobject", "socket", "SocketType", READ},
    {"__builtin__", "basestring", "builtins", "str", READ},
    {"UserDict", "UserDict", "collections", "UserDict", READ},
    {"exceptions", "StandardError", "builtins", "Exception", READ},
    EXCEPTION("ArithmeticError"),
    EXCEPTION("AssertionError"),
    EXCEPTION("AttributeError"),
    EXCEPTION("BaseException"),
    EXCEPTION("BufferError"),
    EXCEPTION("BytesWarning"),
    EXCEPTION("DeprecationWarning"),
    EXCEPTION("EOFError"),
    EXCEPTION("EnvironmentError"),
    EXCEPTION("Exception"),
    EXCEPTION("FloatingPointError"),
    EXCEPTION("FutureWarning"),
    EXCEPTION("GeneratorExit"),
    EXCEPTION("IOError"),
    EXCEPTION("ImportError"),
    EXCEPTION("ImportWarning"),
    EXCEPTION("IndentationError"),
    EXCEPTION("IndexError"),
    EXCEPTION("KeyError"),
    EXCEPTION("KeyboardInterrupt"),
    EXCEPTION("LookupError"),
    EXCEPTION("MemoryError"),
    EXCEPTION("NameError"),
    EXCEPTION("NotImplementedError"),
    EXCEPTION("OSError"),
    EXCEPTION("OverflowError"),
    EXCEPTION("PendingDeprecationWarning"),
    EXCEPTION("ReferenceError"),
    EXCEPTION("RuntimeError"),
    EXCEPTION("RuntimeWarning"),
    EXCEPTION("StopIteration"),
    EXCEPTION("SyntaxError"),
    EXCEPTION("SyntaxWarning"),
    EXCEPTION("SystemError"),
    EXCEPTION("SystemExit"),
    EXCEPTION("TabError"),
    EXCEPTION("TypeError"),
    EXCEPTION("UnboundLocalError"),
    EXCEPTION("UnicodeDecodeError"),
    EXCEPTION("UnicodeEncodeError"),
    EXCEPTION("UnicodeError"),
    EXCEPTION("UnicodeTranslateError"),
    EXCEPTION("UnicodeWarning"),
    EXCEPTION("UserWarning"),
    EXCEPTION("ValueError"),
    EXCEPTION("Warning"),
    EXCEPTION("ZeroDivisionError"),
    OS_ERROR("BrokenPipeError"),
    OS_ERROR("ChildProcessError"),
    OS_ERROR("ConnectionAbortedError"),
    OS_ERROR("ConnectionError"),
    OS_ERROR("ConnectionRefusedError"),
    OS_ERROR("ConnectionResetError"),
    OS_ERROR("FileExistsError"),
    OS_ERROR("FileNotFoundError"),
    OS_ERROR("InterruptedError"),
    OS_ERROR("IsADirectoryError"),
    OS_ERROR("NotADirectoryError"),
    OS_ERROR("PermissionError"),
    OS_ERROR("ProcessLookupError"),
    OS_ERROR("TimeoutError"),
    {"exceptions", "ImportError", "builtins", "ModuleNotFoundError", WRITTEN},
    {"__builtin__", "reduce", "_functools", "reduce", WRITTEN},
    {"FileDialog", "FileDialog", "tkinter.filedialog", "FileDialog", WRITTEN},
    {"FileDialog", "LoadFileDialog", "tkinter.filedialog", "LoadFileDialog", WRITTEN},
    {"FileDialog", "SaveFileDialog", "tkinter.filedialog", "SaveFileDialog", WRITTEN},
    {"SimpleDialog", "SimpleDialog", "tkinter.simpledialog", "SimpleDialog", WRITTEN},
    {"DocXMLRPCServer", "ServerHTMLDoc", "xmlrpc.server", "ServerHTMLDoc", WRITTEN},
    {"DocXMLRPCServer", "XMLRPCDocGenerator", "xmlrpc.server", "XMLRPCDocGenerator", WRITTEN},
    {"DocXMLRPCServer", "DocXMLRPCRequestHandler", "xmlrpc.server", "DocXMLRPCRequestHandler", WRITTEN},
    {"DocXMLRPCServer", "DocXMLRPCServer", "xmlrpc.server", "DocXMLRPCServer", WRITTEN},
    {"DocXMLRPCServer", "DocCGIXMLRPCRequestHandler", "xmlrpc.server", "DocCGIXMLRPCRequestHandler", WRITTEN},
    {"SimpleHTTPServer", "SimpleHTTPRequestHandler", "http.server", "SimpleHTTPRequestHandler", WRITTEN},
    {"CGIHTTPServer", "CGIHTTPRequestHandler", "http.server", "CGIHTTPRequestHandler", WRITTEN},
    {"__builtin__", NULL, "builtins", NULL, BOTH},
    {"copy_reg", NULL, "copyreg", NULL, BOTH},
    {"Queue", NULL, "queue", NULL, BOTH},
    {"SocketServer", NULL, "socketserver", NULL, BOTH},
    {"ConfigParser", NULL, "configparser", NULL, BOTH},
    {"repr", NULL, "reprlib", NULL, BOTH},
    {"tkFileDialog", NULL, "tkinter.filedialog", NULL, BOTH},
    {"tkSimpleDialog", NULL, "tkinter.simpledialog", NULL, BOTH},
    {"tkColorChooser", NULL, "tkinter.colorchooser", NULL, BOTH},
    {"tkCommonDialog", NULL, "tkinter.commondialog", NULL, BOTH},
    {"Dialog", NULL, "tkinter.dialog", NULL, BOTH},
    {"Tkdnd", NULL, "tkinter.dnd", NULL, BOTH},
    {"tkFont", NULL, "tkinter.font", NULL, BOTH},
    {"tkMessageBox", NULL, "tkinter.messagebox", NULL, BOTH},
    {"ScrolledText", NULL, "tkinter.scrolledtext", NULL, BOTH},
    {"Tkconstants", NULL, "tkinter.constants", NULL, BOTH},
    {"Tix", NULL, "tkinter.tix", NULL, BOTH},
    {"ttk", NULL, "tkinter.ttk", NULL, BOTH},
    {"Tkinter", NULL, "tkinter", NULL, BOTH},
    {"markupbase", NULL, "_markupbase", NULL, BOTH},
    {"_winreg", NULL, "winreg", NULL, BOTH},
    {"thread", NULL, "_thread", NULL, BOTH},
    {"dummy_thread", NULL, "_dummy_thread", NULL, BOTH},
    {"dbhash", NULL, "dbm.bsd", NULL, BOTH},
    {"dumbdbm", NULL, "dbm.dumb", NULL, BOTH},
    {"dbm", NULL, "dbm.ndbm", NULL, BOTH},
    {"gdbm", NULL, "dbm.gnu", NULL, BOTH},
    {"xmlrpclib", NULL, "xmlrpc.client", NULL, BOTH},
    {"SimpleXMLRPCServer", NULL, "xmlrpc.server", NULL, BOTH},
    {"httplib", NULL, "http.client", NULL, BOTH},
    {"htmlentitydefs", NULL, "html.entities", NULL, BOTH},
    {"HTMLParser", NULL, "html.parser", NULL, BOTH},
    {"Cookie", NULL, "http.cookies", NULL, BOTH},
    {"cookielib", NULL, "http.cookiejar", NULL, BOTH},
    {"BaseHTTPServer", NULL, "http.server", NULL, BOTH},
    {"test.test_support", NULL, "test.support", NULL, BOTH},
    {"commands", NULL, "subprocess", NULL, BOTH},
    {"urlparse", NULL, "urllib.parse", NULL, BOTH},
    {"robotparser", NULL, "urllib.robotparser", NULL, BOTH},
    {"urllib2", NULL, "urllib.request", NULL, BOTH},
    {"anydbm", NULL, "dbm", NULL, BOTH},
    {"_abcoll", NULL, "collections.abc", NULL, BOTH},
    {"_elementtree", NULL, "xml.etree.ElementTree", NULL, READ},
    {"FileDialog", NULL, "tkinter.filedialog", NULL, READ},
    {"SimpleDialog", NULL, "tkinter.simpledialog", NULL, READ},
    {"DocXMLRPCServer", NULL, "xmlrpc.server", NULL, READ},
    {"SimpleHTTPServer", NULL, "http.server", NULL, READ},
    {"CGIHTTPServer", NULL, "http.server", NULL, READ},
    {"UserDict", NULL, "collections", NULL, READ},
    {"UserList", NULL, "collections", NULL, READ},
    {"UserString", NULL, "collections", NULL, READ},
    {"whichdb", NULL, "dbm", NULL, READ},
    {"StringIO", NULL, "io", NULL, READ},
    {"cStringIO", NULL, "io", NULL, READ},
    {"cPickle", NULL, "pickle", NULL, READ},
    {"functools", NULL, "_functools", NULL, WRITTEN},
    {"pickle", NULL, "_pickle", NULL, WRITTEN},
    {"bz2", NULL, "_bz2", NULL, WRITTEN},
    {"dbm", NULL, "_dbm", NULL, WRITTEN},
    {"gdbm", NULL, "_gdbm", NULL, WRITTEN},
};

/* The modules of the rows above that are read and that are written, in order: most names are of none of them, which is
 * known after few steps. */
static const char *const old_modules[] = {
    "BaseHTTPServer",
    "CGIHTTPServer",
    "ConfigParser",
    "Cookie",
    "Dialog",
    "DocXMLRPCServer",
    "FileDialog",
    "HTMLParser",
    "Queue",
    "ScrolledText",
    "SimpleDialog",
    "SimpleHTTPServer",
    "SimpleXMLRPCServer",
    "SocketServer",
    "StringIO",
    "Tix",
    "Tkconstants",
    "Tkdnd",
    "Tkinter",
    "UserDict",
    "UserList",
    "UserString",
    "__builtin__",
    "_abcoll",
    "_elementtree",
    "_multiprocessing",
    "_socket",
    "_winreg",
    "anydbm",
    "cPickle",
    "cStringIO",
    "commands",
    "cookielib",
    "copy_reg",
    "dbhash",
    "dbm",
    "dumbdbm",
    "dummy_thread",
    "exceptions",
    "gdbm",
    "htmlentitydefs",
    "httplib",
    "itertools",
    "markupbase",
    "multiprocessing",
    "multiprocessing.forking",
    "multiprocessing.process",
    "repr",
    "robotparser",
    "socket",
    "test.test_support",
    "thread",
    "tkColorChooser",
    "tkCommonDialog",
    "tkFileDialog",
    "tkFont",
    "tkMessageBox",
    "tkSimpleDialog",
    "ttk",
    "urllib",
    "urllib2",
    "urlparse",
    "whichdb",
    "xmlrpclib",
};

static const char *const modules[] = {
    "_bz2",
    "_dbm",
    "_dummy_thread",
    "_functools",
    "_gdbm",
    "_markupbase",
    "_pickle",
    "_thread",
    "builtins",
    "collections",
    "collections.abc",
    "configparser",
    "copyreg",
    "dbm",
    "dbm.bsd",
    "dbm.dumb",
    "dbm.gnu",
    "dbm.ndbm",
    "functools",
    "html.entities",
    "html.parser",
    "http.client",
    "http.cookiejar",
    "http.cookies",
    "http.server",
    "itertools",
    "multiprocessing.connection",
    "multiprocessing.context",
    "multiprocessing.popen_fork",
    "queue",
    "reprlib",
    "socket",
    "socketserver",
    "subprocess",
    "sys",
    "test.support",
    "tkinter",
    "tkinter.colorchooser",
    "tkinter.commondialog",
    "tkinter.constants",
    "tkinter.dialog",
    "tkinter.dnd",
    "tkinter.filedialog",
    "tkinter.font",
    "tkinter.messagebox",
    "tkinter.scrolledtext",
    "tkinter.simpledialog",
    "tkinter.tix",
    "tkinter.ttk",
    "urllib.error",
    "urllib.parse",
    "urllib.request",
    "urllib.robotparser",
    "winreg",
    "xmlrpc.client",
    "xmlrpc.server",
};

/* As memcmp and then the lengths say it. */
static int compare(struct ndp_bytes bytes, const char *text) {
    for (uint64_t i = 0; i < bytes.size_bytes; i++) {
        const uint8_t other = (uint8_t)text[i];
        if (bytes.data[i] != other || other == 0) return bytes.data[i] < other ? -1 : 1;
    }
    return text[bytes.size_bytes] == '\0' ? 0 : -1;
}

static bool is_among(struct ndp_bytes module, const char *const *sorted, size_t count) {
    while (count > 0) {
        const int order = compare(module, sorted[count / 2]);
        if (order == 0) return true;
        if (order > 0) sorted += count / 2 + 1;
        count = order > 0 ? count - count / 2 - 1 : count / 2;
    }
    return false;
}

static bool is_same(struct ndp_bytes bytes, const char *text) {
    if (text == NULL || (bytes.size_bytes > 0 && bytes.data[0] != (uint8_t)text[0])) return false;
    return compare(bytes, text) == 0;
}

void ndp_name_modern(struct ndp_bytes module, struct ndp_bytes name, const char **modern_module,
                     const char **modern_name) {
    *modern_module = NULL;
    *modern_name = NULL;
    if (!is_among(module, old_modules, NDP_ARRAY_LEN(old_modules))) return;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (rows[i].old_name != NULL && !is_same(name, rows[i].old_name)) continue;
        if (rows[i].way == WRITTEN || !is_same(module, rows[i].old_module)) continue;
        *modern_module = rows[i].module;
        *modern_name = rows[i].name;
        return;
    }
}

void ndp_name_old(struct ndp_bytes module, struct ndp_bytes name, const char **old_module, const char **old_name) {
    *old_module = NULL;
    *old_name = NULL;
    if (!is_among(module, modules, NDP_ARRAY_LEN(modules))) return;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (rows[i].name != NULL && !is_same(name, rows[i].name)) continue;
        if (rows[i].way == READ || !is_same(module, rows[i].module)) continue;
        *old_module = rows[i].old_module;
        *old_name = rows[i].old_name;
        return;
    }
}
