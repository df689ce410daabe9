import { borrowsCredentials, credentialsKeyOf } from "@butler/access";
import { missingCredentials, namespaces, type ProviderConfig } from "@butler/api";
import { holds, lacks } from "@butler/controller";
import { type ConditionStatement, keyText } from "@butler/resource";

/** Validates credentials by the non-empty keys of their Secret; undefined keys mean that the Secret does not exist. */
export function credentialsCondition(config: ProviderConfig, keys: readonly string[] | undefined): ConditionStatement {
  const { provider } = config.spec;
  const key = credentialsKeyOf(config);
  if (key === undefined || provider === "local") {
    return provider === "local"
      ? holds("CredentialsValid", "NotNeeded", "provider local requires no credentials")
      : invalid(`provider ${provider} requires credentials; reference a Secret in spec.credentialsRef`);
  }
  const place = `Secret ${keyText(key)}`;
  if (borrowsCredentials(config)) {
    return invalid(
      `${place} is in another namespace; only ProviderConfigs in ${namespaces.system} can reference it; move the ` +
        `credentials to a Secret in ${config.metadata.namespace}`,
    );
  }
  if (keys === undefined) return invalid(`${place} not found; create it, or correct spec.credentialsRef`);
  const missing = missingCredentials(provider, keys);
  if (missing === undefined) return holds("CredentialsValid", "Ready", `${place} has all required keys`);
  return invalid(`${place} is missing ${missing}; add it with the provider's credentials`);
}

function invalid(message: string): ConditionStatement {
  return lacks("CredentialsValid", "CredentialsInvalid", message);
}
