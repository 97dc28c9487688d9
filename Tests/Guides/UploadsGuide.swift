import Foundation
import RelayPersistence
import RelayStore

// The Swift code of Docs/Uploads.md; a test compares them.

private let uploads = graphql(
  """
  mutation UploadAvatarMutation($file: Upload!) {
    setAvatar(file: $file) { viewer { id avatar } }
  }
  mutation AttachMutation($todo: ID!, $files: [Upload!]!) {
    attach(todo: $todo, files: $files) { todo { id attachments } }
  }
  """)

/// Sends the user's files.
struct FileUploads {
  let environment: RelayEnvironment

  func setAvatar(_ image: Data) async throws {
    let file = Upload(image, fileName: "me.png", contentType: "image/png")
    try await environment.commit(UploadAvatarMutation(file: file))
  }

  func attach(_ photos: [URL], to todo: String) async throws {
    let files = photos.map { Upload(file: $0, contentType: "image/jpeg") }
    try await environment.commit(AttachMutation(todo: todo, files: files))
  }
}

extension FileUploads {
  /// Sends a recording while it is made.
  func attach(_ microphone: AsyncStream<[UInt8]>, to todo: String) async throws {
    let note = Upload(stream: microphone, fileName: "note.m4a", contentType: "audio/mp4")
    try await environment.commit(AttachMutation(todo: todo, files: [note]))
  }

  /// Sends a video, and shows the progress.
  func attach(_ video: URL, to todo: String, on screen: Screen) async throws {
    let file = Upload(file: video, contentType: "video/mp4")
    let progress = TransferProgress()
    async let result = environment.commit(
      AttachMutation(todo: todo, files: [file]), context: RequestContext(progress: progress))
    for await value in progress.values {
      await screen.show("\(Int(100 * (value.sent.fraction ?? 0))) % sent")
    }
    _ = try await result
  }

  /// Sends a photo when there is a network.
  func attachLater(_ photo: URL, to todo: String) async throws {
    let file = Upload(file: photo, contentType: "image/jpeg")
    try await environment.commit(
      AttachMutation(todo: todo, files: [file]), durability: .outbox(), label: "A photo",
      movesFiles: true)
  }
}
