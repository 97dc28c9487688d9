/// Why a field has no value.
public struct FieldError: Error, Hashable, Sendable {
  /// Where the error comes from; more may come, so a `switch` needs a default.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    package init(_ description: String) { self.description = description }

    /// The server reported it.
    public static let server = Kind("server")
    /// The value of a custom scalar did not convert to its Swift type.
    public static let scalar = Kind("scalar")
    /// A derived field has no function, or one that threw or gave a value of another type.
    public static let derived = Kind("derived")
    /// The field is null or missing and has `@required(action: LOG)` or `THROW`.
    public static let required = Kind("required")
    /// The field is not in the store, or null where the schema forbids it; only in the errors that
    /// `@catch` gives and `@throwOnFieldError` throws. Elsewhere ``Snapshot/missing`` has it.
    public static let missing = Kind("missing")
  }

  public var kind: Kind
  public var message: String
  /// The field, from the data it was read with.
  public var path: ResponsePath
  /// The fragment or operation that selects the field; empty where data has no definition.
  public var owner: String

  public init(kind: Kind, message: String, path: ResponsePath, owner: String = "") {
    self.kind = kind
    self.message = message
    self.path = path
    self.owner = owner
  }
}

/// Why a field with `@catch` has no value: at least one error.
///
///     switch user.name {
///     case .success(let name): print(name ?? "nobody")
///     case .failure(let errors): print(errors.first?.message ?? "")
///     }
public struct FieldErrors: Error, Hashable, Sendable {
  private let errors: [FieldError]

  public init(_ errors: [FieldError]) { self.errors = errors }
}

extension FieldErrors: RandomAccessCollection, ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: FieldError...) { errors = elements }

  public var startIndex: Int { errors.startIndex }
  public var endIndex: Int { errors.endIndex }
  public subscript(position: Int) -> FieldError { errors[position] }
}

extension FieldErrors: CustomStringConvertible {
  public var description: String {
    errors.map { "\($0.path): \($0.message)" }.joined(separator: "\n")
  }
}
