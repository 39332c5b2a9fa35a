/* pickle_names_test.c: names of Python 2 and 3. Expected: Lib/_compat_pickle.py of CPython 3.13 (3.8 agrees):
 * NAME_MAPPING, then IMPORT_MAPPING, and their REVERSE_ counterparts, in the order of Lib/pickle.py. */
#include "base/suite.h"
#include "codec/pickle/pickle_names.h"

typedef void name_mapping(struct ndp_bytes module, struct ndp_bytes name, const char **to_module, const char **to_name);

enum { WORD_BYTES = 64 };

/* Rows, separated by commas: module and name, then the expected module and name; or two modules, for any name. */
static void check_rows(name_mapping *map, const char *rows) {
    for (const char *row = rows; row != NULL; row = strchr(row, ',') == NULL ? NULL : strchr(row, ',') + 1) {
        char words[4][WORD_BYTES];
        const int found = sscanf(row, " %63[^ ,] %63[^ ,] %63[^ ,] %63[^ ,]", words[0], words[1], words[2], words[3]);
        assert_true(found == 2 || found == 4);
        const char *from = found == 4 ? words[1] : "Any", *expected = found == 4 ? words[3] : "Any";
        const char *module = "unset", *name = "unset";
        map(ndp_bytes_view(words[0]), ndp_bytes_view(from), &module, &name);
        if (module == NULL) module = words[0];
        if (name == NULL) name = from;
        if (strcmp(module, words[found / 2]) != 0 || strcmp(name, expected) != 0)
            fail_msg("%s %s becomes %s %s", words[0], from, module, name);
    }
}

static void empty_names_are_unchanged(void **state) {
    name_mapping *const maps[] = {ndp_pickle_names_to_python_3, ndp_pickle_names_to_python_2};
    for (size_t i = 0; i < NDP_ARRAY_LEN(maps); i++) {
        const char *module = "unset", *name = "unset";
        maps[i](ndp_bytes_view(""), ndp_bytes_view(""), &module, &name);
        assert_null(module);
        assert_null(name);
    }
}

static void names_are_mapped_to_python_3(void **state) {
    check_rows(ndp_pickle_names_to_python_3,
               "__builtin__ set builtins set, builtins xrange builtins xrange, "
               "copy_reg _reconstructor copyreg _reconstructor, itertools chain itertools chain, "
               "exceptions ValueError builtins ValueError, exceptions StandardError builtins Exception, "
               "exceptions WindowsError exceptions WindowsError, _multiprocessing SemLock _multiprocessing SemLock, "
               "cPickle loads pickle loads, repr Repr reprlib Repr, cStringIO StringIO io StringIO, "
               "UserDict DictMixin collections DictMixin, urllib URLopener urllib URLopener, "
               "thread allocate_lock _thread allocate_lock, numpy dtype numpy dtype, __builtin long __builtin long");
}

static void names_are_mapped_to_python_2(void **state) {
    check_rows(
        ndp_pickle_names_to_python_2,
        "builtins set __builtin__ set, functools partial functools partial, itertools chain itertools chain, "
        "collections OrderedDict collections OrderedDict, copyreg _reconstructor copy_reg _reconstructor, "
        "builtins ValueError exceptions ValueError, builtins Exception exceptions Exception, "
        "builtins OSError exceptions OSError, builtins FileNotFoundError exceptions OSError, "
        "builtins BlockingIOError __builtin__ BlockingIOError, builtins ModuleNotFoundError exceptions ImportError, "
        "builtins RecursionError __builtin__ RecursionError, pickle loads pickle loads, reprlib Repr repr Repr, "
        "io StringIO io StringIO, urllib.parse urlsplit urlparse urlsplit, _functools partial functools partial, "
        "_socket socket _socket socket, numpy dtype numpy dtype, __builtin__ int __builtin__ int");
}

/* IMPORT_MAPPING, complete; 3.13 removed Tix. */
static void modules_are_mapped_to_python_3(void **state) {
    check_rows(
        ndp_pickle_names_to_python_3,
        "BaseHTTPServer http.server, CGIHTTPServer http.server, ConfigParser configparser, Cookie http.cookies, "
        "Dialog tkinter.dialog, DocXMLRPCServer xmlrpc.server, FileDialog tkinter.filedialog, "
        "HTMLParser html.parser, Queue queue, ScrolledText tkinter.scrolledtext, SimpleDialog tkinter.simpledialog, "
        "SimpleHTTPServer http.server, SimpleXMLRPCServer xmlrpc.server, SocketServer socketserver, StringIO io, "
        "Tkconstants tkinter.constants, Tkdnd tkinter.dnd, Tkinter tkinter, UserDict collections, "
        "UserList collections, UserString collections, __builtin__ builtins, _abcoll collections.abc, "
        "_elementtree xml.etree.ElementTree, _winreg winreg, anydbm dbm, cPickle pickle, cStringIO io, "
        "commands subprocess, cookielib http.cookiejar, copy_reg copyreg, dbhash dbm.bsd, dbm dbm.ndbm, "
        "dumbdbm dbm.dumb, dummy_thread _dummy_thread, gdbm dbm.gnu, htmlentitydefs html.entities, "
        "httplib http.client, markupbase _markupbase, repr reprlib, robotparser urllib.robotparser, "
        "test.test_support test.support, thread _thread, tkColorChooser tkinter.colorchooser, "
        "tkCommonDialog tkinter.commondialog, tkFileDialog tkinter.filedialog, tkFont tkinter.font, "
        "tkMessageBox tkinter.messagebox, tkSimpleDialog tkinter.simpledialog, ttk tkinter.ttk, "
        "urllib2 urllib.request, urlparse urllib.parse, whichdb dbm, xmlrpclib xmlrpc.client");
}

/* REVERSE_IMPORT_MAPPING, complete. */
static void modules_are_mapped_to_python_2(void **state) {
    check_rows(
        ndp_pickle_names_to_python_2,
        "_bz2 bz2, _dbm dbm, _dummy_thread dummy_thread, _functools functools, _gdbm gdbm, _markupbase markupbase, "
        "_pickle pickle, _thread thread, builtins __builtin__, collections.abc _abcoll, configparser ConfigParser, "
        "copyreg copy_reg, dbm anydbm, dbm.bsd dbhash, dbm.dumb dumbdbm, dbm.gnu gdbm, dbm.ndbm dbm, "
        "html.entities htmlentitydefs, html.parser HTMLParser, http.client httplib, http.cookiejar cookielib, "
        "http.cookies Cookie, http.server BaseHTTPServer, queue Queue, reprlib repr, socketserver SocketServer, "
        "subprocess commands, test.support test.test_support, tkinter Tkinter, tkinter.colorchooser tkColorChooser, "
        "tkinter.commondialog tkCommonDialog, tkinter.constants Tkconstants, tkinter.dialog Dialog, "
        "tkinter.dnd Tkdnd, tkinter.filedialog tkFileDialog, tkinter.font tkFont, tkinter.messagebox tkMessageBox, "
        "tkinter.scrolledtext ScrolledText, tkinter.simpledialog tkSimpleDialog, tkinter.ttk ttk, "
        "urllib.parse urlparse, urllib.request urllib2, urllib.robotparser robotparser, winreg _winreg, "
        "xmlrpc.client xmlrpclib, xmlrpc.server SimpleXMLRPCServer");
}

/* NAME_MAPPING without exceptions. */
static void name_mapping_is_complete(void **state) {
    check_rows(
        ndp_pickle_names_to_python_3,
        "UserDict IterableUserDict collections UserDict, UserDict UserDict collections UserDict, "
        "UserList UserList collections UserList, UserString UserString collections UserString, "
        "__builtin__ basestring builtins str, __builtin__ intern sys intern, __builtin__ long builtins int, "
        "__builtin__ reduce functools reduce, __builtin__ unichr builtins chr, __builtin__ unicode builtins str, "
        "__builtin__ xrange builtins range, _multiprocessing Connection multiprocessing.connection Connection, "
        "_socket fromfd socket fromfd, itertools ifilter builtins filter, "
        "itertools ifilterfalse itertools filterfalse, itertools imap builtins map, itertools izip builtins zip, "
        "itertools izip_longest itertools zip_longest, "
        "multiprocessing AuthenticationError multiprocessing.context AuthenticationError, "
        "multiprocessing BufferTooShort multiprocessing.context BufferTooShort, "
        "multiprocessing ProcessError multiprocessing.context ProcessError, "
        "multiprocessing TimeoutError multiprocessing.context TimeoutError, "
        "multiprocessing.forking Popen multiprocessing.popen_fork Popen, "
        "multiprocessing.process Process multiprocessing.context Process, socket _socketobject socket SocketType, "
        "urllib ContentTooShortError urllib.error ContentTooShortError, urllib getproxies urllib.request getproxies, "
        "urllib pathname2url urllib.request pathname2url, urllib quote urllib.parse quote, "
        "urllib quote_plus urllib.parse quote_plus, urllib unquote urllib.parse unquote, "
        "urllib unquote_plus urllib.parse unquote_plus, urllib url2pathname urllib.request url2pathname, "
        "urllib urlcleanup urllib.request urlcleanup, urllib urlencode urllib.parse urlencode, "
        "urllib urlopen urllib.request urlopen, urllib urlretrieve urllib.request urlretrieve, "
        "urllib2 HTTPError urllib.error HTTPError, urllib2 URLError urllib.error URLError, "
        "whichdb whichdb dbm whichdb");
}

/* REVERSE_NAME_MAPPING without exceptions and without _socket.socket, whose written form reads back as
 * socket.SocketType. */
static void reverse_name_mapping_is_complete(void **state) {
    check_rows(
        ndp_pickle_names_to_python_2,
        "_functools reduce __builtin__ reduce, builtins chr __builtin__ unichr, builtins filter itertools ifilter, "
        "builtins int __builtin__ long, builtins map itertools imap, builtins range __builtin__ xrange, "
        "builtins str __builtin__ unicode, builtins zip itertools izip, "
        "collections UserDict UserDict IterableUserDict, collections UserList UserList UserList, "
        "collections UserString UserString UserString, dbm whichdb whichdb whichdb, "
        "functools reduce __builtin__ reduce, http.server CGIHTTPRequestHandler CGIHTTPServer CGIHTTPRequestHandler, "
        "http.server SimpleHTTPRequestHandler SimpleHTTPServer SimpleHTTPRequestHandler, "
        "itertools filterfalse itertools ifilterfalse, itertools zip_longest itertools izip_longest, "
        "multiprocessing.connection Connection _multiprocessing Connection, "
        "multiprocessing.context AuthenticationError multiprocessing AuthenticationError, "
        "multiprocessing.context BufferTooShort multiprocessing BufferTooShort, "
        "multiprocessing.context Process multiprocessing.process Process, "
        "multiprocessing.context ProcessError multiprocessing ProcessError, "
        "multiprocessing.context TimeoutError multiprocessing TimeoutError, "
        "multiprocessing.popen_fork Popen multiprocessing.forking Popen, socket fromfd _socket fromfd, "
        "sys intern __builtin__ intern, tkinter.filedialog FileDialog FileDialog FileDialog, "
        "tkinter.filedialog LoadFileDialog FileDialog LoadFileDialog, "
        "tkinter.filedialog SaveFileDialog FileDialog SaveFileDialog, "
        "tkinter.simpledialog SimpleDialog SimpleDialog SimpleDialog, "
        "urllib.error ContentTooShortError urllib ContentTooShortError, urllib.error HTTPError urllib2 HTTPError, "
        "urllib.error URLError urllib2 URLError, urllib.parse quote urllib quote, "
        "urllib.parse quote_plus urllib quote_plus, urllib.parse unquote urllib unquote, "
        "urllib.parse unquote_plus urllib unquote_plus, urllib.parse urlencode urllib urlencode, "
        "urllib.request getproxies urllib getproxies, urllib.request pathname2url urllib pathname2url, "
        "urllib.request url2pathname urllib url2pathname, urllib.request urlcleanup urllib urlcleanup, "
        "urllib.request urlopen urllib urlopen, urllib.request urlretrieve urllib urlretrieve, "
        "xmlrpc.server DocCGIXMLRPCRequestHandler DocXMLRPCServer DocCGIXMLRPCRequestHandler, "
        "xmlrpc.server DocXMLRPCRequestHandler DocXMLRPCServer DocXMLRPCRequestHandler, "
        "xmlrpc.server DocXMLRPCServer DocXMLRPCServer DocXMLRPCServer, "
        "xmlrpc.server ServerHTMLDoc DocXMLRPCServer ServerHTMLDoc, "
        "xmlrpc.server XMLRPCDocGenerator DocXMLRPCServer XMLRPCDocGenerator");
}

NDP_SUITE(pickle_names_test, NDP_TEST(empty_names_are_unchanged), NDP_TEST(names_are_mapped_to_python_3),
          NDP_TEST(names_are_mapped_to_python_2), NDP_TEST(modules_are_mapped_to_python_3),
          NDP_TEST(modules_are_mapped_to_python_2), NDP_TEST(name_mapping_is_complete),
          NDP_TEST(reverse_name_mapping_is_complete));
