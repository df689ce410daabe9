import { type IdentityProvider, namespaces, secretKeys } from "@butler/api";
import type { KubeClient } from "@butler/kube";
import { builtinKinds } from "@butler/resource";
import { type Clock, describeError, Unavailable } from "@butler/std";
import { createRemoteJWKSet, customFetch as joseFetch } from "jose";
import * as oidc from "openid-client";
import { RouteProblem } from "../../http/problem.ts";
import { textIn } from "../sessions/session-record.ts";
import { outgoingFetch, type OutgoingOptions } from "@butler/administration/issuers";

const { Secret } = builtinKinds;

/** A provider's metadata is refetched after the first interval, and after a failure no sooner than the second. */
const freshMs = 15 * 60_000;
const againMs = 2_000;

/** Dependencies for connecting to identity providers. */
export interface ProviderParts {
  readonly client: Pick<KubeClient, "find">;
  readonly clock: Clock;
  readonly outgoing: OutgoingOptions;
}

/** A provider whose settings are known. */
export interface ReadyProvider {
  readonly configuration: oidc.Configuration;
  /** Signing keys of the provider; refetched if a token names an unknown key. */
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
  readonly fetch: ReturnType<typeof outgoingFetch>;
}

interface Entry {
  readonly version: string;
  readonly askedAtMs: number;
  readonly ready: Promise<ReadyProvider>;
  hasFailed: boolean;
}

/** Caches the discovery documents of identity providers. Retries providers that are down. */
export class ProviderDirectory {
  readonly #parts: ProviderParts;
  readonly #entries = new Map<string, Entry>();

  constructor(parts: ProviderParts) {
    this.#parts = parts;
  }

  /** The provider with its current settings; throws while it is unreachable. */
  async ready(provider: IdentityProvider, signal: AbortSignal): Promise<ReadyProvider> {
    const { name, uid = "", generation = 0 } = provider.metadata;
    const clientSecret = await this.#clientSecretOf(provider, signal);
    const version = JSON.stringify([uid, generation, clientSecret]);
    const nowMs = this.#parts.clock.monotonicMs();
    const known = this.#entries.get(name);
    if (known?.version === version && nowMs - known.askedAtMs < (known.hasFailed ? againMs : freshMs)) {
      return known.ready;
    }
    const ready = this.#ask(provider, clientSecret);
    const entry: Entry = { version, askedAtMs: nowMs, ready, hasFailed: false };
    ready.catch(() => (entry.hasFailed = true));
    this.#entries.set(name, entry);
    return ready;
  }

  async #clientSecretOf({ spec }: IdentityProvider, signal: AbortSignal): Promise<string> {
    const reference = spec.oidc?.clientSecretRef;
    const key = { name: reference?.name ?? "", namespace: reference?.namespace ?? namespaces.system };
    const secret = await this.#parts.client.find(Secret, key, signal);
    const text = textIn(secret, reference?.key ?? secretKeys.clientSecret);
    if (text === undefined) {
      throw new RouteProblem("UNAVAILABLE", "the provider's client secret is missing", {
        hint: "Ask a platform administrator to store the client secret again.",
      });
    }
    return text;
  }

  async #ask({ metadata, spec }: IdentityProvider, clientSecret: string): Promise<ReadyProvider> {
    const { issuerURL = "", clientID = "", certificateAuthority, insecureSkipVerify = false } = spec.oidc ?? {};
    const { outgoing } = this.#parts;
    const authorities = certificateAuthority || outgoing.authorities;
    const fetch = outgoingFetch({ ...outgoing, authorities, isInsecure: insecureSkipVerify });
    try {
      const configuration = await oidc.discovery(new URL(issuerURL), clientID, clientSecret, undefined, {
        [oidc.customFetch]: fetch as oidc.CustomFetch,
        timeout: 10,
      });
      const { issuer, jwks_uri: jwksUri } = configuration.serverMetadata();
      if (issuer !== issuerURL || jwksUri === undefined) {
        throw new Unavailable("the issuer's metadata has a different issuer URL or no jwks_uri");
      }
      const keys = createRemoteJWKSet(new URL(jwksUri), {
        [joseFetch]: fetch,
        // New keys of a provider are fetched promptly, but attackers cannot trigger a fetch more than once a second.
        cooldownDuration: 1_000,
        cacheMaxAge: 5 * 60_000,
      });
      return { configuration, keys, fetch };
    } catch (error) {
      throw new Unavailable(`identity provider ${metadata.name} is unavailable: ${describeError(error)}`, {
        cause: error,
        hint: "Try again later.",
      });
    }
  }
}

/** Label of a provider's sign-in button. */
export function buttonLabelOf({ metadata, spec }: IdentityProvider): string {
  if (spec.displayName) return spec.displayName;
  const issuer = spec.oidc?.issuerURL ?? "";
  return URL.canParse(issuer) ? new URL(issuer).hostname : metadata.name;
}
