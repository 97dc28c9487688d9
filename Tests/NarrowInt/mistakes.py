"""Code that is right for an `Int` of 64 bits and wrong for one of 32: the check must find each."""

# A source, and a part of the compiler's message; without one the source has no mistake.
MISTAKES = [
    ("func limit() -> Int { 3_000_000_000 }", "integer literal '3000000000' overflows"),
    ("func mask() -> UInt { 0x1_0000_0000 }", "overflows when stored into 'UInt'"),
    ("func limit() -> Int { 4 * 1024 * 1024 * 1024 }", "results in an overflow"),
    ("func limit() -> Int { 4 << 30 }", "results in an overflow"),
    ("func isSmall(_ size: Int) -> Bool { size < 1 << 32 }", "shift amount is greater"),
    ("func bytes(_ count: Int64) -> Int { Int(count) }", "Int64 to Int may trap"),
    ("func home(_ hash: UInt64) -> Int { Int(hash >> 32) }", "UInt64 to Int may trap"),
    ("func home(_ hash: UInt32, _ mask: Int) -> Int { Int(hash) & mask }", "UInt32 to Int may trap"),
    ("func limit() -> Int { Int(UInt32.max) }", "UInt32 to Int may trap"),
    ("func sizes(_ sizes: [Int64]) -> [Int] { sizes.map(Int.init) }", "Int64 to Int may trap"),
    ("func milliseconds(_ seconds: Double) -> Int { Int(seconds * 1_000) }", "Double to Int may trap"),
    ("func milliseconds(_ time: Duration) -> Int { Int(time.components.seconds) }", "Int64 to Int may trap"),
    ("import Darwin\nfunc size(_ file: stat) -> Int { Int(file.st_size) }", "Int64 to Int may trap"),
    ("import Darwin\nfunc seconds() -> Int64 { time(nil) }", "cannot convert return expression of type"),
    ("func limit() -> Int64 { 4 << 30 }", None),
    ("func limit(_ size: Int) -> Int { size << 20 | 256 << 20 }", None),
    ("func bytes(_ count: Int64) -> Int { Int(clamping: count) + (Int(exactly: count) ?? 0) }", None),
    ("func width(_ count: Int) -> UInt64 { UInt64(truncatingIfNeeded: count) << 40 }", None),
]
