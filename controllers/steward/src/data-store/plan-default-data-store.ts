import type { DataStore } from "@butler/api";
import { appliedAnnotation, withAppliedNote } from "@butler/controller";
import type { DynamicObject, KubeObject } from "@butler/resource";
import { deepEqual, isRecord } from "@butler/std";
import { secretKeyOf } from "./content-ref.ts";
import {
  type DefaultDataStoreSettings,
  sharedDataStoreOf,
  sharedEtcdObjects,
  sharedEtcdPlace,
  sharedStorage,
} from "./default-data-store.ts";
import { type EtcdSecretId, etcdSecretName, type EtcdSecretNeed, etcdSecretNeeds } from "./etcd-certificates.ts";
import { membersAnnotation } from "./names.ts";

/** The name under which Steward keeps the objects of its default DataStore. */
export const defaultDataStoreManager = "butler-steward-data-store";

/** The existing parts of the default DataStore. */
export interface DefaultDataStoreFacts {
  readonly dataStore: DataStore | undefined;
  readonly secrets: Readonly<Partial<Record<EtcdSecretId, DynamicObject>>>;
  /** Objects of the etcd that exist, whatever their owner. */
  readonly etcd: readonly DynamicObject[];
}

/** One step, in the planned order. */
export type DefaultDataStoreStep =
  | { readonly type: "createSecret"; readonly need: EtcdSecretNeed }
  /** The desired object of the etcd; `isNew` when it does not exist yet. */
  | { readonly type: "apply"; readonly object: KubeObject; readonly isNew: boolean }
  | { readonly type: "createDataStore"; readonly object: DataStore };

/** What to do, and what to report. */
export interface DefaultDataStorePlan {
  /** The effective settings: immutable settings of an etcd are kept. */
  readonly settings: DefaultDataStoreSettings;
  readonly steps: readonly DefaultDataStoreStep[];
  /** Settings that differ from the existing ones and are ignored. */
  readonly notes: readonly string[];
  /** Why nothing may be done; then there are no steps. */
  readonly refusal?: string;
}

/**
 * Plans the missing parts of the default DataStore. Keys are created only where none can exist, and never replaced;
 * objects are updated only when Steward's desired state has changed; the DataStore comes last and, once created,
 * belongs to the users.
 */
export function planDefaultDataStore(
  wanted: DefaultDataStoreSettings,
  facts: DefaultDataStoreFacts,
): DefaultDataStorePlan {
  const { settings, notes } = keptSettings(wanted, facts);
  if (facts.dataStore !== undefined && !leadsTo(facts.dataStore, settings)) return { settings, steps: [], notes: [] };
  const lost = lostAuthority(settings, facts);
  if (lost !== undefined) {
    const refusal = `Secret ${settings.namespace}/${lost} is missing, but objects that depend on it still exist`;
    return { settings, steps: [], notes, refusal };
  }
  const missing = etcdSecretNeeds(sharedEtcdPlace(settings)).filter(({ id }) => facts.secrets[id] === undefined);
  return {
    settings,
    steps: [
      ...missing.map((need) => ({ type: "createSecret", need }) as const),
      ...sharedEtcdObjects(settings).flatMap((object) => applyStep(object, facts.etcd)),
      ...(facts.dataStore === undefined
        ? [{ type: "createDataStore", object: sharedDataStoreOf(settings) } as const]
        : []),
    ],
    notes,
  };
}

/** Whether a DataStore uses the etcd of these settings. Any other DataStore belongs to the user and needs no etcd. */
function leadsTo({ spec }: DataStore, settings: DefaultDataStoreSettings): boolean {
  const authority = spec.tlsConfig?.certificateAuthority.certificate;
  const key = authority && secretKeyOf(authority);
  return key?.name === etcdSecretName(sharedEtcdPlace(settings), "ca") && key.namespace === settings.namespace;
}

/** The name of a missing CA Secret that existing objects depend on. */
function lostAuthority(settings: DefaultDataStoreSettings, facts: DefaultDataStoreFacts): string | undefined {
  const { secrets, dataStore, etcd } = facts;
  const isRun = dataStore !== undefined || etcd.some(({ kind }) => kind === "StatefulSet");
  const place = sharedEtcdPlace(settings);
  const needs = etcdSecretNeeds(place);
  const lost = (["ca", "peerCA"] as const).find((signer) => {
    const isUsed = needs.some(
      (need) => need.kind === "certificate" && need.signer === signer && secrets[need.id] !== undefined,
    );
    return secrets[signer] === undefined && (isRun || isUsed);
  });
  return lost && etcdSecretName(place, lost);
}

function applyStep(desired: KubeObject, live: readonly DynamicObject[]): DefaultDataStoreStep[] {
  const found = live.find(({ kind }) => kind === desired.kind);
  const object = withAppliedNote(desired, defaultDataStoreManager);
  const note = appliedAnnotation(defaultDataStoreManager);
  const isSame = found?.metadata.annotations?.[note] === object.metadata.annotations?.[note];
  return found !== undefined && isSame ? [] : [{ type: "apply", object, isNew: found === undefined }];
}

/** The settings with immutable values kept, and a note for each requested change of them. */
function keptSettings(
  wanted: DefaultDataStoreSettings,
  facts: DefaultDataStoreFacts,
): Pick<DefaultDataStorePlan, "settings" | "notes"> {
  const place = sharedEtcdPlace(wanted);
  const members = keptMembers(wanted, facts) ?? place.members;
  const storage = keptStorage(facts.etcd);
  const wantedStorage = wanted.storage ?? sharedStorage;
  const differing = [
    ...(members === place.members ? [] : [`members is ${members} and cannot be changed to ${place.members}`]),
    ...(storage === undefined || deepEqual(storage, wantedStorage)
      ? []
      : [`storage is ${JSON.stringify(storage)} and cannot be changed to ${JSON.stringify(wantedStorage)}`]),
  ];
  return { settings: { ...wanted, members, storage: storage ?? wantedStorage }, notes: differing };
}

/** The number of members that the etcd was created for, from its first object. */
function keptMembers(wanted: DefaultDataStoreSettings, { secrets, dataStore }: DefaultDataStoreFacts) {
  const noted = Object.values(secrets)
    .map(({ metadata }) => Number(metadata.annotations?.[membersAnnotation]))
    .find((count) => count === 1 || count === 3);
  if (noted !== undefined || dataStore === undefined || !leadsTo(dataStore, wanted)) return noted;
  const count = dataStore.spec.endpoints?.length;
  return count === 1 || count === 3 ? count : undefined;
}

/** The volume of the members; immutable in a StatefulSet. */
function keptStorage(etcd: readonly DynamicObject[]): DefaultDataStoreSettings["storage"] {
  const spec = etcd.find(({ kind }) => kind === "StatefulSet")?.["spec"];
  const templates: unknown = isRecord(spec) ? spec["volumeClaimTemplates"] : undefined;
  const [template] = Array.isArray(templates) ? (templates as unknown[]) : [];
  const claim = isRecord(template) && isRecord(template["spec"]) ? template["spec"] : {};
  const requests = isRecord(claim["resources"]) ? claim["resources"]["requests"] : undefined;
  const size = isRecord(requests) ? requests["storage"] : undefined;
  if (typeof size !== "string") return undefined;
  const storageClassName = claim["storageClassName"];
  return { size, ...(typeof storageClassName === "string" ? { storageClassName } : {}) };
}
