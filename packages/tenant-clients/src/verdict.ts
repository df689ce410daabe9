import { ButlerError, Timeout, Unauthenticated } from "@butler/std";

/** What a failed request implies about its server. */
export type Verdict =
  /** It responded, if only with a rejection. */
  | "answered"
  /** No response. */
  | "unanswered"
  /** It rejects our credentials. */
  | "unauthenticated"
  /** We do not trust it, or our own credentials are invalid. */
  | "untrusted"
  /** The caller canceled: nothing was learned. */
  | "unheard";

/** Error codes of OpenSSL and Node for a server certificate that our CA did not sign. */
const distrust = new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REJECTED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "INVALID_CA",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Keys and certificates that are unreadable or do not match. */
const brokenCredentials = /^ERR_(OSSL_|CRYPTO_)/;

/** The server rejects our certificate during the handshake. */
const refusedCertificate = /^ERR_SSL_.*ALERT.*(CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/;

/** The verdict on a failed request. A caller's timeout counts like any other timeout. */
export function verdictOf(error: unknown, signal: AbortSignal | undefined): Verdict {
  if (signal?.aborted === true) return isDeadline(signal.reason) ? "unanswered" : "unheard";
  if (error instanceof Unauthenticated) return "unauthenticated";
  if (error instanceof ButlerError && error.details["status"] !== undefined) return "answered";
  return (
    codesOf(error)
      .map(verdictOfCode)
      .find((verdict) => verdict !== undefined) ?? "unanswered"
  );
}

/** Whether other credentials might help, and the request certainly had no effect. */
export function isAboutCredentials(verdict: Verdict): boolean {
  return verdict === "unauthenticated" || verdict === "untrusted";
}

function isDeadline(reason: unknown): boolean {
  return reason instanceof Timeout || (reason instanceof Error && reason.name === "TimeoutError");
}

function verdictOfCode(code: string): Verdict | undefined {
  if (refusedCertificate.test(code)) return "unauthenticated";
  return distrust.has(code) || brokenCredentials.test(code) ? "untrusted" : undefined;
}

function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    if ("code" in at && typeof at.code === "string") codes.push(at.code);
  }
  return codes;
}
