import { isRecord } from "@butler/std";
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

const unreachable: Readonly<Record<string, string>> = {
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "its name cannot be resolved now",
  ECONNREFUSED: "it refuses connections",
  EHOSTUNREACH: "there is no way to it",
  ENETUNREACH: "there is no way to it",
  ECONNRESET: "it broke off the connection",
  EPIPE: "it broke off the connection",
  ERR_STREAM_PREMATURE_CLOSE: "it broke off the connection",
};

/** Says what a failed connection means. Nothing that the other side has sent is repeated. */
export function networkFault(error: unknown, host: string): ChartUnavailable {
  if (error instanceof ChartUnavailable) return error;
  const code = codeOf(error);
  if (untrusted.has(code)) {
    return new ChartUnavailable("RepositoryUnreachable", `the certificate of ${host} is not trusted (${code})`, {
      hint: "Give the repository's certificate authority with its credentials, or have the certificate renewed.",
      isPassing: false,
    });
  }
  if (code.startsWith("HPE_")) {
    return new ChartUnavailable("RepositoryInvalid", `${host} does not answer in proper HTTP`, {
      hint: "Check that the address is that of a chart repository.",
    });
  }
  if (code === "ETIMEDOUT") return timeoutFault(host, "the connection did not come about in time");
  const why = unreachable[code] ?? (isTlsFault(code) ? "it does not speak TLS as we do" : "the connection failed");
  return new ChartUnavailable("RepositoryUnreachable", `${host} cannot be reached: ${why}`, {
    hint: "Check the repository's address, and that Butler may connect to it.",
    details: { code },
  });
}

/** A repository that took too long. */
export function timeoutFault(host: string, what: string): ChartUnavailable {
  return new ChartUnavailable("RepositoryTimeout", `${host} took too long: ${what}`, {
    hint: "It is tried again by itself; if it stays so, look at the repository and the network to it.",
  });
}

/** Says what an answer other than a success means; undefined when it is one. */
export function statusFault(status: number, host: string): ChartUnavailable | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 401 || status === 403) {
    return new ChartUnavailable("CredentialsRefused", `${host} refuses access (status ${status})`, {
      hint: "Check the username and password of the repository, and whether they may read this chart.",
    });
  }
  if (status === 408) return timeoutFault(host, "it says that the request took too long (status 408)");
  if (status === 429 || status >= 500) {
    const why = status === 429 ? "it is asked too often" : "it has a fault of its own";
    return new ChartUnavailable("RepositoryUnreachable", `${host} does not serve now: ${why} (status ${status})`, {
      hint: "It is tried again by itself.",
    });
  }
  return new ChartUnavailable("RepositoryInvalid", `${host} answers with status ${status}, which is not expected`, {
    hint: "Check that the address is that of a chart repository.",
  });
}

/** More than may come. */
export function tooLarge(host: string, what: string, bytes: number): ChartUnavailable {
  const size = bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${bytes} bytes`;
  return new ChartUnavailable("RepositoryTooLarge", `${what} of ${host} is larger than ${size}`, {
    hint: "Use a repository with less in it, or a smaller chart.",
  });
}

function isTlsFault(code: string): boolean {
  return code === "EPROTO" || code.startsWith("ERR_SSL") || code.startsWith("ERR_TLS");
}

/** When several addresses were tried, the first failure speaks for all. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return isRecord(error) && typeof error["code"] === "string" ? error["code"] : "";
}
