#if os(Linux)
  import Foundation
  import Glibc
  import RelayNetwork
  import RelayStore
  import Testing

  @Suite(
    "Scenarios: a proxy set by environment variables", .timeLimit(.minutes(1)),
    .enabled(
      if: PythonProcess.isInstalled || PythonProcess.isRequired,
      "the real proxy needs .venv, which make test creates"))
  struct ProxyScenarios {
    /// The input of a test that runs in another process: its environment variables, and the
    /// servers.
    struct ProxyCase: Codable {
      var variables: [String: String]
      var plain: URL
      var tls: URL
      var authority: URL

      /// Sets the environment variables of the process.
      func setVariables() {
        for (name, value) in variables { setenv(name, value, 1) }
      }

      var transports: [HTTPTransport] {
        let certificates = HTTPTransport.Certificates(authorities: authority)
        return [plain, tls].map {
          HTTPTransport(url: $0, timeout: .seconds(30), certificates: certificates)
        }
      }
    }

    private static func proxyCase(_ variables: [String: String]) async throws -> ProxyCase {
      let servers = try await TLSServers.shared()
      return ProxyCase(
        variables: variables, plain: servers.url(of: .plain, scheme: "http"),
        tls: servers.url(of: .valid), authority: servers.certificate("authority"))
    }

    @Test("requests use the proxy, and requests over TLS tunnel HTTP/2 through it")
    func usesProxy() async throws {
      let proxy = try await TLSServers.shared().proxy()
      let proxyCase = try await Self.proxyCase(["http_proxy": proxy, "https_proxy": proxy])
      await #expect(processExitsWith: .success) { [proxyCase = proxyCase as ProxyCase] in
        proxyCase.setVariables()
        var versions: [String] = []
        for transport in proxyCase.transports {
          versions.append(try await transport.protocolVersion())
        }
        #expect(versions == ["1.1", "2"])
      }
    }

    @Test("a proxy that requires a password is a specific error, and the request is not retryable")
    func passwordRequired() async throws {
      let proxy = try await TLSServers.shared().proxy(user: nil)
      let proxyCase = try await Self.proxyCase(["http_proxy": proxy, "https_proxy": proxy])
      await #expect(processExitsWith: .success) { [proxyCase = proxyCase as ProxyCase] in
        proxyCase.setVariables()
        let plain = await proxyCase.transports[0].failure()
        #expect(plain?.status == 407 && plain?.isRetryable == false)
        let tunnel = await proxyCase.transports[1].failure()
        #expect(tunnel?.fault == .userAuthenticationRequired && tunnel?.isRetryable == false)
        #expect(tunnel?.message.contains("407") == true)
      }
    }

    @Test("hosts in no_proxy are reached without the proxy")
    func noProxyHosts() async throws {
      let proxy = try await TLSServers.shared().proxy(user: nil)
      let proxyCase = try await Self.proxyCase([
        "http_proxy": proxy, "https_proxy": proxy, "no_proxy": "127.0.0.1",
      ])
      await #expect(processExitsWith: .success) { [proxyCase = proxyCase as ProxyCase] in
        proxyCase.setVariables()
        for transport in proxyCase.transports { _ = try await transport.protocolVersion() }
      }
    }
  }
#endif
