import { ChartUnavailable } from "./chart-unavailable.ts";
import { isSameServer } from "./repository-address.ts";

/** What is asked for: what tells of charts comes from the repository itself, an archive may lie elsewhere. */
export type Purpose = "metadata" | "archive";

/** A step from one address to another that somebody else proposes. */
export interface Detour {
  /** The repository as it was asked for. */
  readonly repository: URL;
  readonly from: URL;
  readonly to: URL;
  readonly purpose: Purpose;
  /** Whether what comes back can be checked against a digest that the repository has given. */
  readonly isDigestKnown: boolean;
}

/** Refuses a detour that leads where it may not; says whether the repository's credentials may go along. */
export function judgeDetour({ repository, from, to, purpose, isDigestKnown }: Detour): {
  readonly withCredentials: boolean;
} {
  if (to.protocol !== "https:" && to.protocol !== "http:") throw refusal(repository, "to something other than HTTP");
  if (to.username !== "" || to.password !== "") throw refusal(repository, "to an address with credentials in it");
  if (from.protocol === "https:" && to.protocol === "http:") {
    throw refusal(repository, `from an encrypted address to one at ${to.host} that is not`);
  }
  if (isSameServer(repository, to)) return { withCredentials: true };
  if (purpose === "metadata") throw refusal(repository, `to another host, ${to.host}`);
  if (!isDigestKnown) {
    throw refusal(repository, `for its archive to another host, ${to.host}, without a digest to check it by`);
  }
  return { withCredentials: false };
}

/** Reads where an answer leads; an address that cannot be read leads nowhere. */
export function detourTarget(from: URL, location: string | undefined): URL | undefined {
  if (location === undefined || location === "") return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

function refusal(repository: URL, where: string): ChartUnavailable {
  return new ChartUnavailable("RepositoryRedirected", `the repository at ${repository.host} leads ${where}`, {
    hint: "Give the address where the charts really are, or have the repository list digests of its archives.",
  });
}
