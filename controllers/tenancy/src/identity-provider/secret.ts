import { type IdentityProvider, namespaces, secretKeys } from "@butler/api";
import { holds, lacks } from "@butler/controller";
import { type ConditionStatement, keyText, type ObjectKey } from "@butler/resource";

/** Key of the client Secret of a provider; undefined when it refers to none. */
export function secretPlaceOf({ spec }: IdentityProvider): ObjectKey | undefined {
  const reference = spec.oidc?.clientSecretRef;
  return reference && { name: reference.name, namespace: reference.namespace || namespaces.system };
}

/**
 * Validates the client secret by the non-empty keys of its Secret; undefined keys mean that the Secret does not exist.
 */
export function secretCondition(provider: IdentityProvider, keys: readonly string[] | undefined): ConditionStatement {
  const place = secretPlaceOf(provider);
  if (place === undefined) return invalid("no client secret set; reference a Secret in spec.oidc.clientSecretRef");
  const name = `Secret ${keyText(place)}`;
  if (keys === undefined) return invalid(`${name} not found; create it, or correct spec.oidc.clientSecretRef`);
  const wanted = provider.spec.oidc?.clientSecretRef.key ?? secretKeys.clientSecret;
  if (!keys.includes(wanted)) return invalid(`${name} has no key ${wanted}; add it with the client secret`);
  return holds("SecretValid", "Found", `${name} contains the client secret`);
}

function invalid(message: string): ConditionStatement {
  return lacks("SecretValid", "SecretInvalid", message);
}
