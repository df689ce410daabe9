import { askIssuer, type IssuerFacts, type OutgoingOptions } from "@butler/administration/issuers";
import type { IdentityProvider } from "@butler/api";
import type { KubeClient } from "@butler/kube";
import { type Clock, systemClock } from "@butler/std";
import { type SecretKeys, secretKeysBy } from "../shared/index.ts";
import { freshMs } from "./plan.ts";

/** Connection settings of an issuer. */
export type IssuerSettings = Partial<
  Pick<NonNullable<IdentityProvider["spec"]["oidc"]>, "issuerURL" | "certificateAuthority" | "insecureSkipVerify">
>;

/** What the IdentityProviders controller uses besides its caches. */
export interface IdentityProviderPorts {
  readonly secretKeys: SecretKeys;
  /** An issuer's discovery document, cached for a short time. */
  readonly look: (settings: IssuerSettings, signal: AbortSignal) => Promise<IssuerFacts>;
}

interface PortOptions {
  readonly clock?: Clock;
  /** The addresses that settings may make the controller connect to. */
  readonly outgoing?: OutgoingOptions | undefined;
}

/** The production ports. */
export function createIdentityProviderPorts(
  client: KubeClient,
  { clock = systemClock, outgoing = {} }: PortOptions = {},
): IdentityProviderPorts {
  const known = new Map<string, { readonly facts: IssuerFacts; readonly untilMs: number }>();
  return {
    secretKeys: secretKeysBy(client),
    look: async ({ issuerURL = "", certificateAuthority, insecureSkipVerify }, signal) => {
      const key = JSON.stringify([issuerURL, certificateAuthority, insecureSkipVerify]);
      const now = clock.monotonicMs();
      for (const [name, { untilMs }] of known) if (untilMs <= now) known.delete(name);
      const before = known.get(key);
      if (before !== undefined) return before.facts;
      const authorities = certificateAuthority || undefined;
      const facts = await askIssuer(issuerURL, { ...outgoing, authorities, isInsecure: insecureSkipVerify, signal });
      known.set(key, { facts, untilMs: clock.monotonicMs() + (facts.valid ? freshMs.good : freshMs.bad) });
      return facts;
    },
  };
}
