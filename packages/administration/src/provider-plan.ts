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

/** What somebody signs in to infrastructure with, by key. It is written into Secrets, and nowhere else. */
export type Credentials = Readonly<Record<string, string | undefined>>;

/** Whose a provider is: a team's, or everybody's when none is named. */
export interface ProviderPlace {
  readonly team?: string | undefined;
}

/** The Secret that the server keeps the credentials of a provider in. */
export function credentialsPlaceOf({ name, namespace }: ObjectKey): ObjectKey {
  return { name: `${name}-credentials`, namespace };
}

/** Where a provider has its credentials; undefined when it names no Secret. */
export function storedAt({ metadata, spec }: ProviderConfig): ObjectKey | undefined {
  const { name, namespace } = spec.credentialsRef ?? {};
  return name === undefined ? undefined : { name, namespace: namespace || metadata.namespace };
}

/** Everything that is wrong with credentials, by their keys alone. */
export function credentialFaults(provider: ProviderConfig["spec"]["provider"], credentials: Credentials = {}) {
  const keys = Object.keys(credentials).filter((key) => credentials[key] !== undefined);
  const known = new Set(credentialKeys[provider].flat());
  const strange = keys.filter((key) => !known.has(key));
  const missing = missingCredentials(provider, keys);
  const fault = (field: string, reason: string, message: string): RefusalCause => ({ field, reason, message });
  return [
    ...strange.map((key) => fault(`credentials.${key}`, "UNKNOWN_FIELD", `provider ${provider} has no ${key}`)),
    ...(missing === undefined
      ? []
      : [fault("credentials", "REQUIRED", `provider ${provider} needs ${missing} in its credentials`)]),
  ];
}

/** A new provider, and the Secret that goes with it unless it needs no credentials. */
export interface NewProviderObjects {
  readonly config: DynamicObject;
  readonly secret: DynamicObject | undefined;
}

/** What is written for a new provider. Whose it is has been decided before, whatever the request says. */
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

/** The Secret as its provider's own: it goes when the provider has gone. */
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

/** The patch that a change of a provider comes to: a block that is sent takes the place of the one that is there. */
export function planProviderChange({ spec }: ProviderConfig, body: ProviderChange, { team }: ProviderPlace) {
  const { credentials: _credentials, resourceVersion: _version, ...settings } = body;
  const before = spec as Readonly<Record<string, unknown>>;
  const changes = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, replacement(before[name], value)] as const],
  );
  return { spec: { ...Object.fromEntries(changes), ...(team === undefined ? {} : { scope: scopeOf(team) }) } };
}

/** What is to become of new credentials: the Secret is made, its content replaced, or it is not ours to touch. */
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

/** What settings and credentials that passed every check are told to be. */
export const foundRight: ProviderTest = {
  valid: true,
  message:
    "the platform's rules accept the settings, and the credentials have every key that is needed; the infrastructure " +
    "itself was not asked",
};

const categories = { PoolAvailable: "addresses", Ready: "settings" } as const;

/** What is known of a provider that exists: the keys of its Secret at this moment, and what Butler last found. */
export function judgeProvider(provider: ProviderConfig, keys: readonly string[] | undefined): ProviderTest {
  const { provider: type } = provider.spec;
  const place = storedAt(provider);
  if (type !== "local") {
    const fault = (message: string): ProviderTest => ({ valid: false, category: "credentials", message });
    if (place === undefined) return fault("it names no Secret with its credentials");
    if (keys === undefined) return fault(`there is no Secret ${keyText(place)} with its credentials`);
    const missing = missingCredentials(type, keys);
    if (missing !== undefined) return fault(`Secret ${keyText(place)} lacks ${missing}`);
  }
  return reported(provider) ?? foundRight;
}

/** The first fault that Butler has found in the provider as it is now. */
function reported({ metadata, status }: ProviderConfig): ProviderTest | undefined {
  if (status?.observedGeneration !== metadata.generation) return undefined;
  // What the Secret has was looked at a moment ago, and counts for more than what was seen of it before.
  for (const type of ["PoolAvailable", "Ready"] as const) {
    const condition = findCondition(status?.conditions, type);
    const isOfCredentials = condition?.reason === "CredentialsInvalid";
    if (condition?.status !== "False" || isOfCredentials) continue;
    return { valid: false, category: categories[type], message: condition.message };
  }
  return undefined;
}
