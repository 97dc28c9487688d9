import Foundation
import GraphQLLanguage

extension LanguageServer {
  /// The changes that a rename makes in all projects.
  private struct SharedRenaming {
    let name: String
    let range: FileRange
    /// The edits by the canonical path of their file.
    var edits: [String: [FileEdit]] = [:]
  }

  mutating func prepareRename(_ params: JSON?) throws(ResponseError) -> JSON {
    let position = try Self.position(params)
    guard
      let renaming = try withRelatedProjects(
        params,
        { (server) throws(RenameError) in
          try server.renaming(params, at: position, to: nil)
        })
    else { return nil }
    var places = EditorPlaces(projects, in: files, encoding: client.encoding)
    return ["range": places.range(renaming.range), "placeholder": .string(renaming.name)]
  }

  mutating func rename(_ params: JSON?) throws(ResponseError) -> JSON {
    let position = try Self.position(params)
    guard let name = params["newName"]?.text else {
      throw ResponseError(.invalidParams, "\"newName\" is missing.")
    }
    // Edits of closed files refer to offsets on disk, and not every editor reports changes there.
    filesChanged()
    updateProjects()
    return try withRelatedProjects(params) { (server) throws(RenameError) in
      guard let renaming = try server.renaming(params, at: position, to: name) else {
        if server.targets(params).isEmpty { return nil }
        throw .nothingHere
      }
      if name == renaming.name { return nil }
      for index in server.projects.indices {
        if let error = server.projects[index].firstError(after: renaming.edits, of: renaming.name) {
          throw RenameError(message: error.message)
        }
      }
      var places = EditorPlaces(
        server.projects, in: server.files, encoding: server.client.encoding)
      let edits = renaming.edits.values.flatMap(\.self)
      return places.workspaceEdit(edits, for: server.client)
    }
  }

  // MARK: Projects

  /// Calls a function while the server temporarily includes related projects: projects outside the
  /// editor's folders that may share files with the projects of a file.
  private mutating func withRelatedProjects<Result>(
    _ params: JSON?, _ body: (inout LanguageServer) throws(RenameError) -> Result
  ) throws(ResponseError) -> Result {
    let related = relatedProjects(params)
    projects += related
    defer { projects.removeLast(related.count) }
    do { return try body(&self) } catch { throw ResponseError(.requestFailed, error.message) }
  }

  private func relatedProjects(_ params: JSON?) -> [ServedProject] {
    guard let path = canonicalPath(params) else { return [] }
    let owners = projects.filter { $0.isSource(path) }
    var known = Set(projects.map { files.canonical($0.path) })
    return owners.flatMap { ProjectFinder.configurations(around: $0.path, except: folders) }
      .filter { known.insert(files.canonical($0)).inserted }
      .compactMap { path in
        var project = ServedProject(path: path)
        project.update(files)
        return owners.contains { project.mayShareFiles(with: $0) } ? project : nil
      }
  }

  // MARK: Edits

  /// Returns the changes of a rename: in each project with the file, and from there in every
  /// project with one of the changed files.
  ///
  /// - Parameter name: The new name, to be checked; `nil` if it is not known yet.
  /// - Returns: `nil` without a name at the position.
  private func renaming(
    _ params: JSON?, at position: LinePosition, to name: String?
  ) throws(RenameError) -> SharedRenaming? {
    guard let canonical = canonicalPath(params) else { return nil }
    var starts = targets(params)
    guard !starts.isEmpty,
      let first = try starts[0].session.renaming(at: starts[0].position(position))
    else { return nil }
    var result = SharedRenaming(name: first.name, range: first.range)
    var isDefined = false
    var edited: Set<FilePosition> = []
    var seen: [Set<FilePosition>] = Array(repeating: [], count: projects.count)
    var waiting = [FilePosition(path: canonical, offset: first.range.bytes.lowerBound)]
    while let next = waiting.popLast() {
      for (index, project) in projects.enumerated() {
        guard let path = project.paths[next.path], let session = project.session,
          !seen[index].contains(next),
          let found = try session.renaming(at: FilePosition(path: path, offset: next.offset))
        else { continue }
        if let name { try session.check(name, for: found) }
        isDefined = isDefined || found.isDefined
        for place in found.places {
          let path = files.canonical(place.path)
          let position = FilePosition(path: path, offset: place.bytes.lowerBound)
          seen[index].insert(position)
          guard edited.insert(position).inserted else { continue }
          if result.edits[path] == nil { try checkAccess(to: path, of: first.name) }
          result.edits[path, default: []].append(FileEdit(place, name ?? ""))
          waiting.append(position)
        }
      }
    }
    if !isDefined { throw .undefined(first.name) }
    return result
  }

  /// Throws if a file cannot be changed, or if a project that may use it cannot be read.
  private func checkAccess(to path: String, of name: String) throws(RenameError) {
    let refusal = "\"\(name)\" cannot be renamed, because "
    for project in projects where project.mayHave(path) {
      guard let failure = project.failure else { continue }
      throw RenameError(message: refusal + "\(project.path) cannot be read: \(failure)")
    }
    let isCheckedOut = ["/.build/checkouts/", "/SourcePackages/checkouts/"].contains {
      path.contains($0)
    }
    if isCheckedOut {
      throw RenameError(
        message: refusal + "it is also in a package that was checked out: \(path)")
    }
  }
}
