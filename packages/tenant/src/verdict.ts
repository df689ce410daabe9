import { ButlerError, Timeout, Unauthenticated } from "@butler/std";

/** What a failed request says about the server that it was sent to. */
export type Verdict =
  /** It answered, if only to refuse. */
  | "answered"
  /** No answer came. */
  | "unanswered"
  /** It does not believe who we are. */
  | "unauthenticated"
  /** We do not believe who it is, or our own credentials are broken. */
  | "untrusted"
  /** The caller lost interest: nothing was learned. */
  | "unheard";

/** How OpenSSL and Node name a certificate of the server that the authority we have does not vouch for. */
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

/** Keys and certificates that cannot be read, or do not belong together. */
const brokenCredentials = /^ERR_(OSSL_|CRYPTO_)/;

/** The server refuses our certificate before it reads any request. */
const refusedCertificate = /^ERR_SSL_.*ALERT.*(CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/;

/** What a failed request says. A caller whose own deadline passed has waited for an answer as much as any other. */
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

/** Whether other credentials might help, and the request did certainly nothing. */
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
