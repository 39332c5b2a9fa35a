/* instance_recipes.h: the classes whose instances ordinary sweeps build. Private to generate/.
 *
 * A row is the import path, the library that both ends of a route must claim ("python": CPython's own; "": any target
 * that takes instances), the arguments, and what must survive. Numba compiles code for each type of items, which takes
 * as long as hundreds of cases, so its rows come up rarely. Arguments are words; one with a name and "=" is a
 * keyword. Words (generate_instance.c draws them):
 *   vector matrix cube     an array of 1, 2 or 3 axes of numbers
 *   floats                 an array of floats, of 1 or 2 axes
 *   mask                   truth values in the shape of the array before
 *   unit                   the text of a unit of astropy
 *   ints reals words       a list of numbers of one type, or of texts
 *   arrays                 a list of arrays of one dtype and one memory order in different shapes
 *   matrices               a list of float64 matrices of one memory order in different shapes
 *   several                a tuple of arrays
 *   pairs                  a list of pairs of a text and a number
 *   objects                an array of lists of one array
 *   number text            one int; one text
 *   decimal fraction uuid date time    texts that these classes read
 *   none                   None
 *   quantity               an instance of astropy.units.Quantity
 */
#ifndef NDP_INSTANCE_RECIPES_H
#define NDP_INSTANCE_RECIPES_H

#define NDP_SPARSE_KEEP "shape dtype.str toarray() nnz"
/* import path, library, arguments, what must survive */
#define NDP_INSTANCE_LIST(X)                                                                                           \
    X("numpy_testee.graph_classes:holder", "", "array=vector note=text", "array note")                                 \
    X("numpy_testee.graph_classes:holder", "", "array=matrix other=arrays", "array other")                             \
    X("numpy_testee.graph_classes:tagged", "numpy", "floats tag=text", "tag __array__")                                \
    X("numpy_testee.graph_classes:tagged", "numpy", "cube tag=pairs", "tag __array__")                                 \
    X("collections:OrderedDict", "python", "pairs", "__iter__ __len__ __repr__")                                       \
    X("collections:deque", "python", "arrays maxlen=number", "__iter__ __len__ maxlen")                                \
    X("collections:defaultdict", "python", "none pairs", "__iter__ default_factory __repr__")                          \
    X("decimal:Decimal", "python", "decimal", "__str__ as_tuple()")                                                    \
    X("fractions:Fraction", "python", "fraction", "numerator denominator")                                             \
    X("uuid:UUID", "python", "uuid", "int __str__")                                                                    \
    X("datetime:datetime.fromisoformat", "python", "time", "isoformat() fold utcoffset()")                             \
    X("datetime:date.fromisoformat", "python", "date", "isoformat()")                                                  \
    X("numpy.polynomial:Polynomial", "numpy", "vector", "coef domain window")                                          \
    X("numpy.polynomial:Hermite", "numpy", "vector", "coef domain window")                                             \
    X("numpy.polynomial:HermiteE", "numpy", "vector", "coef domain window")                                            \
    X("numpy.polynomial:Laguerre", "numpy", "vector", "coef domain window")                                            \
    X("numpy.polynomial:Legendre", "numpy", "vector", "coef domain window")                                            \
    X("numpy.polynomial:Chebyshev", "numpy", "vector", "coef domain window")                                           \
    X("numpy:poly1d", "numpy", "vector", "coeffs order variable")                                                      \
    X("numpy.ma:MaskedArray", "numpy", "objects mask=mask", "data mask")                                               \
    X("numpy.random:PCG64", "numpy", "number", "state seed_seq.entropy seed_seq.spawn_key")                            \
    X("numpy.random:MT19937", "numpy", "number", "state seed_seq.entropy seed_seq.spawn_key")                          \
    X("numpy.random:PCG64DXSM", "numpy", "number", "state seed_seq.entropy seed_seq.spawn_key")                        \
    X("numpy.random:Philox", "numpy", "number", "state seed_seq.entropy seed_seq.spawn_key")                           \
    X("numpy.random:SFC64", "numpy", "number", "state seed_seq.entropy seed_seq.spawn_key")                            \
    X("numpy.random:default_rng", "numpy", "number", "bit_generator.state bit_generator.seed_seq.entropy")             \
    X("numpy.random:RandomState", "numpy", "number", "get_state()")                                                    \
    X("numpy.random:SeedSequence", "numpy", "number", "entropy spawn_key pool_size n_children_spawned")                \
    X("astropy.utils.masked:Masked", "astropy", "floats mask=mask", "unmasked mask shape")                             \
    X("astropy.utils.masked:Masked", "astropy", "quantity mask=mask", "unmasked mask unit.to_string()")                \
    X("astropy.units:Quantity", "astropy", "floats unit=unit", "value unit.to_string()")                               \
    X("astropy.table:Column", "astropy", "floats name=text", "name __array__ __str__")                                 \
    X("astropy.table:Column", "astropy", "objects name=text", "name __iter__")                                         \
    X("astropy.table:MaskedColumn", "astropy", "floats name=text mask=mask", "name mask __str__")                      \
    X("astropy.time:Time", "astropy", "date", "isot scale format jd1 jd2")                                             \
    X("scipy.sparse:csr_array", "scipy", "matrix", NDP_SPARSE_KEEP " data indices indptr has_sorted_indices")          \
    X("scipy.sparse:csc_array", "scipy", "matrix", NDP_SPARSE_KEEP " data indices indptr has_sorted_indices")          \
    X("scipy.sparse:bsr_array", "scipy", "matrix", "shape dtype.str toarray() data indices indptr blocksize")          \
    X("scipy.sparse:coo_array", "scipy", "matrix", NDP_SPARSE_KEEP " data row col")                                    \
    X("scipy.sparse:coo_array", "scipy", "vector", NDP_SPARSE_KEEP " data coords")                                     \
    X("scipy.sparse:coo_array", "scipy", "cube", NDP_SPARSE_KEEP " data coords")                                       \
    X("scipy.sparse:dia_array", "scipy", "matrix", "shape dtype.str toarray() data offsets")                           \
    X("scipy.sparse:dok_array", "scipy", "matrix", "shape dtype.str toarray() nnz")                                    \
    X("scipy.sparse:lil_array", "scipy", "matrix", "shape dtype.str toarray() rows data")                              \
    X("scipy.sparse:csr_matrix", "scipy", "matrix", NDP_SPARSE_KEEP " data indices indptr has_sorted_indices")         \
    X("scipy.sparse:csc_matrix", "scipy", "matrix", NDP_SPARSE_KEEP " data indices indptr has_sorted_indices")         \
    X("scipy.sparse:bsr_matrix", "scipy", "matrix", "shape dtype.str toarray() data indices indptr blocksize")         \
    X("scipy.sparse:coo_matrix", "scipy", "matrix", NDP_SPARSE_KEEP " data row col")                                   \
    X("scipy.sparse:dia_matrix", "scipy", "matrix", "shape dtype.str toarray() data offsets")                          \
    X("scipy.sparse:dok_matrix", "scipy", "matrix", "shape dtype.str toarray() nnz")                                   \
    X("scipy.sparse:lil_matrix", "scipy", "matrix", "shape dtype.str toarray() rows data")                             \
    X("numba.typed:List", "numba", "matrices", "__len__ __iter__")                                                     \
    X("numba.typed:List", "numba", "ints", "__len__ __iter__")                                                         \
    X("numba.typed:List", "numba", "words", "__len__ __iter__")                                                        \
    X("numba.typed:Dict", "numba", "pairs", "__len__ __iter__ __str__")

#endif
