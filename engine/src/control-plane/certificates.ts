import "./reflect-metadata.ts";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

/** A certificate and its private key in PEM form. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/** What a certificate is for. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly usages: readonly ("server" | "client")[];
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
}

const ecdsa = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const dayMs = 86_400_000;
/** Clocks of machines that share a directory may differ a little. */
const clockSkewMs = 300_000;

/** Makes a new certificate authority. */
export async function createAuthority(commonName: string, now = new Date()): Promise<CertificatePair> {
  const key = newKey();
  const publicKey = webKey(createPublicKey(key), "verify");
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    name: [{ CN: [commonName] }],
    keys: { privateKey: webKey(key, "sign"), publicKey },
    signingAlgorithm: ecdsa,
    ...validity(now, 3_650),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign | KeyUsageFlags.digitalSignature, true),
      await SubjectKeyIdentifierExtension.create(publicKey),
    ],
  });
  return { cert: certificate.toString("pem"), key: pemOf(key) };
}

/** Issues a certificate, valid for a year, that the authority signs. */
export async function issueCertificate(
  authority: CertificatePair,
  request: CertificateRequest,
  now = new Date(),
): Promise<CertificatePair> {
  const key = newKey();
  const names = [
    ...(request.dnsNames ?? []).map((value) => ({ type: "dns" as const, value })),
    ...(request.ipAddresses ?? []).map((value) => ({ type: "ip" as const, value })),
  ];
  const issuer = new X509Certificate(authority.cert);
  const publicKey = webKey(createPublicKey(key), "verify");
  const usages = { server: ExtendedKeyUsage.serverAuth, client: ExtendedKeyUsage.clientAuth };
  const certificate = await X509CertificateGenerator.create({
    serialNumber: newSerialNumber(),
    issuer: issuer.subjectName,
    subject: [...(request.organizations ?? []).map((name) => ({ O: [name] })), { CN: [request.commonName] }],
    publicKey,
    signingKey: webKey(createPrivateKey(authority.key), "sign"),
    signingAlgorithm: ecdsa,
    ...validity(now, 365),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension(request.usages.map((usage) => usages[usage])),
      await SubjectKeyIdentifierExtension.create(publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)]),
    ],
  });
  return { cert: certificate.toString("pem"), key: pemOf(key) };
}

/** A key pair in PEM form. */
export interface SigningKey {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** Makes a key for signing the tokens of service accounts. */
export function createSigningKey(): SigningKey {
  return signingKeyFrom(pemOf(newKey()));
}

/** Completes a private key with its public half. */
export function signingKeyFrom(privateKey: string): SigningKey {
  return { privateKey, publicKey: pemOf(createPublicKey(privateKey)) };
}

function newKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: ecdsa.namedCurve }).privateKey;
}

function pemOf(key: KeyObject): string {
  return key.export({ type: key.type === "public" ? "spki" : "pkcs8", format: "pem" }).toString();
}

function webKey(key: KeyObject, use: "sign" | "verify"): ReturnType<KeyObject["toCryptoKey"]> {
  return key.toCryptoKey(ecdsa, true, [use]);
}

/** RFC 5280 section 4.1.2.2 asks for a positive number of at most 20 octets. */
function newSerialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString("hex");
}

function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.getTime() - clockSkewMs),
    notAfter: new Date(now.getTime() + days * dayMs),
  };
}
