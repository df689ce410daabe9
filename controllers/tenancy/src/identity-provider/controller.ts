import { IdentityProvider } from "@butler/api";
import { defineController, via } from "@butler/controller";
import { builtinKinds, keyOf, keyText } from "@butler/resource";
import { observe } from "./observe.ts";
import { type Observed, plan } from "./plan.ts";
import type { IdentityProviderPorts } from "./ports.ts";
import { secretPlaceOf } from "./secret.ts";

const bySecret = "client-secret";

/** Reports whether users can sign in through each identity provider: the issuer responds and the secret exists. */
export const identityProviderController = defineController<
  typeof IdentityProvider,
  Observed,
  never,
  IdentityProviderPorts
>({
  name: "identity-provider",
  primary: IdentityProvider,
  watches: [
    // A change notification is enough: the content of Secrets need not be kept in memory.
    via(
      builtinKinds.Secret,
      (secret, read) => read.byIndex(IdentityProvider, bySecret, keyText(keyOf(secret))).map(keyOf),
      { metadataOnly: true },
    ),
  ],
  indexes: [{ kind: IdentityProvider, name: bySecret, of: (object) => placesOf(object as IdentityProvider) }],
  observe,
  plan,
  perform: {},
});

function placesOf(provider: IdentityProvider): string[] {
  const place = secretPlaceOf(provider);
  return place === undefined ? [] : [keyText(place)];
}
