/// A file of a request, which is sent once, and its places in the variables.
package struct SentFile {
  package let file: Upload
  /// The paths of ``UploadPart``, in the order of the request.
  package fileprivate(set) var paths: [[String]]
}

extension GraphQLRequest {
  /// The files to send, each once, in the order of their first places.
  ///
  /// - Throws: ``RelayError`` with code `request` for a stream that has two names or two media types:
  ///   it can be read only once, and what is sent once has one of each.
  /// - Complexity: O(*n*) in the places. Bytes of equal number, under the same name, are compared.
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
