import type { Reach } from "@butler/std/outgoing";
import { ask, type Question } from "./ask.ts";
import { ChartUnavailable } from "./chart-unavailable.ts";
import { basicAuthorization, type RepositoryCredentials } from "./credentials.ts";
import type { RepositoryTools } from "./located-chart.ts";
import { statusFault } from "./network-fault.ts";
import { judgeRealm, parseChallenges } from "./oci-challenge.ts";
import { tokenOf } from "./oci-manifest.ts";
import { readBody } from "./read-body.ts";
import type { HttpAnswer } from "./transport.ts";

/** A request to a registry. */
export interface RegistryQuestion {
  /** Below /v2/, or a full URL that the registry returned. */
  readonly url: URL;
  readonly purpose: Question["purpose"];
  readonly isDigestKnown?: boolean;
  readonly accept?: string;
}

/** A registry session for one chart: authenticates on request, and caches the token. */
export class RegistrySession {
  readonly #tools: RepositoryTools;
  readonly #registry: URL;
  readonly #path: string;
  readonly #credentials: RepositoryCredentials;
  #authorization: string | undefined;
  #reach: Reach = "loopback";

  constructor(
    tools: RepositoryTools,
    registry: { readonly url: URL; readonly path: string },
    credentials: RepositoryCredentials | undefined,
  ) {
    this.#tools = tools;
    this.#registry = new URL(registry.url.origin);
    this.#path = registry.path;
    this.#credentials = credentials ?? {};
  }

  /** The URL of a resource of this chart, such as its manifests. */
  urlOf(rest: string): URL {
    return new URL(`/v2/${this.#path}/${rest}`, this.#registry);
  }

  /** Sends a request; authenticates and repeats it when the registry requires it. */
  async ask(question: RegistryQuestion, signal: AbortSignal): Promise<HttpAnswer> {
    const first = await this.#send(question, signal);
    this.#reach = first.reach;
    if (first.status !== 401 || this.#authorization !== undefined) return first;
    first.discard();
    this.#authorization = await this.#prove(first.headers["www-authenticate"], signal);
    return this.#send(question, signal);
  }

  #send(
    { url, purpose, isDigestKnown = false, accept = "*/*" }: RegistryQuestion,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const question = {
      repository: this.#registry,
      url,
      purpose,
      isDigestKnown,
      authorization: this.#authorization,
      headers: { accept, "accept-encoding": "identity" },
      ca: this.#credentials.ca,
      floor: this.#reach,
    };
    return ask(this.#tools.transport, question, { redirects: this.#tools.limits.redirects, signal });
  }

  async #prove(header: string | undefined, signal: AbortSignal): Promise<string> {
    const challenges = parseChallenges(header);
    const bearer = challenges.find(({ scheme }) => scheme === "bearer");
    if (bearer !== undefined) return this.#fetchToken(bearer.parameters, signal);
    const basic = basicAuthorization(this.#credentials);
    if (basic !== undefined && challenges.some(({ scheme }) => scheme === "basic")) return basic;
    throw new ChartUnavailable("CredentialsRefused", `${this.#registry.host} requires credentials`, {
      hint: "Set the username and password of the repository.",
    });
  }

  async #fetchToken(parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string> {
    const judged = judgeRealm(this.#registry, parameters["realm"]);
    if (judged === undefined) {
      const what = `refusing to send credentials to the token server of ${this.#registry.host}`;
      throw new ChartUnavailable("RepositoryRedirected", what, {
        hint: "The realm in the registry's WWW-Authenticate header must be an https URL without credentials.",
      });
    }
    const { realm, withCredentials } = judged;
    const { host } = realm;
    if (parameters["service"] !== undefined) realm.searchParams.set("service", parameters["service"]);
    // Requests only the scope that is needed, whatever the registry proposes.
    realm.searchParams.set("scope", `repository:${this.#path}:pull`);
    const question = {
      repository: realm,
      url: realm,
      purpose: "metadata",
      authorization: withCredentials ? basicAuthorization(this.#credentials) : undefined,
      headers: { "accept-encoding": "identity" },
      ca: this.#credentials.ca,
      floor: this.#reach,
    } as const;
    const { transport, limits } = this.#tools;
    const answer = await ask(transport, question, { redirects: limits.redirects, signal });
    const fault = statusFault(answer.status, host);
    if (fault !== undefined) {
      answer.discard();
      throw fault;
    }
    const body = await readBody(answer, { host, what: "the token", bytes: Math.min(65_536, limits.manifestBytes) });
    const token = tokenOf(body.toString("utf8"), host);
    if (token !== undefined) return `Bearer ${token}`;
    throw new ChartUnavailable("RepositoryInvalid", `${host} returned no token`);
  }
}
