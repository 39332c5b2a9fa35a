/* pickle_names_test.c: names of Python 2 and 3. Expected: Lib/_compat_pickle.py of CPython 3.13 (3.8 agrees):
 * NAME_MAPPING, then IMPORT_MAPPING, and their REVERSE_ counterparts, as Lib/pickle.py asks them. */
#include "codec/pickle/pickle_names.h"

#include <string.h>

#include "base/suite.h"

typedef void translate(struct ndp_bytes module, struct ndp_bytes name, const char **to_module, const char **to_name);

/* from module and name, to module and name */
static void check_rows(translate *to, const char *const (*rows)[4], size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *module = "unset";
        const char *name = "unset";
        to(ndp_bytes_view(rows[i][0]), ndp_bytes_view(rows[i][1]), &module, &name);
        if (module == NULL) module = rows[i][0];
        if (name == NULL) name = rows[i][1];
        if (strcmp(module, rows[i][2]) != 0 || strcmp(name, rows[i][3]) != 0)
            fail_msg("%s.%s becomes %s.%s", rows[i][0], rows[i][1], module, name);
    }
}

static void names_are_read_as_python_3_has_them(void **state) {
    static const char *const rows[][4] = {
        {"__builtin__", "xrange", "builtins", "range"},
        {"__builtin__", "long", "builtins", "int"},
        {"__builtin__", "unicode", "builtins", "str"},
        {"__builtin__", "basestring", "builtins", "str"},
        {"__builtin__", "reduce", "functools", "reduce"},
        {"__builtin__", "set", "builtins", "set"},
        {"builtins", "xrange", "builtins", "xrange"},
        {"copy_reg", "_reconstructor", "copyreg", "_reconstructor"},
        {"itertools", "izip", "builtins", "zip"},
        {"itertools", "chain", "itertools", "chain"},
        {"UserDict", "UserDict", "collections", "UserDict"},
        {"UserDict", "IterableUserDict", "collections", "UserDict"},
        {"exceptions", "ValueError", "builtins", "ValueError"},
        {"exceptions", "StandardError", "builtins", "Exception"},
        {"exceptions", "WindowsError", "exceptions", "WindowsError"},
        {"_multiprocessing", "Connection", "multiprocessing.connection", "Connection"},
        {"_multiprocessing", "SemLock", "_multiprocessing", "SemLock"},
        {"cPickle", "loads", "pickle", "loads"},
        {"repr", "Repr", "reprlib", "Repr"},
        {"cStringIO", "StringIO", "io", "StringIO"},
        {"UserDict", "DictMixin", "collections", "DictMixin"},
        {"urllib", "quote", "urllib.parse", "quote"},
        {"urllib", "URLopener", "urllib", "URLopener"},
        {"urllib2", "URLError", "urllib.error", "URLError"},
        {"thread", "allocate_lock", "_thread", "allocate_lock"},
        {"numpy", "dtype", "numpy", "dtype"},
        {"__builtin", "long", "__builtin", "long"},
        {"", "", "", ""},
    };
    check_rows(ndp_name_modern, rows, NDP_ARRAY_LEN(rows));
}

static void names_are_written_as_python_2_had_them(void **state) {
    static const char *const rows[][4] = {
        {"builtins", "range", "__builtin__", "xrange"},
        {"builtins", "int", "__builtin__", "long"},
        {"builtins", "str", "__builtin__", "unicode"},
        {"builtins", "set", "__builtin__", "set"},
        {"builtins", "zip", "itertools", "izip"},
        {"functools", "reduce", "__builtin__", "reduce"},
        {"functools", "partial", "functools", "partial"},
        {"itertools", "zip_longest", "itertools", "izip_longest"},
        {"itertools", "chain", "itertools", "chain"},
        {"collections", "UserDict", "UserDict", "IterableUserDict"},
        {"collections", "OrderedDict", "collections", "OrderedDict"},
        {"copyreg", "_reconstructor", "copy_reg", "_reconstructor"},
        {"builtins", "ValueError", "exceptions", "ValueError"},
        {"builtins", "Exception", "exceptions", "Exception"},
        {"builtins", "OSError", "exceptions", "OSError"},
        {"builtins", "FileNotFoundError", "exceptions", "OSError"},
        {"builtins", "BlockingIOError", "__builtin__", "BlockingIOError"},
        {"builtins", "ModuleNotFoundError", "exceptions", "ImportError"},
        {"builtins", "RecursionError", "__builtin__", "RecursionError"},
        {"multiprocessing.connection", "Connection", "_multiprocessing", "Connection"},
        {"pickle", "loads", "pickle", "loads"},
        {"reprlib", "Repr", "repr", "Repr"},
        {"io", "StringIO", "io", "StringIO"},
        {"urllib.parse", "quote", "urllib", "quote"},
        {"urllib.parse", "urlsplit", "urlparse", "urlsplit"},
        {"_functools", "partial", "functools", "partial"},
        {"_socket", "socket", "_socket", "socket"}, /* CPython: socket._socketobject */
        {"numpy", "dtype", "numpy", "dtype"},
        {"__builtin__", "int", "__builtin__", "int"},
    };
    check_rows(ndp_name_old, rows, NDP_ARRAY_LEN(rows));
}

/* IMPORT_MAPPING as a whole; Tix went with 3.13. */
static void modules_are_read_as_python_3_has_them(void **state) {
    static const char *const rows[][4] = {
        {"BaseHTTPServer", "Any", "http.server", "Any"},
        {"CGIHTTPServer", "Any", "http.server", "Any"},
        {"ConfigParser", "Any", "configparser", "Any"},
        {"Cookie", "Any", "http.cookies", "Any"},
        {"Dialog", "Any", "tkinter.dialog", "Any"},
        {"DocXMLRPCServer", "Any", "xmlrpc.server", "Any"},
        {"FileDialog", "Any", "tkinter.filedialog", "Any"},
        {"HTMLParser", "Any", "html.parser", "Any"},
        {"Queue", "Any", "queue", "Any"},
        {"ScrolledText", "Any", "tkinter.scrolledtext", "Any"},
        {"SimpleDialog", "Any", "tkinter.simpledialog", "Any"},
        {"SimpleHTTPServer", "Any", "http.server", "Any"},
        {"SimpleXMLRPCServer", "Any", "xmlrpc.server", "Any"},
        {"SocketServer", "Any", "socketserver", "Any"},
        {"StringIO", "Any", "io", "Any"},
        {"Tkconstants", "Any", "tkinter.constants", "Any"},
        {"Tkdnd", "Any", "tkinter.dnd", "Any"},
        {"Tkinter", "Any", "tkinter", "Any"},
        {"UserDict", "Any", "collections", "Any"},
        {"UserList", "Any", "collections", "Any"},
        {"UserString", "Any", "collections", "Any"},
        {"__builtin__", "Any", "builtins", "Any"},
        {"_abcoll", "Any", "collections.abc", "Any"},
        {"_elementtree", "Any", "xml.etree.ElementTree", "Any"},
        {"_winreg", "Any", "winreg", "Any"},
        {"anydbm", "Any", "dbm", "Any"},
        {"cPickle", "Any", "pickle", "Any"},
        {"cStringIO", "Any", "io", "Any"},
        {"commands", "Any", "subprocess", "Any"},
        {"cookielib", "Any", "http.cookiejar", "Any"},
        {"copy_reg", "Any", "copyreg", "Any"},
        {"dbhash", "Any", "dbm.bsd", "Any"},
        {"dbm", "Any", "dbm.ndbm", "Any"},
        {"dumbdbm", "Any", "dbm.dumb", "Any"},
        {"dummy_thread", "Any", "_dummy_thread", "Any"},
        {"gdbm", "Any", "dbm.gnu", "Any"},
        {"htmlentitydefs", "Any", "html.entities", "Any"},
        {"httplib", "Any", "http.client", "Any"},
        {"markupbase", "Any", "_markupbase", "Any"},
        {"repr", "Any", "reprlib", "Any"},
        {"robotparser", "Any", "urllib.robotparser", "Any"},
        {"test.test_support", "Any", "test.support", "Any"},
        {"thread", "Any", "_thread", "Any"},
        {"tkColorChooser", "Any", "tkinter.colorchooser", "Any"},
        {"tkCommonDialog", "Any", "tkinter.commondialog", "Any"},
        {"tkFileDialog", "Any", "tkinter.filedialog", "Any"},
        {"tkFont", "Any", "tkinter.font", "Any"},
        {"tkMessageBox", "Any", "tkinter.messagebox", "Any"},
        {"tkSimpleDialog", "Any", "tkinter.simpledialog", "Any"},
        {"ttk", "Any", "tkinter.ttk", "Any"},
        {"urllib2", "Any", "urllib.request", "Any"},
        {"urlparse", "Any", "urllib.parse", "Any"},
        {"whichdb", "Any", "dbm", "Any"},
        {"xmlrpclib", "Any", "xmlrpc.client", "Any"},
    };
    check_rows(ndp_name_modern, rows, NDP_ARRAY_LEN(rows));
}

/* REVERSE_IMPORT_MAPPING as a whole. */
static void modules_are_written_as_python_2_had_them(void **state) {
    static const char *const rows[][4] = {
        {"_bz2", "Any", "bz2", "Any"},
        {"_dbm", "Any", "dbm", "Any"},
        {"_dummy_thread", "Any", "dummy_thread", "Any"},
        {"_functools", "Any", "functools", "Any"},
        {"_gdbm", "Any", "gdbm", "Any"},
        {"_markupbase", "Any", "markupbase", "Any"},
        {"_pickle", "Any", "pickle", "Any"},
        {"_thread", "Any", "thread", "Any"},
        {"builtins", "Any", "__builtin__", "Any"},
        {"collections.abc", "Any", "_abcoll", "Any"},
        {"configparser", "Any", "ConfigParser", "Any"},
        {"copyreg", "Any", "copy_reg", "Any"},
        {"dbm", "Any", "anydbm", "Any"},
        {"dbm.bsd", "Any", "dbhash", "Any"},
        {"dbm.dumb", "Any", "dumbdbm", "Any"},
        {"dbm.gnu", "Any", "gdbm", "Any"},
        {"dbm.ndbm", "Any", "dbm", "Any"},
        {"html.entities", "Any", "htmlentitydefs", "Any"},
        {"html.parser", "Any", "HTMLParser", "Any"},
        {"http.client", "Any", "httplib", "Any"},
        {"http.cookiejar", "Any", "cookielib", "Any"},
        {"http.cookies", "Any", "Cookie", "Any"},
        {"http.server", "Any", "BaseHTTPServer", "Any"},
        {"queue", "Any", "Queue", "Any"},
        {"reprlib", "Any", "repr", "Any"},
        {"socketserver", "Any", "SocketServer", "Any"},
        {"subprocess", "Any", "commands", "Any"},
        {"test.support", "Any", "test.test_support", "Any"},
        {"tkinter", "Any", "Tkinter", "Any"},
        {"tkinter.colorchooser", "Any", "tkColorChooser", "Any"},
        {"tkinter.commondialog", "Any", "tkCommonDialog", "Any"},
        {"tkinter.constants", "Any", "Tkconstants", "Any"},
        {"tkinter.dialog", "Any", "Dialog", "Any"},
        {"tkinter.dnd", "Any", "Tkdnd", "Any"},
        {"tkinter.filedialog", "Any", "tkFileDialog", "Any"},
        {"tkinter.font", "Any", "tkFont", "Any"},
        {"tkinter.messagebox", "Any", "tkMessageBox", "Any"},
        {"tkinter.scrolledtext", "Any", "ScrolledText", "Any"},
        {"tkinter.simpledialog", "Any", "tkSimpleDialog", "Any"},
        {"tkinter.ttk", "Any", "ttk", "Any"},
        {"urllib.parse", "Any", "urlparse", "Any"},
        {"urllib.request", "Any", "urllib2", "Any"},
        {"urllib.robotparser", "Any", "robotparser", "Any"},
        {"winreg", "Any", "_winreg", "Any"},
        {"xmlrpc.client", "Any", "xmlrpclib", "Any"},
        {"xmlrpc.server", "Any", "SimpleXMLRPCServer", "Any"},
    };
    check_rows(ndp_name_old, rows, NDP_ARRAY_LEN(rows));
}

/* NAME_MAPPING but for exceptions. */
static void every_name_is_read(void **state) {
    static const char *const rows[][4] = {
        {"UserDict", "IterableUserDict", "collections", "UserDict"},
        {"UserDict", "UserDict", "collections", "UserDict"},
        {"UserList", "UserList", "collections", "UserList"},
        {"UserString", "UserString", "collections", "UserString"},
        {"__builtin__", "basestring", "builtins", "str"},
        {"__builtin__", "intern", "sys", "intern"},
        {"__builtin__", "long", "builtins", "int"},
        {"__builtin__", "reduce", "functools", "reduce"},
        {"__builtin__", "unichr", "builtins", "chr"},
        {"__builtin__", "unicode", "builtins", "str"},
        {"__builtin__", "xrange", "builtins", "range"},
        {"_multiprocessing", "Connection", "multiprocessing.connection", "Connection"},
        {"_socket", "fromfd", "socket", "fromfd"},
        {"itertools", "ifilter", "builtins", "filter"},
        {"itertools", "ifilterfalse", "itertools", "filterfalse"},
        {"itertools", "imap", "builtins", "map"},
        {"itertools", "izip", "builtins", "zip"},
        {"itertools", "izip_longest", "itertools", "zip_longest"},
        {"multiprocessing", "AuthenticationError", "multiprocessing.context", "AuthenticationError"},
        {"multiprocessing", "BufferTooShort", "multiprocessing.context", "BufferTooShort"},
        {"multiprocessing", "ProcessError", "multiprocessing.context", "ProcessError"},
        {"multiprocessing", "TimeoutError", "multiprocessing.context", "TimeoutError"},
        {"multiprocessing.forking", "Popen", "multiprocessing.popen_fork", "Popen"},
        {"multiprocessing.process", "Process", "multiprocessing.context", "Process"},
        {"socket", "_socketobject", "socket", "SocketType"},
        {"urllib", "ContentTooShortError", "urllib.error", "ContentTooShortError"},
        {"urllib", "getproxies", "urllib.request", "getproxies"},
        {"urllib", "pathname2url", "urllib.request", "pathname2url"},
        {"urllib", "quote", "urllib.parse", "quote"},
        {"urllib", "quote_plus", "urllib.parse", "quote_plus"},
        {"urllib", "unquote", "urllib.parse", "unquote"},
        {"urllib", "unquote_plus", "urllib.parse", "unquote_plus"},
        {"urllib", "url2pathname", "urllib.request", "url2pathname"},
        {"urllib", "urlcleanup", "urllib.request", "urlcleanup"},
        {"urllib", "urlencode", "urllib.parse", "urlencode"},
        {"urllib", "urlopen", "urllib.request", "urlopen"},
        {"urllib", "urlretrieve", "urllib.request", "urlretrieve"},
        {"urllib2", "HTTPError", "urllib.error", "HTTPError"},
        {"urllib2", "URLError", "urllib.error", "URLError"},
        {"whichdb", "whichdb", "dbm", "whichdb"},
    };
    check_rows(ndp_name_modern, rows, NDP_ARRAY_LEN(rows));
}

/* REVERSE_NAME_MAPPING but for exceptions, and for _socket.socket, which CPython writes as what it reads as
 * socket.SocketType. */
static void every_name_is_written(void **state) {
    static const char *const rows[][4] = {
        {"_functools", "reduce", "__builtin__", "reduce"},
        {"builtins", "chr", "__builtin__", "unichr"},
        {"builtins", "filter", "itertools", "ifilter"},
        {"builtins", "int", "__builtin__", "long"},
        {"builtins", "map", "itertools", "imap"},
        {"builtins", "range", "__builtin__", "xrange"},
        {"builtins", "str", "__builtin__", "unicode"},
        {"builtins", "zip", "itertools", "izip"},
        {"collections", "UserDict", "UserDict", "IterableUserDict"},
        {"collections", "UserList", "UserList", "UserList"},
        {"collections", "UserString", "UserString", "UserString"},
        {"dbm", "whichdb", "whichdb", "whichdb"},
        {"functools", "reduce", "__builtin__", "reduce"},
        {"http.server", "CGIHTTPRequestHandler", "CGIHTTPServer", "CGIHTTPRequestHandler"},
        {"http.server", "SimpleHTTPRequestHandler", "SimpleHTTPServer", "SimpleHTTPRequestHandler"},
        {"itertools", "filterfalse", "itertools", "ifilterfalse"},
        {"itertools", "zip_longest", "itertools", "izip_longest"},
        {"multiprocessing.connection", "Connection", "_multiprocessing", "Connection"},
        {"multiprocessing.context", "AuthenticationError", "multiprocessing", "AuthenticationError"},
        {"multiprocessing.context", "BufferTooShort", "multiprocessing", "BufferTooShort"},
        {"multiprocessing.context", "Process", "multiprocessing.process", "Process"},
        {"multiprocessing.context", "ProcessError", "multiprocessing", "ProcessError"},
        {"multiprocessing.context", "TimeoutError", "multiprocessing", "TimeoutError"},
        {"multiprocessing.popen_fork", "Popen", "multiprocessing.forking", "Popen"},
        {"socket", "fromfd", "_socket", "fromfd"},
        {"sys", "intern", "__builtin__", "intern"},
        {"tkinter.filedialog", "FileDialog", "FileDialog", "FileDialog"},
        {"tkinter.filedialog", "LoadFileDialog", "FileDialog", "LoadFileDialog"},
        {"tkinter.filedialog", "SaveFileDialog", "FileDialog", "SaveFileDialog"},
        {"tkinter.simpledialog", "SimpleDialog", "SimpleDialog", "SimpleDialog"},
        {"urllib.error", "ContentTooShortError", "urllib", "ContentTooShortError"},
        {"urllib.error", "HTTPError", "urllib2", "HTTPError"},
        {"urllib.error", "URLError", "urllib2", "URLError"},
        {"urllib.parse", "quote", "urllib", "quote"},
        {"urllib.parse", "quote_plus", "urllib", "quote_plus"},
        {"urllib.parse", "unquote", "urllib", "unquote"},
        {"urllib.parse", "unquote_plus", "urllib", "unquote_plus"},
        {"urllib.parse", "urlencode", "urllib", "urlencode"},
        {"urllib.request", "getproxies", "urllib", "getproxies"},
        {"urllib.request", "pathname2url", "urllib", "pathname2url"},
        {"urllib.request", "url2pathname", "urllib", "url2pathname"},
        {"urllib.request", "urlcleanup", "urllib", "urlcleanup"},
        {"urllib.request", "urlopen", "urllib", "urlopen"},
        {"urllib.request", "urlretrieve", "urllib", "urlretrieve"},
        {"xmlrpc.server", "DocCGIXMLRPCRequestHandler", "DocXMLRPCServer", "DocCGIXMLRPCRequestHandler"},
        {"xmlrpc.server", "DocXMLRPCRequestHandler", "DocXMLRPCServer", "DocXMLRPCRequestHandler"},
        {"xmlrpc.server", "DocXMLRPCServer", "DocXMLRPCServer", "DocXMLRPCServer"},
        {"xmlrpc.server", "ServerHTMLDoc", "DocXMLRPCServer", "ServerHTMLDoc"},
        {"xmlrpc.server", "XMLRPCDocGenerator", "DocXMLRPCServer", "XMLRPCDocGenerator"},
    };
    check_rows(ndp_name_old, rows, NDP_ARRAY_LEN(rows));
}

NDP_SUITE(pickle_names_test, cmocka_unit_test(names_are_read_as_python_3_has_them),
          cmocka_unit_test(names_are_written_as_python_2_had_them),
          cmocka_unit_test(modules_are_read_as_python_3_has_them),
          cmocka_unit_test(modules_are_written_as_python_2_had_them), cmocka_unit_test(every_name_is_read),
          cmocka_unit_test(every_name_is_written));
