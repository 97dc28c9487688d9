public struct URL: Hashable, Sendable, Codable, CustomStringConvertible {
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public enum DirectoryHint: Sendable {
    case isDirectory, notDirectory, checkFileSystem, inferFromPath
  }

  public init?(string: String) {}
  public init?(string: String, relativeTo base: URL?) {}
  public init(fileURLWithPath path: String) {}
  public init(fileURLWithPath path: String, isDirectory: Bool) {}
  public init(fileURLWithPath path: String, relativeTo base: URL?) {}
  public init(fileURLWithPath path: String, isDirectory: Bool, relativeTo base: URL?) {}
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public init(
    filePath path: String, directoryHint: DirectoryHint = .inferFromPath,
    relativeTo base: URL? = nil
  ) {}

  public var absoluteString: String { "" }
  public var absoluteURL: URL { self }
  public var description: String { "" }
  public var scheme: String? { nil }
  public var host: String? { nil }
  public var port: Int? { nil }
  public var path: String { "" }
  public var query: String? { nil }
  public var isFileURL: Bool { false }
  public var lastPathComponent: String { "" }
  public var pathExtension: String { "" }
  public var pathComponents: [String] { [] }
  public var hasDirectoryPath: Bool { false }
  public var standardizedFileURL: URL { self }

  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public func path(percentEncoded: Bool = true) -> String { "" }
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public func host(percentEncoded: Bool = true) -> String? { nil }
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public func appending<S: StringProtocol>(
    path: S, directoryHint: DirectoryHint = .inferFromPath
  ) -> URL { self }
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public func appending<S: StringProtocol>(
    component: S, directoryHint: DirectoryHint = .inferFromPath
  ) -> URL { self }
  public func appendingPathComponent(_ pathComponent: String) -> URL { self }
  public func appendingPathComponent(_ pathComponent: String, isDirectory: Bool) -> URL { self }
  public func appendingPathExtension(_ pathExtension: String) -> URL { self }
  public func deletingLastPathComponent() -> URL { self }
  public func deletingPathExtension() -> URL { self }
  public func resolvingSymlinksInPath() -> URL { self }
  public func withUnsafeFileSystemRepresentation<Result>(
    _ block: (UnsafePointer<Int8>?) throws -> Result
  ) rethrows -> Result { try block(nil) }
  public mutating func deleteLastPathComponent() {}
  public mutating func setResourceValues(_ values: URLResourceValues) throws {}
  public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues {
    URLResourceValues()
  }
}

public struct URLResourceKey: Hashable, RawRepresentable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let isDirectoryKey = URLResourceKey(rawValue: "")
}

public struct URLResourceValues: Sendable {
  public init() {}
  public var isDirectory: Bool? { nil }
  public var isExcludedFromBackup: Bool?
}

public struct URLQueryItem: Hashable, Sendable {
  public var name: String
  public var value: String?
  public init(name: String, value: String?) {
    self.name = name
    self.value = value
  }
}

public struct URLComponents: Hashable, Sendable {
  public init() {}
  public init?(string: String) {}
  public init?(url: URL, resolvingAgainstBaseURL resolve: Bool) {}

  public var scheme: String?
  public var user: String?
  public var password: String?
  public var host: String?
  public var port: Int?
  public var path = ""
  public var query: String?
  public var fragment: String?
  public var percentEncodedHost: String?
  public var percentEncodedPath = ""
  public var percentEncodedQuery: String?
  public var queryItems: [URLQueryItem]?
  public var percentEncodedQueryItems: [URLQueryItem]?
  public var url: URL? { nil }
  public var string: String? { nil }
}

public struct CharacterSet: Hashable, Sendable {
  public init(charactersIn string: String) {}
  public static var urlPathAllowed: CharacterSet { CharacterSet(charactersIn: "") }
  public static var urlQueryAllowed: CharacterSet { CharacterSet(charactersIn: "") }
  public static var alphanumerics: CharacterSet { CharacterSet(charactersIn: "") }
  public static var whitespaces: CharacterSet { CharacterSet(charactersIn: "") }
  public static var whitespacesAndNewlines: CharacterSet { CharacterSet(charactersIn: "") }
  public func subtracting(_ other: CharacterSet) -> CharacterSet { self }
}
