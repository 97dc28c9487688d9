"""A certificate authority for the tests, and the certificates it issues, as PEM files."""

import datetime
import ipaddress
import pathlib

import trustme
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

HOST = "127.0.0.1"
DAY = datetime.timedelta(days=1)


def now():
    return datetime.datetime.now(datetime.UTC)


class Certificates:
    """The PEM files: `<name>.pem` contains a certificate, its chain and its private key."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.authority = trustme.CA()
        self.authority.cert_pem.write_to_path(self.path("authority"))

    def path(self, name):
        return self.folder / f"{name}.pem"

    def issue(self, name, *hosts, by=None, not_after=None):
        certificate = (by or self.authority).issue_cert(*hosts, not_after=not_after)
        certificate.private_key_and_cert_chain_pem.write_to_path(self.path(name))
        return self.path(name), certificate

    def issue_self_signed(self, name):
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Self-signed")])
        address = x509.IPAddress(ipaddress.ip_address(HOST))
        certificate = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now() - DAY)
            .not_valid_after(now() + DAY)
            .add_extension(x509.SubjectAlternativeName([address]), critical=False)
            .sign(key, hashes.SHA256())
        )
        private = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        public = certificate.public_bytes(serialization.Encoding.PEM)
        self.path(name).write_bytes(private + public)
        return self.path(name)

    def revoke(self, certificate):
        """Writes the authority's revocation list with this certificate, and returns its path."""
        serial = x509.load_pem_x509_certificate(certificate.cert_chain_pems[0].bytes()).serial_number
        issuer = x509.load_pem_x509_certificate(self.authority.cert_pem.bytes())
        key = serialization.load_pem_private_key(self.authority.private_key_pem.bytes(), None)
        revoked = (
            x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(now()).build()
        )
        revocations = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(issuer.subject)
            .last_update(now() - DAY)
            .next_update(now() + DAY)
            .add_revoked_certificate(revoked)
            .sign(key, hashes.SHA256())
        )
        self.path("revocations").write_bytes(revocations.public_bytes(serialization.Encoding.PEM))
        return self.path("revocations")
