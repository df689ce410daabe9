import type { IdentityProvider } from "@butler/api";
import type { ObserveContext } from "@butler/controller";
import type { Observed } from "./plan.ts";
import type { IdentityProviderPorts } from "./ports.ts";
import { secretPlaceOf } from "./secret.ts";

/** Reads what the plan needs; of the client secret, only whether it exists. */
export async function observe({
  primary,
  ports,
  signal,
}: ObserveContext<typeof IdentityProvider, IdentityProviderPorts>): Promise<Observed> {
  const place = secretPlaceOf(primary);
  const [secretKeys, issuer] = await Promise.all([
    place && ports.secretKeys(place, signal),
    ports.look(primary.spec.oidc ?? {}, signal),
  ]);
  return { provider: primary, secretKeys, issuer };
}
