@testable import RelayLive
@testable import RelayStore

/// The table of bytes that servers may or may not send.
enum WebSocketCases {
  typealias Part = WebSocketCase.Part

  static let all: [WebSocketCase] = [
    firstBytes, lengths, shortLengths, longLengths, invalidHeaders, limits, fragments,
    controlFrames, closeCodes, texts, invalidTexts, mixed,
  ].flatMap(\.self)

  /// Every first byte of a frame, both outside and inside a message.
  private static let firstBytes: [WebSocketCase] = (0...255).flatMap { first -> [WebSocketCase] in
    let first = UInt8(first)
    let (isFinal, opcode) = (first & 0x80 != 0, first & 15)
    let name = "first byte \(String(first, radix: 16))"
    let error: WebSocketProtocolError? =
      if first & 0x70 != 0 {
        .reservedBits
      } else if (3...7).contains(opcode) || opcode > 10 {
        .reservedOpcode(opcode)
      } else if opcode >= 8, !isFinal {
        .fragmentedControlFrame
      } else {
        nil
      }
    if let error {
      return [WebSocketCase(name, [.text("x")], fails: error, [first, 0], after: 1)]
    }
    let start = Part.frame(0x02, "in")
    switch (opcode, isFinal) {
    case (0, _):
      return [
        WebSocketCase(name, fails: .unexpectedContinuation, [first, 0], after: 1),
        WebSocketCase(
          name + " in a message",
          [start, .frame(first, "side", isFinal ? .binary(Array("inside".utf8)) : nil)]),
      ]
    case (1, _), (2, _):
      let event = opcode == 1 ? WebSocketEvent.text([97]) : .binary([97])
      return [
        WebSocketCase(name, [.frame(first, "a", isFinal ? event : nil)]),
        WebSocketCase(
          name + " in a message", [start], fails: .interruptedMessage, [first, 0], after: 1),
      ]
    default:
      let event: WebSocketEvent =
        switch opcode {
        case 8: .close(nil, reason: "")
        case 9: .ping([])
        default: .pong([])
        }
      return [
        WebSocketCase(name, [.frame(first, "", event)]),
        WebSocketCase(name + " in a message", [start, .frame(first, "", event)]),
      ]
    }
  }

  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
  }

  private static let lengths: [WebSocketCase] = [
    0, 1, 2, 124, 125, 126, 127, 128, 255, 256, 65_535, 65_536, 65_537,
  ]
  .flatMap { count in
    let letters = [UInt8](repeating: 0x61, count: count)
    return [
      WebSocketCase(
        "binary of \(count) bytes", [.frame(0x82, bytes(count), .binary(bytes(count)))]),
      WebSocketCase(
        "text of \(count) bytes", [.frame(0x81, letters, .text(letters)), .text("next")]),
    ]
  }

  private static let shortLengths: [WebSocketCase] = [0, 1, 125].map {
    WebSocketCase("length \($0) in 16 bits", fails: .lengthNotMinimal, [0x82, 126, 0, $0])
  }

  private static let longLengths: [WebSocketCase] = [0, 125, 126, 65_535].map {
    (length: UInt64) in
    WebSocketCase(
      "length \(length) in 64 bits", fails: .lengthNotMinimal,
      [0x82, 127] + withUnsafeBytes(of: length.bigEndian, Array.init))
  }

  private static let invalidHeaders: [WebSocketCase] = [
    WebSocketCase(
      "a length with the highest bit", fails: .lengthOutOfRange, [0x82, 127, 0x80, 0, 0], after: 3),
    WebSocketCase(
      "the greatest length", fails: .messageTooLarge(byteLimit: 100_000),
      [0x82, 127, 0x7F] + [UInt8](repeating: 0xFF, count: 7)),
    WebSocketCase(
      "a length that has 200 as its lower 32 bits", fails: .messageTooLarge(byteLimit: 100_000),
      [0x82, 127, 0, 0, 0, 1, 0, 0, 0, 200]),
    WebSocketCase(
      "a masked frame", fails: .maskedFrame, [0x81, 0x81, 1, 2, 3, 4, 5], after: 2),
    WebSocketCase("a masked ping", [.text("a")], fails: .maskedFrame, [0x89, 0x80]),
    WebSocketCase("a masked frame of 16-bit length", fails: .maskedFrame, [0x82, 0xFE]),
    WebSocketCase("a masked frame of 64-bit length", fails: .maskedFrame, [0x82, 0xFF]),
  ]

  private static let limits: [WebSocketCase] = [
    WebSocketCase("a message at the limit", [.text("12345")], byteLimit: 5),
    WebSocketCase(
      "a message over the limit", [.text("12345")], fails: .messageTooLarge(byteLimit: 5),
      frameBytes(0x81, Array("123456".utf8)), after: 2, byteLimit: 5),
    WebSocketCase("an empty message at the limit 0", [.text(""), .text("")], byteLimit: 0),
    WebSocketCase(
      "a message over the limit 0", fails: .messageTooLarge(byteLimit: 0), [0x82, 1], byteLimit: 0),
    WebSocketCase(
      "a long message over the limit", fails: .messageTooLarge(byteLimit: 200),
      [0x82, 126, 0, 201], byteLimit: 200),
    WebSocketCase(
      "fragments at the limit",
      [.frame(0x01, "123"), .frame(0x00, ""), .frame(0x80, "45", .text(Array("12345".utf8)))],
      byteLimit: 5),
    WebSocketCase(
      "fragments over the limit", [.frame(0x01, "123"), .frame(0x00, "45")],
      fails: .messageTooLarge(byteLimit: 5), [0x80, 1], byteLimit: 5),
    WebSocketCase(
      "control frames are not limited",
      [.frame(0x89, bytes(125), .ping(bytes(125))), .text("")], byteLimit: 0),
  ]

  private static let fragments: [WebSocketCase] = [
    WebSocketCase(
      "two empty fragments", [.frame(0x01, ""), .frame(0x80, "", .text([]))]),
    WebSocketCase(
      "long fragments",
      [
        .frame(0x02, bytes(70_000)), .frame(0x00, bytes(126)),
        .frame(0x80, bytes(1), .binary(bytes(70_000) + bytes(126) + bytes(1))), .text("next"),
      ]),
    WebSocketCase(
      "many fragments",
      [.frame(0x01, "")] + (0..<100).map { _ in .frame(0x00, "ab") }
        + [.frame(0x80, "", .text((0..<100).flatMap { _ in "ab".utf8 }))]),
    WebSocketCase(
      "a continuation of a finished message",
      [.frame(0x01, "a"), .frame(0x80, "b", .text(Array("ab".utf8)))],
      fails: .unexpectedContinuation, [0x80], after: 1),
    WebSocketCase(
      "a message of another kind inside a message", [.frame(0x01, "a")],
      fails: .interruptedMessage, [0x82], after: 1),
  ]

  private static let controlFrames: [WebSocketCase] =
    [(9, WebSocketEvent.ping), (10, WebSocketEvent.pong)].flatMap { opcode, event in
      let first = 0x80 | UInt8(opcode)
      return [1, 124, 125].map { count in
        WebSocketCase(
          "opcode \(opcode) of \(count) bytes", [.frame(first, bytes(count), event(bytes(count)))])
      } + [
        WebSocketCase(
          "opcode \(opcode) between fragments",
          [
            .frame(0x01, "a"), .frame(first, "1", event([0x31])), .frame(0x00, "b"),
            .frame(first, "", event([])), .frame(first, "2", event([0x32])),
            .frame(0x80, "c", .text(Array("abc".utf8))),
          ]),
        WebSocketCase(
          "opcode \(opcode) inside a character",
          [
            .frame(0x01, [0xF0, 0x9F]), .frame(first, [0xFF], event([0xFF])),
            .frame(0x80, [0x98, 0x80], .text(Array("😀".utf8))),
          ]),
      ]
    }
    + [8, 9, 10].flatMap { (opcode: UInt8) in
      [126, 127].map { (length: UInt8) in
        WebSocketCase(
          "opcode \(opcode) with the length \(length)", fails: .controlFrameTooLarge,
          [0x80 | opcode, length])
      }
    }

  private static let closeCodes: [WebSocketCase] = {
    let allowed: [UInt16] = [
      1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3003, 3008,
      3999, 4000, 4400, 4999,
    ]
    let forbidden: [UInt16] = [
      0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 10_000, 65_535,
    ]
    func payload(_ code: UInt16, _ reason: String = "") -> [UInt8] {
      [UInt8(code >> 8), UInt8(code & 255)] + reason.utf8
    }
    func event(_ code: UInt16, _ reason: String = "") -> WebSocketEvent {
      .close(WebSocketCloseCode(rawValue: code), reason: reason)
    }
    let long = String(repeating: "r", count: 123)
    return allowed.map { code in
      WebSocketCase("close code \(code)", [.frame(0x88, payload(code), event(code))])
    }
      + forbidden.map { code in
        WebSocketCase(
          "close code \(code)", fails: .forbiddenCloseCode(code), frameBytes(0x88, payload(code)))
      } + [
        WebSocketCase(
          "a close reason", [.frame(0x88, payload(1000, "Bye 👋"), event(1000, "Bye 👋"))]),
        WebSocketCase(
          "the longest close reason", [.frame(0x88, payload(4000, long), event(4000, long))]),
        WebSocketCase("a close payload of one byte", fails: .incompleteCloseCode, [0x88, 1]),
        WebSocketCase(
          "a close reason that is not UTF-8", fails: .invalidUTF8,
          frameBytes(0x88, payload(1000) + [0xFF])),
        WebSocketCase(
          "a close reason that ends inside a character", fails: .invalidUTF8,
          frameBytes(0x88, payload(1000) + [0xE2, 0x82])),
        WebSocketCase(
          "a message after a close frame", [.frame(0x88, payload(1000), event(1000))],
          fails: .dataAfterClose, frameBytes(0x81, [97]), after: 1),
        WebSocketCase(
          "a second close frame", [.frame(0x88, "", .close(nil, reason: ""))],
          fails: .dataAfterClose, frameBytes(0x88), after: 1),
        WebSocketCase(
          "a close frame inside a message",
          [.frame(0x01, "a"), .frame(0x88, payload(1001), event(1001))]),
      ]
  }()

  private static let texts: [WebSocketCase] = [
    "é", "€", "😀", "\u{0}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}",
    "\u{FEFF}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "κόσμε", "0123456é0123456789€0123456😀",
  ].flatMap { (text: String) -> [WebSocketCase] in
    let bytes = Array(text.utf8)
    let scalars = text.unicodeScalars.map { "U+" + String($0.value, radix: 16) }
    let name = "the text \(scalars.prefix(3).joined(separator: " "))"
    return [WebSocketCase(name, [.text(text), .text("")])]
      + (0...bytes.count).map { split in
        WebSocketCase(
          "\(name) in fragments of \(split) bytes and the rest",
          [
            .frame(0x01, Array(bytes[..<split])), .frame(0x00),
            .frame(0x80, Array(bytes[split...]), .text(bytes)),
          ])
      }
  }

  /// Prefixes of strings that are certain not to be UTF-8 by their last byte.
  private static let invalidBeginnings: [[UInt8]] = [
    [0x80], [0xBF], [0xC0], [0xC1], [0xF5], [0xF8], [0xFC], [0xFE], [0xFF],
    [0xC2, 0x20], [0xC2, 0xC2], [0xDF, 0x7F],
    // Overlong encodings.
    [0xE0, 0x80], [0xE0, 0x9F], [0xF0, 0x80], [0xF0, 0x8F],
    // Surrogates.
    [0xED, 0xA0], [0xED, 0xBF],
    // Numbers above U+10FFFF.
    [0xF4, 0x90], [0xF4, 0xBF],
    [0xE1, 0x7F], [0xE1, 0xC0], [0xE2, 0x82, 0x20], [0xE2, 0x82, 0xE2], [0xEF, 0xBF, 0xC0],
    [0xF1, 0x7F], [0xF0, 0x9F, 0x98, 0x20], [0xF0, 0x9F, 0x20], [0xF4, 0x8F, 0xBF, 0xC0],
  ]

  private static let incompleteTexts: [[UInt8]] = [
    [0xC2], [0xE2], [0xE2, 0x82], [0xF0], [0xF0, 0x9F], [0xF0, 0x9F, 0x98],
  ]

  private static let invalidTexts: [WebSocketCase] =
    invalidBeginnings.flatMap { bytes -> [WebSocketCase] in
      let name = "the bytes \(bytes.map { String($0, radix: 16) }.joined(separator: " "))"
      return [0, 7, 8, 130].map { count in
        let start = [UInt8](repeating: 0x61, count: count)
        return WebSocketCase(
          "\(name) after \(count) letters", fails: .invalidUTF8,
          frameBytes(0x81, start + bytes + [0x61, 0x61]),
          after: (count < 123 ? 2 : 4) + count + bytes.count)
      }
        + (1..<bytes.count).map { split in
          WebSocketCase(
            "\(name) in fragments of \(split) bytes and the rest",
            [.frame(0x01, [0x61] + bytes[..<split]), .frame(0x89, [0xFF], .ping([0xFF]))],
            fails: .invalidUTF8, frameBytes(0x00, Array(bytes[split...]) + [0x61]),
            after: 2 + bytes.count - split)
        }
    }
    + incompleteTexts.flatMap { bytes in
      let name = "a text that ends inside a character of \(bytes.count) bytes and more"
      return [
        WebSocketCase("\(name), \(bytes)", fails: .invalidUTF8, frameBytes(0x81, [0x61] + bytes)),
        WebSocketCase(
          "\(name), \(bytes), in an empty last fragment", [.frame(0x01, bytes)],
          fails: .invalidUTF8, frameBytes(0x80)),
      ]
    }

  private static let mixed: [WebSocketCase] = [
    WebSocketCase("no bytes", []),
    WebSocketCase(
      "a conversation",
      [
        .text(#"{"type":"connection_ack"}"#), .frame(0x89, "hi", .ping(Array("hi".utf8))),
        .frame(0x01, #"{"type":"#), .frame(0x8A, "", .pong([])),
        .frame(0x80, #""next"}"#, .text(Array(#"{"type":"next"}"#.utf8))),
        .frame(0x82, [0, 255], .binary([0, 255])),
        .frame(0x88, [0x03, 0xE8], .close(.normalClosure, reason: "")),
      ]),
    WebSocketCase(
      "binary bytes that are not UTF-8", [.frame(0x82, [0xFF, 0xC0], .binary([0xFF, 0xC0]))]),
    WebSocketCase(
      "events before a violation", [.text("a"), .text("b"), .frame(0x89, "", .ping([]))],
      fails: .reservedBits, [0xC1], after: 1),
  ]
}
