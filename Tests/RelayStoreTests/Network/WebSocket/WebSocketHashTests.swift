import Testing

@testable import RelayLive
@testable import RelayStore

@Suite("The hash of the WebSocket handshake", .timeLimit(.minutes(1)))
struct WebSocketHashTests {
  @Test(
    "SHA-1 has the values of its specification",
    arguments: [
      ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
      ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "a49b2446a02c645bf419f995b67091253a04a259"
      ),
      ("The quick brown fox jumps over the lazy dog", "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12"),
    ])
  func sha1(text: String, digest: String) {
    #expect(hexadecimal(SHA1.hash(Array(text.utf8))) == digest)
  }

  @Test("SHA-1 pads texts of every length up to three blocks")
  func sha1Lengths() {
    // The hash of all hashes, as computed by another implementation.
    var hashes: [UInt8] = []
    for count in 0...192 { hashes += SHA1.hash([UInt8](repeating: 0x61, count: count)) }
    #expect(hexadecimal(SHA1.hash(hashes)) == "40d1082f13f3f74c378c500b3e88da276296c06a")
    #expect(
      hexadecimal(SHA1.hash([UInt8](repeating: 0x61, count: 1_000_000)))
        == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
  }

  @Test(
    "Base64 has the values of its specification",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"), ("\u{0}\u{10}?>", "ABA/Pg=="),
    ])
  func base64(text: String, encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == encoded)
  }

  @Test("Base64 uses the whole alphabet")
  func alphabet() {
    #expect(Base64.encode([0xFB, 0xEF, 0xFF]) == "++//")
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
