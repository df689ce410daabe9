import { ChartUnavailable } from "./chart-unavailable.ts";
import { isSameServer } from "./repository-address.ts";

/** The purpose of a request: metadata must come from the repository itself, an archive may be on another host. */
export type Purpose = "metadata" | "archive";

/** A redirect or reference from one address to another. */
export interface Detour {
  /** The configured repository. */
  readonly repository: URL;
  readonly from: URL;
  readonly to: URL;
  readonly purpose: Purpose;
  /** Whether the response can be verified against a digest from the repository. */
  readonly isDigestKnown: boolean;
}

/** Rejects a forbidden redirect; returns whether to send the repository's credentials along. */
export function judgeDetour({ repository, from, to, purpose, isDigestKnown }: Detour): {
  readonly withCredentials: boolean;
} {
  if (to.protocol !== "https:" && to.protocol !== "http:")
    throw refusal(repository, "to a URL that is neither HTTP nor HTTPS");
  if (to.username !== "" || to.password !== "") throw refusal(repository, "to a URL that contains credentials");
  if (from.protocol === "https:" && to.protocol === "http:") {
    throw refusal(repository, `from HTTPS to plain HTTP at ${to.host}`);
  }
  if (isSameServer(repository, to)) return { withCredentials: true };
  if (purpose === "metadata") throw refusal(repository, `to another host, ${to.host}`);
  if (!isDigestKnown) {
    throw refusal(repository, `the archive download to another host, ${to.host}, without a digest to verify it`);
  }
  return { withCredentials: false };
}

/** The target of a redirect; undefined when its address is invalid. */
export function detourTarget(from: URL, location: string | undefined): URL | undefined {
  if (location === undefined || location === "") return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

function refusal(repository: URL, where: string): ChartUnavailable {
  return new ChartUnavailable("RepositoryRedirected", `the repository at ${repository.host} redirects ${where}`, {
    hint: "Use the target URL of the redirect, or ask the repository administrator to publish chart digests in the index.",
  });
}
