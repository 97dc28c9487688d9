public protocol LocalizedError: Error {
  var errorDescription: String? { get }
  var failureReason: String? { get }
  var recoverySuggestion: String? { get }
  var helpAnchor: String? { get }
}

extension LocalizedError {
  public var errorDescription: String? { nil }
  public var failureReason: String? { nil }
  public var recoverySuggestion: String? { nil }
  public var helpAnchor: String? { nil }
}

public protocol CustomNSError: Error {
  static var errorDomain: String { get }
  var errorCode: Int { get }
  var errorUserInfo: [String: Any] { get }
}

extension CustomNSError {
  public static var errorDomain: String { "" }
  public var errorCode: Int { 0 }
  public var errorUserInfo: [String: Any] { [:] }
}

extension Error {
  public var localizedDescription: String { "" }
}

public let NSLocalizedDescriptionKey = ""
public let NSURLErrorDomain = ""

open class NSError: NSObject, Error, @unchecked Sendable {
  public init(domain: String, code: Int, userInfo dict: [String: Any]? = nil) {}
  open var domain: String { "" }
  open var code: Int { 0 }
  open var userInfo: [String: Any] { [:] }
  open var localizedDescription: String { "" }
}

public struct URLError: Error, Hashable, Sendable {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static var unknown: Code { Code(rawValue: -1) }
    public static var cancelled: Code { Code(rawValue: -999) }
    public static var badURL: Code { Code(rawValue: -1000) }
    public static var timedOut: Code { Code(rawValue: -1001) }
    public static var unsupportedURL: Code { Code(rawValue: -1002) }
    public static var cannotFindHost: Code { Code(rawValue: -1003) }
    public static var cannotConnectToHost: Code { Code(rawValue: -1004) }
    public static var networkConnectionLost: Code { Code(rawValue: -1005) }
    public static var dnsLookupFailed: Code { Code(rawValue: -1006) }
    public static var httpTooManyRedirects: Code { Code(rawValue: -1007) }
    public static var resourceUnavailable: Code { Code(rawValue: -1008) }
    public static var notConnectedToInternet: Code { Code(rawValue: -1009) }
    public static var badServerResponse: Code { Code(rawValue: -1011) }
    public static var userAuthenticationRequired: Code { Code(rawValue: -1013) }
    public static var cannotDecodeRawData: Code { Code(rawValue: -1015) }
    public static var cannotDecodeContentData: Code { Code(rawValue: -1016) }
    public static var internationalRoamingOff: Code { Code(rawValue: -1018) }
    public static var callIsActive: Code { Code(rawValue: -1019) }
    public static var dataNotAllowed: Code { Code(rawValue: -1020) }
    public static var appTransportSecurityRequiresSecureConnection: Code { Code(rawValue: -1022) }
    public static var fileDoesNotExist: Code { Code(rawValue: -1100) }
    public static var noPermissionsToReadFile: Code { Code(rawValue: -1102) }
    public static var dataLengthExceedsMaximum: Code { Code(rawValue: -1103) }
    public static var secureConnectionFailed: Code { Code(rawValue: -1200) }
    public static var serverCertificateHasBadDate: Code { Code(rawValue: -1201) }
    public static var serverCertificateUntrusted: Code { Code(rawValue: -1202) }
    public static var serverCertificateHasUnknownRoot: Code { Code(rawValue: -1203) }
    public static var serverCertificateNotYetValid: Code { Code(rawValue: -1204) }
    public static var clientCertificateRejected: Code { Code(rawValue: -1205) }
    public static var clientCertificateRequired: Code { Code(rawValue: -1206) }
  }

  public static var errorDomain: String { "" }
  public init(_ code: Code, userInfo: [String: Any] = [:]) {}
  public var code: Code { .unknown }
  public var userInfo: [String: Any] { [:] }
  public var localizedDescription: String { "" }
}

public struct CocoaError: Error, Hashable, Sendable {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static var fileNoSuchFile: Code { Code(rawValue: 4) }
    public static var fileReadNoSuchFile: Code { Code(rawValue: 260) }
    public static var fileReadUnknown: Code { Code(rawValue: 256) }
  }

  public init(_ code: Code, userInfo: [String: Any] = [:]) {}
  public var code: Code { .fileNoSuchFile }
}

public enum POSIXErrorCode: Int32, Sendable {
  case EPERM = 1
}

public struct POSIXError: Error, Hashable, Sendable {
  public typealias Code = POSIXErrorCode
  public init(_ code: Code, userInfo: [String: Any] = [:]) {}
  public var code: Code { .EPERM }
}
