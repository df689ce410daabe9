import { isRecord } from "@butler/std";
import { unreachableHint } from "@butler/std/outgoing";
import { ChartUnavailable } from "./chart-unavailable.ts";

const untrusted = new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Explains a failed connection. Never quotes what the server sent. */
export function networkFault(error: unknown, host: string): ChartUnavailable {
  if (error instanceof ChartUnavailable) return error;
  const code = codeOf(error);
  if (untrusted.has(code)) {
    return new ChartUnavailable("RepositoryUnreachable", `the certificate of ${host} is not trusted (${code})`, {
      hint: "Add the repository's CA certificate to the credentials Secret, or renew the server certificate.",
      isPassing: false,
    });
  }
  if (code.startsWith("HPE_")) {
    return new ChartUnavailable("RepositoryInvalid", `${host} returned a response that is not valid HTTP`, {
      hint: "Check that the URL points to a chart repository.",
    });
  }
  return unreachableFault(host);
}

/**
 * No connection, for whatever reason: the address is refused, closed, filtered or unknown, or does not speak TLS. One
 * message for all, because tenants write these addresses and must not learn what listens in the platform's networks.
 */
export function unreachableFault(host: string): ChartUnavailable {
  return new ChartUnavailable("RepositoryUnreachable", `${host} is unreachable`, { hint: unreachableHint });
}

/** A timeout of a repository. */
export function timeoutFault(host: string, what: string): ChartUnavailable {
  return new ChartUnavailable("RepositoryTimeout", `request to ${host} timed out: ${what}`, {
    hint: "Butler retries automatically. If the error persists, check the repository and the network.",
  });
}

/** Explains an unsuccessful status; undefined when it is a success. */
export function statusFault(status: number, host: string): ChartUnavailable | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 401 || status === 403) {
    return new ChartUnavailable("CredentialsRefused", `${host} denied access (status ${status})`, {
      hint: "Check the repository's username and password, and whether the account has access to this chart.",
    });
  }
  if (status === 408) return timeoutFault(host, "the server reported a timeout (status 408)");
  if (status === 429 || status >= 500) {
    const why = status === 429 ? "too many requests" : "server error";
    return new ChartUnavailable("RepositoryUnreachable", `${host} is unavailable: ${why} (status ${status})`, {
      hint: "Butler retries automatically.",
    });
  }
  return new ChartUnavailable("RepositoryInvalid", `${host} returned unexpected status ${status}`, {
    hint: "Check that the URL points to a chart repository.",
  });
}

/** A response that exceeds its limit. */
export function tooLarge(host: string, what: string, bytes: number): ChartUnavailable {
  const size = bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${bytes} bytes`;
  return new ChartUnavailable("RepositoryTooLarge", `${what} of ${host} is larger than ${size}`, {
    hint: "Use a smaller repository, or a smaller chart.",
  });
}

/** When several addresses were tried, the first failure is reported. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return isRecord(error) && typeof error["code"] === "string" ? error["code"] : "";
}
