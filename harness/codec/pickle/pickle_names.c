#include "codec/pickle/pickle_names.h"

enum direction { BOTH, READ, WRITTEN };

struct row {
    const char *old_module;
    const char *old_name; /* NULL for the whole module, names unchanged */
    const char *module;
    const char *name;
    enum direction direction;
};

/* Python 2 had a module for exceptions, without some of the present ones. */
/* clang-format off */
#define EXCEPTION_LIST(X) \
    X(ArithmeticError) X(AssertionError) X(AttributeError) X(BaseException) X(BufferError) X(BytesWarning) \
    X(DeprecationWarning) X(EOFError) X(EnvironmentError) X(Exception) X(FloatingPointError) X(FutureWarning) \
    X(GeneratorExit) X(IOError) X(ImportError) X(ImportWarning) X(IndentationError) X(IndexError) X(KeyError) \
    X(KeyboardInterrupt) X(LookupError) X(MemoryError) X(NameError) X(NotImplementedError) X(OSError) \
    X(OverflowError) X(PendingDeprecationWarning) X(ReferenceError) X(RuntimeError) X(RuntimeWarning) \
    X(StopIteration) X(SyntaxError) X(SyntaxWarning) X(SystemError) X(SystemExit) X(TabError) X(TypeError) \
    X(UnboundLocalError) X(UnicodeDecodeError) X(UnicodeEncodeError) X(UnicodeError) X(UnicodeTranslateError) \
    X(UnicodeWarning) X(UserWarning) X(ValueError) X(Warning) X(ZeroDivisionError)
#define OS_ERROR_LIST(X) \
    X(BrokenPipeError) X(ChildProcessError) X(ConnectionAbortedError) X(ConnectionError) X(ConnectionRefusedError) \
    X(ConnectionResetError) X(FileExistsError) X(FileNotFoundError) X(InterruptedError) X(IsADirectoryError) \
    X(NotADirectoryError) X(PermissionError) X(ProcessLookupError) X(TimeoutError)
#define EXCEPTION_ROW(name) {"exceptions", #name, "builtins", #name, BOTH},
#define OS_ERROR_ROW(name) {"exceptions", "OSError", "builtins", #name, WRITTEN},
/* clang-format on */

/* Rows of single names precede the row of their module. */
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
    EXCEPTION_LIST(EXCEPTION_ROW)
        OS_ERROR_LIST(OS_ERROR_ROW){"exceptions", "ImportError", "builtins", "ModuleNotFoundError", WRITTEN},
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

/* Whether no row has a module that begins like this one. Most names are of NumPy and joblib, and a pickle names them
 * again for every array. */
static bool is_never_renamed(struct ndp_bytes module) {
    return module.size_bytes == 0 || module.data[0] == 'n' || module.data[0] == 'j';
}

void ndp_pickle_names_to_python_3(struct ndp_bytes module, struct ndp_bytes name, const char **modern_module,
                                  const char **modern_name) {
    *modern_module = NULL;
    *modern_name = NULL;
    if (is_never_renamed(module)) return;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (rows[i].old_module[0] != module.data[0]) continue;
        if (rows[i].old_name != NULL && !ndp_bytes_is_word(name, rows[i].old_name)) continue;
        if (rows[i].direction == WRITTEN || !ndp_bytes_is_word(module, rows[i].old_module)) continue;
        *modern_module = rows[i].module;
        *modern_name = rows[i].name;
        return;
    }
}

void ndp_pickle_names_to_python_2(struct ndp_bytes module, struct ndp_bytes name, const char **old_module,
                                  const char **old_name) {
    *old_module = NULL;
    *old_name = NULL;
    if (is_never_renamed(module)) return;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (rows[i].module[0] != module.data[0]) continue;
        if (rows[i].name != NULL && !ndp_bytes_is_word(name, rows[i].name)) continue;
        if (rows[i].direction == READ || !ndp_bytes_is_word(module, rows[i].module)) continue;
        *old_module = rows[i].old_module;
        *old_name = rows[i].old_name;
        return;
    }
}
