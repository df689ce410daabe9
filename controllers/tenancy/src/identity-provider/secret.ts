import { type IdentityProvider, namespaces, secretKeys } from "@butler/api";
import { holds, lacks } from "@butler/controller";
import { type ConditionStatement, keyText, type ObjectKey } from "@butler/resource";

/** Where the client secret of a provider is; undefined when it names none. */
export function secretPlaceOf({ spec }: IdentityProvider): ObjectKey | undefined {
  const reference = spec.oidc?.clientSecretRef;
  return reference && { name: reference.name, namespace: reference.namespace || namespaces.system };
}

/** Judges the client secret by the keys of its Secret that have content; undefined keys mean that there is no Secret. */
export function secretCondition(provider: IdentityProvider, keys: readonly string[] | undefined): ConditionStatement {
  const place = secretPlaceOf(provider);
  if (place === undefined) return invalid("there is no client secret; name a Secret in spec.oidc.clientSecretRef");
  const name = `Secret ${keyText(place)}`;
  if (keys === undefined) return invalid(`${name} does not exist; create it, or correct spec.oidc.clientSecretRef`);
  const wanted = provider.spec.oidc?.clientSecretRef.key ?? secretKeys.clientSecret;
  if (!keys.includes(wanted)) return invalid(`${name} lacks ${wanted}; add it with the client's secret`);
  return holds("SecretValid", "Found", `${name} has the client's secret`);
}

function invalid(message: string): ConditionStatement {
  return lacks("SecretValid", "SecretInvalid", message);
}
