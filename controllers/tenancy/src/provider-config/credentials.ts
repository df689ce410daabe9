import { missingCredentials, namespaces, type ProviderConfig } from "@butler/api";
import { holds, lacks } from "@butler/controller";
import { type ConditionStatement, keyText, type ObjectKey } from "@butler/resource";

/** Where the credentials of a ProviderConfig are; undefined when it names none. */
export function credentialsKeyOf({ metadata, spec }: ProviderConfig): ObjectKey | undefined {
  const reference = spec.credentialsRef;
  return reference && { name: reference.name, namespace: reference.namespace || metadata.namespace };
}

/** Judges credentials by the keys of their Secret that have content; undefined keys mean that there is no Secret. */
export function credentialsCondition(config: ProviderConfig, keys: readonly string[] | undefined): ConditionStatement {
  const { provider } = config.spec;
  const key = credentialsKeyOf(config);
  if (key === undefined || provider === "local") {
    return provider === "local"
      ? holds("CredentialsValid", "NotNeeded", "machines as pods need no credentials")
      : invalid(`provider ${provider} needs credentials; name a Secret in spec.credentialsRef`);
  }
  const place = `Secret ${keyText(key)}`;
  if (isBorrowed(config, key)) {
    return invalid(
      `${place} is in another namespace, which only ProviderConfigs in ${namespaces.system} may refer to; put the ` +
        `credentials into a Secret in ${config.metadata.namespace}`,
    );
  }
  if (keys === undefined) return invalid(`${place} does not exist; create it, or correct spec.credentialsRef`);
  const missing = missingCredentials(provider, keys);
  if (missing === undefined) return holds("CredentialsValid", "Ready", `${place} has the keys that are needed`);
  return invalid(`${place} lacks ${missing}; add it with the credentials of the provider`);
}

/** Otherwise whoever may write a ProviderConfig anywhere could have others' credentials sent to a server of theirs. */
function isBorrowed({ metadata }: ProviderConfig, { namespace }: ObjectKey): boolean {
  return namespace !== metadata.namespace && metadata.namespace !== namespaces.system;
}

function invalid(message: string): ConditionStatement {
  return lacks("CredentialsValid", "CredentialsInvalid", message);
}
