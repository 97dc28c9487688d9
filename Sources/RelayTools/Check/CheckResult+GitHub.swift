extension CheckResult {
  /// The findings as workflow commands of GitHub Actions, which annotate files.
  var gitHubCommands: String {
    annotations.map { annotation in
      var properties: [(name: String, value: String)] = []
      if let place = annotation.place {
        properties = [
          ("file", place.path), ("line", "\(place.line)"), ("col", "\(place.column)"),
        ]
      }
      properties.append(("title", annotation.change.kind.rawValue))
      let list = properties.map { "\($0.name)=\(Self.escaped($0.value, isProperty: true))" }
      return "::\(annotation.change.criticality.gitHubCommand) \(list.joined(separator: ","))::"
        + Self.escaped(annotation.message, isProperty: false) + "\n"
    }.joined()
  }

  /// Escapes the characters that end a command or one of its properties, and control characters.
  private static func escaped(_ text: String, isProperty: Bool) -> String {
    var result = ""
    for scalar in text.escapingControlCharacters(except: ["\r", "\n"]).unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where isProperty: result += "%3A"
      case "," where isProperty: result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Criticality {
  fileprivate var gitHubCommand: String {
    switch self {
    case .breaking: "error"
    case .dangerous: "warning"
    case .safe: "notice"
    }
  }
}
