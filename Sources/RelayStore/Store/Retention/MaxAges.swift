/// The place where a response says how long it is fresh.
public enum ServerMaxAge: Sendable, Hashable {
  /// The header field `Cache-Control` minus `Age`: `max-age`, with zero for `no-cache` and
  /// `no-store`.
  ///
  /// Source: RFC 9111, sections 4.2 and 5.2.2.
  case cacheControl
  /// The number of seconds at a path of the response's `extensions`: `["cacheControl", "maxAge"]`.
  case extensions([String])
}

extension ServerMaxAge {
  /// Returns how long a response is fresh from now on; `nil` if the response does not say.
  ///
  /// - Parameters:
  ///   - header: Returns the value of a header field, by its name in lower case.
  ///   - extensions: The response's `extensions`.
  func maxAge(header: (String) -> String?, extensions: JSONObject) -> Duration? {
    switch self {
    case .cacheControl: return Self.maxAge(header)
    case .extensions(let path):
      var value = JSONValue.object(extensions)
      for name in path {
        guard let next = value.object?[name] else { return nil }
        value = next
      }
      guard let seconds = value.double, seconds.isFinite else { return nil }
      return .seconds(min(max(0, seconds), 1e9))
    }
  }

  private static func maxAge(_ header: (String) -> String?) -> Duration? {
    guard let control = header("cache-control") else { return nil }
    var maxAge: Int64?
    for directive in control.lowercased().split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1).map {
        $0.trimming { $0 == " " || $0 == "\t" || $0 == "\"" }
      }
      switch parts.first {
      case "no-cache" where parts.count == 1, "no-store": return .zero
      case "max-age":
        // An invalid number counts as stale, and an overly large one as a long time.
        let digits = parts.count == 2 ? parts[1] : ""
        let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
        maxAge = isNumber ? Int64(digits) ?? .max : 0
      default: break
      }
    }
    guard let maxAge else { return nil }
    let age = header("age").flatMap { Int64($0.trimming { $0 == " " }) } ?? 0
    return .seconds(max(0, min(maxAge, 1_000_000_000) - max(0, age)))
  }
}

extension StringProtocol {
  fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> String {
    String(drop(while: isTrimmed).reversed().drop(while: isTrimmed).reversed())
  }
}

/// The maximum ages of query data before it is stale.
struct MaxAges: Sendable {
  /// The configured maximum ages, by the name of an operation or a type, or by the coordinate of a
  /// field.
  private let entries: [String: Duration]
  /// The maximum age of queries without any other.
  private let expiration: Duration?
  /// The memoized smallest maximum age of the types and fields of each document.
  private var known: [UInt64: Duration?] = [:]

  init(_ entries: [String: Duration] = [:], expiration: Duration? = nil) {
    self.entries = entries
    self.expiration = expiration
  }

  /// Returns the maximum age of a query after its last response: the configured age of the
  /// operation, or the smallest of the others.
  ///
  /// - Parameter server: The maximum age that the server sent with the response.
  mutating func maxAge(
    of identity: RequestIdentity, _ plan: SelectionPlan, server: Duration?
  ) -> Duration? {
    if let own = entries[identity.name] { return own }
    let selected = selected(by: plan, documentHash: identity.documentHash)
    return [selected, plan.maxAge, server].compactMap(\.self).min() ?? expiration
  }

  /// Returns the smallest maximum age of the types and fields that a plan selects.
  private mutating func selected(by plan: SelectionPlan, documentHash: UInt64) -> Duration? {
    if entries.isEmpty { return nil }
    if let known = known[documentHash] { return known }
    var least: Duration?
    add(plan, to: &least)
    known[documentHash] = .some(least)
    return least
  }

  private func add(_ plan: SelectionPlan, to least: inout Duration?) {
    func add(_ name: String) {
      if let age = entries[name] { least = min(age, least ?? age) }
    }
    add(plan.typeName)
    for slot in plan.slots {
      switch slot.content {
      case .condition(let type): add(type.typeName)
      case .field(let field):
        var typeName = plan.typeName
        if let enclosing = slot.enclosing, case .condition(let type) = plan.slots[enclosing].content
        {
          typeName = type.typeName
        }
        add(typeName + "." + field.name)
        if let child = field.child { self.add(child, to: &least) }
      case .spread: break
      }
    }
  }
}
