import { credentialKeys, labels, managedByButler, missingCredentials, namespaces, ProviderConfig } from "@butler/api";
import type { NewProvider, ProviderChange, ProviderTest } from "@butler/contract";
import type { RefusalCause } from "@butler/kube";
import {
  builtinKinds,
  type DynamicObject,
  findCondition,
  isOwnedBy,
  keyText,
  type KubeObject,
  type ObjectKey,
} from "@butler/resource";
import { newObject, replacement } from "./new-object.ts";

/** Credentials for the infrastructure, by key. They are stored in Secrets only. */
export type Credentials = Readonly<Record<string, string | undefined>>;

/** The owner of a provider: a team, or the platform if none is named. */
export interface ProviderPlace {
  readonly team?: string | undefined;
}

/** The Secret that holds a provider's credentials. */
export function credentialsPlaceOf({ name, namespace }: ObjectKey): ObjectKey {
  return { name: `${name}-credentials`, namespace };
}

/** The key of a provider's credentials Secret; undefined if it references none. */
export function storedAt({ metadata, spec }: ProviderConfig): ObjectKey | undefined {
  const { name, namespace } = spec.credentialsRef ?? {};
  return name === undefined ? undefined : { name, namespace: namespace || metadata.namespace };
}

/** All faults of credentials, judged by their keys only. */
export function credentialFaults(provider: ProviderConfig["spec"]["provider"], credentials: Credentials = {}) {
  const keys = Object.keys(credentials).filter((key) => credentials[key] !== undefined);
  const known = new Set(credentialKeys[provider].flat());
  const strange = keys.filter((key) => !known.has(key));
  const missing = missingCredentials(provider, keys);
  const fault = (field: string, reason: string, message: string): RefusalCause => ({ field, reason, message });
  return [
    ...strange.map((key) =>
      fault(`credentials.${key}`, "UNKNOWN_FIELD", `${key} is not a valid credential for provider type ${provider}`),
    ),
    ...(missing === undefined
      ? []
      : [fault("credentials", "REQUIRED", `provider type ${provider} requires ${missing} in its credentials`)]),
  ];
}

/** A new provider, and the Secret that goes with it unless it needs no credentials. */
export interface NewProviderObjects {
  readonly config: DynamicObject;
  readonly secret: DynamicObject | undefined;
}

/** The objects of a new provider. Its owner comes from the route, not from the request. */
export function buildProvider(body: NewProvider, { team }: ProviderPlace): NewProviderObjects {
  const { name, credentials, ...settings } = body;
  const key = { name, namespace: team ?? namespaces.system };
  const place = credentialsPlaceOf(key);
  const hasCredentials = body.provider !== "local";
  const spec = {
    ...settings,
    ...(hasCredentials ? { credentialsRef: { name: place.name } } : {}),
    scope: scopeOf(team),
  };
  const config = newObject(ProviderConfig, key, { spec });
  return { config, secret: hasCredentials ? secretOf(config, credentials ?? {}) : undefined };
}

function scopeOf(team: string | undefined) {
  return team === undefined ? { type: "platform" } : { type: "team", teamRef: { name: team } };
}

/** The Secret of a provider. */
export function secretOf({ metadata: { name, namespace } }: KubeObject, credentials: Credentials): DynamicObject {
  const own = { [labels.managedBy]: managedByButler, [labels.providerConfig]: name };
  return newObject(
    builtinKinds.Secret,
    { ...credentialsPlaceOf({ name, namespace }), labels: own },
    { type: "Opaque", data: secretData(credentials) },
  );
}

/** The Secret with an owner reference, so that it is garbage-collected with its provider. */
export function ownedSecret(secret: DynamicObject, { apiVersion, kind, metadata }: KubeObject): DynamicObject {
  const { name, uid = "" } = metadata;
  return { ...secret, metadata: { ...secret.metadata, ownerReferences: [{ apiVersion, kind, name, uid }] } };
}

/** Credentials as a Secret holds them. */
export function secretData(credentials: Credentials): Record<string, string> {
  return Object.fromEntries(
    Object.entries(credentials).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, Buffer.from(value).toString("base64")]],
    ),
  );
}

/** The patch of a provider change: each block in the request replaces the current one. */
export function planProviderChange({ spec }: ProviderConfig, body: ProviderChange, { team }: ProviderPlace) {
  const { credentials: _credentials, resourceVersion: _version, ...settings } = body;
  const before = spec as Readonly<Record<string, unknown>>;
  const changes = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, replacement(before[name], value)] as const],
  );
  return { spec: { ...Object.fromEntries(changes), ...(team === undefined ? {} : { scope: scopeOf(team) }) } };
}

/** What to do with new credentials: create the Secret, replace its content, or leave a Secret that is not ours. */
export function planCredentials(
  provider: ProviderConfig,
  secret: KubeObject | undefined,
): "create" | "change" | "leave" {
  const place = storedAt(provider);
  const own = credentialsPlaceOf({ name: provider.metadata.name, namespace: provider.metadata.namespace });
  if (place === undefined) return "leave";
  if (secret === undefined) return keyText(place) === keyText(own) ? "create" : "leave";
  return isOwnedBy(secret, provider) ? "change" : "leave";
}

/** The result for settings and credentials that passed all checks. */
export const foundRight: ProviderTest = {
  valid: true,
  message:
    "the settings are valid and all required credentials are present; the connection to the " +
    "infrastructure was not tested",
};

const categories = { PoolAvailable: "addresses", Ready: "settings" } as const;

/** Judges an existing provider by the current keys of its Secret and its conditions. */
export function judgeProvider(provider: ProviderConfig, keys: readonly string[] | undefined): ProviderTest {
  const { provider: type } = provider.spec;
  const place = storedAt(provider);
  if (type !== "local") {
    const fault = (message: string): ProviderTest => ({ valid: false, category: "credentials", message });
    if (place === undefined) return fault("the provider does not reference a credentials Secret");
    if (keys === undefined) return fault(`credentials Secret ${keyText(place)} not found`);
    const missing = missingCredentials(type, keys);
    if (missing !== undefined) return fault(`Secret ${keyText(place)} lacks ${missing}`);
  }
  return reported(provider) ?? foundRight;
}

/** The first fault reported for the current generation of the provider. */
function reported({ metadata, status }: ProviderConfig): ProviderTest | undefined {
  if (status?.observedGeneration !== metadata.generation) return undefined;
  // The Secret was just read, which takes precedence over the condition about its credentials.
  for (const type of ["PoolAvailable", "Ready"] as const) {
    const condition = findCondition(status?.conditions, type);
    const isOfCredentials = condition?.reason === "CredentialsInvalid";
    if (condition?.status !== "False" || isOfCredentials) continue;
    return { valid: false, category: categories[type], message: condition.message };
  }
  return undefined;
}
