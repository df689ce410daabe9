/**
 * Keys and certificates: CAs, issued certificates, their validation, and signing requests. Nothing here reads or writes
 * files or knows the purpose of certificates.
 */
export { type CertificateFacts, type CertificateUsage, readCertificate, renewalTime } from "./certificate-facts.ts";
export { type CertificateRequestFacts, readCertificateRequest } from "./certificate-request-facts.ts";
export {
  type CertificatePair,
  type CertificateRequest,
  createAuthority,
  issueCertificate,
  type IssueOptions,
} from "./certificates.ts";
export { type ExpectedCertificate, faultOf } from "./fault.ts";
export { buildKubeconfig, type Kubeconfig, type KubeconfigParts } from "./kubeconfig.ts";
export type { KeyAlgorithm } from "./keys.ts";
export { createSigningKey, type SigningKey, signingKeyFrom } from "./signing-key.ts";
