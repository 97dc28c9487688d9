import GraphQLLanguage
import RelayCompiler

/// The reason why a schema could not be fetched.
struct SchemaDownloadError: Error {
  let message: String
  /// Whether the server may accept a different query.
  let isAboutQuery: Bool

  init(message: String, isAboutQuery: Bool = false) {
    // It may quote the server's response.
    self.message = message.onOneLine
    self.isAboutQuery = isAboutQuery
  }
}

/// Asks a server for its schema, as SDL.
///
/// A server that does not support the newest introspection fields receives a second query without
/// them.
///
/// - Throws: ``SchemaDownloadError`` when there is no response, or the server rejects the request.
func downloadSchema(from url: String, headers: [String]) throws(SchemaDownloadError) -> String {
  try withProgress("Downloading the schema") { () throws(SchemaDownloadError) in
    try schema(of: url, headers: headers)
  }
}

private func schema(of url: String, headers: [String]) throws(SchemaDownloadError) -> String {
  do throws(SchemaDownloadError) {
    return try ask(url, headers: headers, query: IntrospectionQuery.full)
  } catch {
    guard error.isAboutQuery else { throw error }
    do throws(SchemaDownloadError) {
      return try ask(url, headers: headers, query: IntrospectionQuery.basic)
    } catch _ {
      throw error
    }
  }
}

private func ask(_ url: String, headers: [String], query: String) throws(SchemaDownloadError)
  -> String
{
  let response = try HTTPPost.send(
    to: url, headers: ["Content-Type: application/json", "Accept: application/json"] + headers,
    body: "{\"query\":\"\(query)\"}")
  let workspace = Workspace()
  let parsed = workspace.parseIntrospection(Source(path: url, bytes: response.body))
  guard response.status == 200 else {
    throw SchemaDownloadError(
      message: "The server at \"\(url)\" responded with \(refusal(response))",
      isAboutQuery: [400, 422, 500].contains(response.status))
  }
  if let problem = parsed.diagnostics.first {
    throw SchemaDownloadError(
      message: "The server at \"\(url)\" did not return its schema. \(problem.message)",
      isAboutQuery: true)
  }
  return parsed.document.text() + "\n"
}

/// Returns a status with what else the server says.
private func refusal(_ response: HTTPPost.Response) -> String {
  if let target = response.redirect {
    return "status \(response.status), a redirect to \"\(target)\". Redirects are not followed."
  }
  let start = String(decoding: response.body.prefix(300), as: UTF8.self)
  return "status \(response.status)." + (start.allSatisfy(\.isWhitespace) ? "" : " " + start)
}

/// The introspection queries. They select everything that SDL contains. Eight levels of list and
/// non-null types are enough for every type in use.
private enum IntrospectionQuery {
  /// With all fields of the current specification.
  static let full = query(
    schema: "description ", type: "specifiedByURL isOneOf ", directive: "isRepeatable ",
    arguments: "(includeDeprecated:true)", input: " isDeprecated deprecationReason")
  /// With the fields that every server supports.
  static let basic = query(schema: "", type: "", directive: "", arguments: "", input: "")

  private static func query(
    schema: String, type: String, directive: String, arguments: String, input: String
  ) -> String {
    "query IntrospectionQuery{__schema{\(schema)queryType{name}mutationType{name}"
      + "subscriptionType{name}types{...T}directives{name description \(directive)locations "
      + "args\(arguments){...I}}}}"
      + "fragment T on __Type{kind name description \(type)"
      + "fields(includeDeprecated:true){name description args\(arguments){...I}type{...R}"
      + "isDeprecated deprecationReason}inputFields\(arguments){...I}interfaces{...R}"
      + "enumValues(includeDeprecated:true){name description isDeprecated deprecationReason}"
      + "possibleTypes{...R}}"
      + "fragment I on __InputValue{name description type{...R}defaultValue\(input)}"
      + "fragment R on __Type{kind name ofType{kind name ofType{kind name ofType{kind name "
      + "ofType{kind name ofType{kind name ofType{kind name ofType{kind name ofType{kind name"
      + "}}}}}}}}}"
  }
}
