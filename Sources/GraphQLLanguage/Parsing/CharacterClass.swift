/// The lexer's classification of bytes.
///
/// The table is a static string of 256 characters, so it needs no initialization. A byte is always
/// a valid index, so lookups skip the bounds check.
enum CharacterClass {
  /// The class of each byte value: `n` for letters and the underscore, `d` for digits, `s` for
  /// white space, `l` for line terminators, `h` for bytes above ASCII, and `x` for bytes that
  /// cannot start a token. Every other byte, such as `-`, `#` or `{`, is its own class.
  private static let table: StaticString = """
    xxxxxxxxxslxxlxxxxxxxxxxxxxxxxxx\
    s!"#$x&x()xx,-.xdddddddddd:xx=xx\
    @nnnnnnnnnnnnnnnnnnnnnnnnnn[x]xn\
    xnnnnnnnnnnnnnnnnnnnnnnnnnn{|}xx\
    hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh\
    hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh\
    hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh\
    hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh
    """

  static let letter = UInt8(ascii: "n")
  static let digit = UInt8(ascii: "d")
  static let space = UInt8(ascii: "s")
  static let lineEnd = UInt8(ascii: "l")
  static let nonASCII = UInt8(ascii: "h")

  @inline(__always)
  static func of(_ byte: UInt8) -> UInt8 { table.utf8Start[Int(byte)] }

  @inline(__always)
  static func continuesName(_ byte: UInt8) -> Bool {
    let found = of(byte)
    return found == letter || found == digit
  }
}
