"""The standard library's textual interface for an `Int` of 32 bits.

The toolchain of Linux has the interface of a 64-bit platform. The edits below change the declarations
of `Int` and `UInt`, the conversions from and to them, and nothing else: an edit that finds nothing is
an error, as an interface of another release may differ.
"""

import re


class Unknown(Exception):
    """A part of the interface that is not as expected."""


_INTEGERS = re.compile(r"(?ms)^@frozen public struct U?Int : .*?^\}$")
# Concrete operations on vectors of Int; the generic ones remain.
_VECTOR_OPERATIONS = re.compile(
    r"(?ms)^extension Swift\.SIMD(?:\d+|Mask) where (?:Scalar|Storage) == "
    r"Swift\.(?:SIMD\d+<Swift\.Int>|U?Int) \{$.*?^\}\n")
_VECTORS = re.compile(r"(?ms)^extension Swift\.U?Int : Swift\.SIMDScalar \{$.*?^\}$")
_ADDED = """
extension Swift.{name} {{
  @_transparent public init(_ bits: Builtin.Int64) {{
    self.init(Builtin.truncOrBitCast_Int64_Int32(bits))
  }}
}}
"""
# What compiles and then traps, or shifts bits out. A constant that does not fit is an error, and each
# conversion that may trap is a warning.
_DIAGNOSED_SHIFT = """
extension Swift.{name} {{
  @_transparent public static func << (value: Swift.{name}, bits: Swift.Int) -> Swift.{name} {{
    value * Swift.{name}(Builtin.shl_Int32(Swift.{name}(1)._value, bits._value))
  }}
}}
"""
_DIAGNOSED_CONVERSION = """
extension Swift.{name} {{
  @available(*, deprecated, message: "{message}")
  @_alwaysEmitIntoClient public init(_ value: Swift.{source}) {{ self.init(truncatingIfNeeded: value) }}
}}
"""
MAY_TRAP = "may trap"
MESSAGE = f"{{source}} to {{name}} {MAY_TRAP}"
_SOURCES = {"Int": ["Int64", "UInt64", "UInt32"], "UInt": ["Int64", "UInt64"]}


def with_32_bits(interface):
    """The text of Swift.swiftinterface, whose `Int` and `UInt` are then as wide as `Int32`."""
    edits = [
        (_INTEGERS, lambda match: _integer(match[0])),
        (_VECTOR_OPERATIONS, ""),
        (_VECTORS, lambda match: re.sub(r"(Vec\d+x)Int64(_)Int64_", r"\1Int32\2Int32_", match[0])
         .replace("xInt64", "xInt32")),
        # Conversions of other types.
        (r"(init\(_ v: Swift\.U?Int\) \{\n\s*_value = Builtin\.[su]itofp_)Int64", r"\1Int32"),
        (r"(let extended = U?Int\(truncatingIfNeeded: value\)\n\s*_value = Builtin\.[su]itofp_)Int64",
         r"\1Int32"),
        (r"truncOrBitCast_Int64_(Int8|Int16|Int32)\(bits\._value\)",
         r"truncOrBitCast_Int32_\1(bits._value)"),
        (r"truncOrBitCast_Int64_Int64\(bits\._value\)", "zextOrBitCast_Int32_Int64(bits._value)"),
        (r"_hash\(seed: seed, UInt64\(_value\)\)",
         "_hash(seed: seed, UInt64(truncatingIfNeeded: self))"),
        (r"(return Int\(Builtin\.assumeNonNegative_)Int64", r"\1Int32"),
        # The bits of a pointer that say it is an object of Objective-C.
        (r"(_objectPointerIsObjCBit: Swift\.UInt \{\n.*\n\s*return )0x4000_0000_0000_0000", r"\g<1>2"),
        # Float80, which has no functions of C on this platform.
        (r"_stdlib_remainderl\(self, other\)", "other"),
        (r"_stdlib_squareRootl\(self\)", "-self"),
    ]
    for pattern, replacement in edits:
        interface, count = re.subn(pattern, replacement, interface)
        if count == 0:
            raise Unknown(f"nothing matches {getattr(pattern, 'pattern', pattern)}")
    for name, sources in _SOURCES.items():
        interface += _ADDED.format(name=name) + _DIAGNOSED_SHIFT.format(name=name)
        for source in sources:
            message = MESSAGE.format(source=source, name=name)
            interface += _DIAGNOSED_CONVERSION.format(name=name, source=source, message=message)
    return interface


def _integer(declaration):
    """The declaration of `Int` or `UInt` with half the bits."""
    name = declaration.split(maxsplit=4)[3]
    for pattern, replacement in [
        (r"(?<![A-Za-z0-9])Int64\b|(?<=[a-z]_)Int64(?![0-9])|(?<=Int64_)Int64\b|(?<=_)Int64\b", "Int32"),
        (r"(?<=_)Int128(?![0-9])", "Int64"),
        (r"\b64\b", "32"),
        (r"\b63\b", "31"),
        (r"9223373136366403584\.0", "2147483904.0"),
        (r"9223372036854775808\.0", "2147483648.0"),
        (r"[sz]extOrBitCast_Word_Int32", "truncOrBitCast_Word_Int32"),
        (r"truncOrBitCast_Int32_Word", "zextOrBitCast_Int32_Word"),
    ]:
        declaration = re.sub(pattern, replacement, declaration)
    for source in ["Double", "Float"]:
        message = MESSAGE.format(source=source, name=name)
        declaration = re.sub(
            rf"(?m)^( *)(?=.*public init\(_ source: Swift\.{source}\))",
            rf'\1@available(*, deprecated, message: "{message}")\n\1', declaration)
    return declaration
