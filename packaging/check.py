# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""check.py WHAT PREFIX: looks at a package of this folder; scripts/packages.sh runs it.

PREFIX is an installed libgsvd, CMakeCache.txt of its build in the environment variable CACHE.
"""

import json
import os
import re
import subprocess
import sys
import types
from pathlib import Path

here = Path(__file__).parent
prefix = Path(sys.argv[2])
version = re.search(r"project\(gsvd VERSION ([0-9.]+)", (here / "../CMakeLists.txt").read_text())[1]
cache = Path(os.environ["CACHE"]).read_text()


def options(names):
    """These are options of the library's build."""
    names = set(names)
    assert names
    unknown = [x for x in names if not re.search(rf"^{x}:", cache, re.M)]
    assert not unknown, f"no options: {unknown}"


def named(file):
    return re.findall(r"-D((?:GSVD|BUILD)_\w+)", (here / file).read_text())


def header():
    """gsvd.h as cffi reads it: what the preprocessor leaves of our headers, without attributes"""
    text = subprocess.run(
        ["cc", "-E", "-U__GNUC__", prefix / "include/gsvd.h"], check=True, capture_output=True, text=True
    ).stdout
    lines, ours = [], False
    for line in text.splitlines():
        if line.startswith("# "):
            ours = bool(re.match(r'# \d+ ".*/gsvd\w*\.h"', line))
        elif ours:
            lines.append(line)
    import cffi

    ffi = cffi.FFI()
    ffi.cdef("\n".join(lines))
    return ffi


def check_cffi():
    """A GSVD through cffi alone: the pair of examples/host.c"""
    ffi = header()
    lib = ffi.dlopen(str(prefix / f"lib/libgsvd.so.{version.split('.')[0]}"))
    handle = ffi.new("gsvd_handle_t *")
    assert lib.gsvd_create(handle, -1) == lib.GSVD_SUCCESS
    values = [ffi.new("double[3]") for _ in range(2)]
    k, l, none = ffi.new("int64_t *"), ffi.new("int64_t *"), ffi.NULL
    A, B = ffi.new("double[]", [1, 4, 7, 2, 5, 8, 3, 6, 10]), ffi.new("double[]", [1, 0, 2, 1, 1, 2])
    status = lib.dgsvd(
        handle[0], b"N", b"N", b"N", 3, 3, 2, k, l, A, 3, B, 2, *values, none, 1, none, 1, none, 1, none
    )
    assert status == lib.GSVD_SUCCESS and (k[0], l[0]) == (1, 2)
    assert abs(values[0][1] - 0.6294699325219671) < 1e-14
    lib.gsvd_destroy(handle[0])


def check_conda():
    import rattler_build

    recipe = rattler_build.Stage0Recipe.from_file(str(here / "conda/recipe.yaml"))
    variants = rattler_build.VariantConfig.from_yaml("c_compiler: [gcc]\nc_stdlib: [sysroot]\n")
    (built,) = recipe.render(variants)
    text = json.dumps(built.recipe.to_dict())
    assert built.recipe.package.version == version
    assert "{{" not in text
    options(re.findall(r"-D(GSVD_\w+)", text))


def check_spack():
    """The package's class over stand-ins for Spack's: every variant that it asks is declared,
    and each set of variants gives options of the library's build."""
    declared = {"cuda": False, "cuda_arch": None}
    versions, names = [], []

    class Package:
        def define(self, name, value):
            names.append(name)
            return f"-D{name}={value}"

        def define_from_variant(self, name, variant):
            assert variant in declared, variant
            return self.define(name, self.spec.on[variant])

    class Spec:
        libs = type("libs", (list,), {"joined": lambda self, by: by.join(self)})(["libx.so"])
        variants = {"cuda_arch": types.SimpleNamespace(value=["90"])}

        def __init__(self, on):
            self.on = on

        def __getitem__(self, name):
            assert name in dependencies, name
            return self

        def satisfies(self, what):
            assert what[1:] in declared
            return self.on[what[1:]]

    dependencies = set()

    def condition(when=None, **_):
        assert when is None or when[1:] in declared, when

    def depends_on(what, when=None, **_):
        condition(when)
        dependencies.add(re.split("[@+]", what)[0])

    package = types.ModuleType("spack.package")
    package.CMakePackage, package.CudaPackage = type("CMakePackage", (Package,), {}), type("CudaPackage", (), {})
    package.version = lambda text, **_: versions.append(text)
    package.variant = lambda name, default, description: declared.update({name: default})
    package.depends_on = depends_on
    package.conflicts = lambda what, when=None, msg=None: condition(when)
    package.license = package.generator = package.requires = lambda *_: None
    sys.modules |= {"spack": types.ModuleType("spack"), "spack.package": package}
    scope = {}
    exec((here / "spack/packages/libgsvd/package.py").read_text(), scope)
    assert versions == [version]
    libgsvd = scope["Libgsvd"]()
    for cuda in (False, True):
        for mpi in (False, True):
            libgsvd.spec = Spec(declared | {"cuda": cuda, "mpi": mpi})
            assert all(x.startswith("-D") for x in libgsvd.cmake_args())
    options(x for x in names if x.startswith(("GSVD_", "BUILD_")))


def check_vcpkg():
    import jsonschema

    name = {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}
    dependency = {
        "anyOf": [
            name,
            {
                "type": "object",
                "properties": {"name": name, "host": {"type": "boolean"}, "platform": {"type": "string"}},
                "required": ["name"],
                "additionalProperties": False,
            },
        ]
    }
    dependencies = {"type": "array", "items": dependency}
    feature = {
        "type": "object",
        "properties": {"description": {"type": "string"}, "dependencies": dependencies},
        "required": ["description"],
        "additionalProperties": False,
    }
    schema = {
        "type": "object",
        "properties": {
            "name": name,
            "version-semver": {"const": version},
            "description": {"type": "string"},
            "license": {"const": "BSD-3-Clause"},
            "supports": {"type": "string"},
            "dependencies": dependencies,
            "features": {"type": "object", "propertyNames": name, "additionalProperties": feature},
        },
        "required": ["name", "version-semver", "dependencies"],
        "additionalProperties": False,
    }
    port = here / "vcpkg/ports/libgsvd"
    jsonschema.validate(json.loads((port / "vcpkg.json").read_text()), schema)
    assert json.loads((port / "vcpkg.json").read_text())["name"] == port.name
    options(named(port / "portfile.cmake"))
    options(re.findall(r"^ +[a-z]+ (GSVD_\w+)$", (port / "portfile.cmake").read_text(), re.M))


def check_container():
    options(named("Containerfile"))


def check_debian():
    options(named("debian/rules"))


def check_julia():
    """Syntax; the constants and the ccalls against gsvd.h"""
    import tree_sitter
    import tree_sitter_julia

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_julia.language()))
    for file in here.glob("julia/*/*.jl"):
        assert not parser.parse(file.read_bytes()).root_node.has_error, file
    text = (here / "julia/src/LibGSVD.jl").read_text()
    ffi = header()
    macros = dict(re.findall(r"#define (GSVD_\w+) \(?(-?\d+)\)?", (prefix / "include/gsvd.h").read_text()))
    enums = {}
    for name in ffi.list_types()[0]:
        kind = ffi.typeof(name)
        if kind.kind == "enum":
            enums |= kind.relements
    for name, number in re.findall(r"^const (GSVD_\w+) = (-?\d+)$", text, re.M):
        assert int(number) == int(macros.get(name, enums.get(name, 99))), name

    real = {"s": "float", "d": "double", "c": "float", "z": "double"}
    scalar = real | {"c": "float _Complex", "z": "double _Complex"}
    lib = ffi.dlopen(str(prefix / f"lib/libgsvd.so.{version.split('.')[0]}"))
    calls = re.findall(r"ccall\(\((\S+), libgsvd\), (\w+),\s*\(([^()]*)\)", text)
    assert len(calls) == text.count("ccall(") > 4
    for name, result, arguments in calls:
        for letter in "sdcz" if name.startswith("$") or "QuoteNode" in name else "-":
            function = name.lstrip(":") if letter == "-" else letter + "gsvd"
            kind = ffi.typeof(getattr(lib, function))
            names = {
                "$T": scalar.get(letter), "$R": real.get(letter),
                "Int64": "int64_t", "Cint": "int", "Cchar": "char", "Cdouble": "double", "Cvoid": "void",
            }  # fmt: skip
            given = [x.strip() for x in arguments.split(",") if x.strip()]
            assert len(given) == len(kind.args), function
            for julia, c in [*zip(given, kind.args), (result, kind.result)]:
                if c.kind == "enum":
                    assert julia == "Cint", (function, julia, c)
                elif julia == "Cstring":
                    assert c == ffi.typeof("char *"), (function, c)
                elif julia == "Ptr{Ptr{Cvoid}}":
                    assert c.kind == "pointer" and c.item.kind == "pointer", (function, c)
                elif julia == "Ptr{Cvoid}":
                    assert c.kind == "pointer", (function, c)
                else:
                    base = names[re.sub(r"Ptr\{(.*)\}", r"\1", julia)]
                    assert c == ffi.typeof(base + " *" * julia.startswith("Ptr")), (function, julia, c)


globals()[f"check_{sys.argv[1]}"]()
