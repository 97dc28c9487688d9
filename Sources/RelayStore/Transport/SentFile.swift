/// A file that a request sends once, and its positions in the variables.
package struct SentFile {
  package let file: Upload
  /// The paths of ``VariableUpload``, in the order of the request.
  package fileprivate(set) var paths: [[String]]
}

extension GraphQLRequest {
  /// Returns the files to send, each once, in the order of their first occurrence.
  ///
  /// - Throws: ``RelayError`` with code `request` if one stream has two names or two media types. A
  ///   stream can be read and sent only once, with one name and one type.
  /// - Complexity: O(*n*) in the occurrences. In-memory files of equal length and name are compared
  ///   byte by byte.
  package func sentFiles() throws -> [SentFile] {
    var files: [SentFile] = []
    var positions: [Upload: Int] = [:]
    var streams: [UploadStream: Upload] = [:]
    for upload in uploads {
      if let position = positions[upload.file] {
        files[position].paths.append(upload.path)
        continue
      }
      if case .stream(let stream) = upload.file.content,
        let other = streams.updateValue(upload.file, forKey: stream)
      {
        throw RelayError(
          .request,
          """
          The stream of "\(other.fileName)" is sent as "\(upload.file.fileName)" too, but can be read only once. Give \
          its uploads the same file name and media type.
          """)
      }
      positions[upload.file] = files.count
      files.append(SentFile(file: upload.file, paths: [upload.path]))
    }
    return files
  }
}
