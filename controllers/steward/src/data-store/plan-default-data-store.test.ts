import { DataStore } from "@butler/api";
import { withAppliedNote } from "@butler/controller";
import type { DynamicObject, KubeObject } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type DefaultDataStoreFacts,
  defaultDataStoreManager,
  type DefaultDataStorePlan,
  planDefaultDataStore,
} from "./plan-default-data-store.ts";
import { type DefaultDataStoreSettings, sharedEtcdPlace } from "./default-data-store.ts";
import { type EtcdSecretId, etcdSecretNeeds } from "./etcd-certificates.ts";
import { membersAnnotation } from "./names.ts";
import { defaultDataStoreObjects, type EtcdCertificates } from "./testing/shared-etcd.ts";

const settings: DefaultDataStoreSettings = { namespace: "butler-system", members: 1, storage: { size: "2Gi" } };
const pair = { cert: "cert", key: "key" };
const certificates: EtcdCertificates = { ca: pair, peerCA: pair, server: pair, peer: pair, root: pair };
const etcdOf = ["Service", "NetworkPolicy", "PodDisruptionBudget", "StatefulSet"];

const objectsOf = (wanted = settings): KubeObject[] => defaultDataStoreObjects({ ...wanted, certificates });

/** The state of an API server with only these objects. */
function factsOf(objects: readonly KubeObject[], wanted = settings): DefaultDataStoreFacts {
  const named = (name: string) => objects.find(({ kind, metadata }) => kind === "Secret" && metadata.name === name);
  const needs = etcdSecretNeeds(sharedEtcdPlace(wanted));
  const secrets = needs.flatMap(({ id, secretName }) => (named(secretName) ? [[id, named(secretName)] as const] : []));
  return {
    dataStore: objects.find(({ kind }) => kind === "DataStore") as DataStore | undefined,
    secrets: Object.fromEntries(secrets),
    etcd: objects
      .filter(({ kind }) => etcdOf.includes(kind))
      .map((object) => withAppliedNote(object, defaultDataStoreManager) as DynamicObject),
  };
}

const outline = ({ steps }: DefaultDataStorePlan): string[] =>
  steps.map((step) => (step.type === "createSecret" ? `secret ${step.need.id}` : `${step.type} ${step.object.kind}`));

const everyStep = [
  "secret ca",
  "secret peerCA",
  "secret server",
  "secret peer",
  "secret root",
  "apply Service",
  "apply NetworkPolicy",
  "apply StatefulSet",
  "createDataStore DataStore",
];

const without = (...ids: readonly string[]): KubeObject[] =>
  objectsOf().filter(({ kind, metadata }) => !ids.includes(kind) && !ids.includes(metadata.name));

describe("the plan for the default DataStore", () => {
  it("creates everything from scratch, the DataStore last", () => {
    expect(outline(planDefaultDataStore(settings, factsOf([])))).toEqual(everyStep);
    const three = { ...settings, members: 3 };
    expect(outline(planDefaultDataStore(three, factsOf([])))).toContain("apply PodDisruptionBudget");
  });

  it("resumes from wherever a previous run stopped", () => {
    const all = objectsOf();
    for (let done = 0; done <= all.length; done++) {
      expect(outline(planDefaultDataStore(settings, factsOf(all.slice(0, done))))).toEqual(everyStep.slice(done));
    }
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ["a certificate that was lost", ["default-etcd-root"], ["secret root"]],
    ["a DataStore that was deleted", ["DataStore"], ["createDataStore DataStore"]],
    ["an etcd that was deleted", ["StatefulSet", "Service"], ["apply Service", "apply StatefulSet"]],
  ])("recreates %s", (_what, missing, steps) => {
    expect(outline(planDefaultDataStore(settings, factsOf(without(...missing))))).toEqual(steps);
  });

  it.each([
    ["an authority", ["default-etcd-ca"], "default-etcd-ca"],
    ["the peer CA", ["default-etcd-peer-ca"], "default-etcd-peer-ca"],
    ["a CA with only a certificate left", ["default-etcd-ca", "DataStore", "StatefulSet"], "etcd-ca"],
    [
      "all keys of a running etcd",
      ["ca", "peer-ca", "server", "peer", "root"].map((id) => `default-etcd-${id}`),
      "default-etcd-ca",
    ],
  ])("creates no new keys in place of %s", (_what, missing, named) => {
    const { steps, refusal } = planDefaultDataStore(settings, factsOf(without(...missing)));
    expect([steps, refusal]).toEqual([[], expect.stringContaining(named)]);
  });

  it("leaves a user's own DataStore alone, and runs no etcd for it", () => {
    const own = { apiVersion: DataStore.apiVersion, kind: "DataStore", metadata: { name: "default" } };
    for (const spec of [
      { driver: "etcd", dedicated: {} },
      { driver: "etcd", endpoints: ["other:2379"] },
    ]) {
      const dataStore = { ...own, spec } as DataStore;
      expect(planDefaultDataStore(settings, { ...factsOf([]), dataStore })).toMatchObject({ steps: [], notes: [] });
    }
  });

  it("leaves a DataStore that a user has changed as it is", () => {
    const facts = factsOf(objectsOf());
    const { dataStore = expect.fail("none") } = facts;
    const changed = { ...dataStore, spec: { ...dataStore.spec, endpoints: ["proxy:2379"] } };
    expect(outline(planDefaultDataStore(settings, { ...facts, dataStore: changed }))).toEqual([]);
  });

  it("updates objects when the settings have changed", () => {
    const wanted = { ...settings, image: "registry.example/etcd:3" };
    expect(outline(planDefaultDataStore(wanted, factsOf(objectsOf())))).toEqual(["apply StatefulSet"]);
  });

  it("keeps immutable settings, and reports them", () => {
    const wanted = { ...settings, members: 3, storage: { size: "20Gi", storageClassName: "fast" } };
    const { steps, notes, settings: kept } = planDefaultDataStore(wanted, factsOf(objectsOf()));
    expect([steps, kept]).toEqual([[], settings]);
    expect(notes).toEqual([
      "members is 1 and cannot be changed to 3",
      'storage is {"size":"2Gi"} and cannot be changed to {"size":"20Gi","storageClassName":"fast"}',
    ]);
  });

  it("reads the number of members from the DataStore when no Secret has it", () => {
    const facts = factsOf(
      objectsOf().map((object) => {
        const { [membersAnnotation]: _members, ...annotations } = object.metadata.annotations ?? {};
        return { ...object, metadata: { ...object.metadata, annotations } };
      }),
    );
    expect(planDefaultDataStore({ ...settings, members: 3 }, facts).settings.members).toBe(1);
  });

  it("never recreates an existing key, nor a CA beside certificates of another", () => {
    const some = fc.subarray(objectsOf());
    const wanted = fc.record({ members: fc.constantFrom(1, 3), size: fc.constantFrom("2Gi", "9Gi") });
    fc.assert(
      fc.property(some, wanted, (objects, { members, size }) => {
        const facts = factsOf(objects);
        const { steps } = planDefaultDataStore({ ...settings, members, storage: { size } }, facts);
        const made = new Set<EtcdSecretId>(
          steps.flatMap((step) => (step.type === "createSecret" ? [step.need.id] : [])),
        );
        for (const id of made) expect(facts.secrets[id]).toBeUndefined();
        if (made.has("ca")) expect([facts.secrets.server, facts.secrets.root]).toEqual([undefined, undefined]);
        if (made.has("peerCA")) expect(facts.secrets.peer).toBeUndefined();
        if (made.has("ca") || made.has("peerCA")) expect(facts.dataStore).toBeUndefined();
      }),
    );
  });
});
