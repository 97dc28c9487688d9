/// What a byte means to the lexer.
///
/// A table of 256 characters in constant memory: looked up without initialization or bounds beyond the index being a byte.
enum CharacterClass {
  /// One character for each byte value:
  /// `n` letter or underscore, `d` digit, `-` minus, `s` white space, `,` comma, `l` line end, `#` comment, `"` quote, `.` dot, `h` a
  /// byte above ASCII, `x` never begins a token, `*` may; other characters stand for themselves.
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

  @inline(__always)
  static func of(_ byte: UInt8) -> UInt8 { table.utf8Start[Int(byte)] }

  @inline(__always)
  static func continuesName(_ byte: UInt8) -> Bool {
    let found = of(byte)
    return found == letter || found == digit
  }
}
