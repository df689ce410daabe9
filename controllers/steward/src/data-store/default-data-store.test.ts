import { DataStore } from "@butler/api";
import { faultOf } from "@butler/pki";
import { type DynamicObject, type KubeObject, parseObject } from "@butler/resource";
import { beforeAll, describe, expect, it } from "vitest";
import { contentRefs, secretKeyOf, textOf } from "./content-ref.ts";
import { sharedEtcdPlace } from "./default-data-store.ts";
import { etcdSecretNeeds } from "./etcd-certificates.ts";
import { dueCertificate, signerKeyOf } from "./renew-certificate.ts";
import { defaultDataStoreObjects, type EtcdCertificates, issueEtcdCertificates } from "./testing/shared-etcd.ts";

const namespace = "steward-system";
const now = new Date();
let certificates: EtcdCertificates;
let objects: KubeObject[];

const secretNamed = (name: string) =>
  objects.find(({ kind, metadata }) => kind === "Secret" && metadata.name === name) as DynamicObject | undefined;

beforeAll(async () => {
  certificates = await issueEtcdCertificates(sharedEtcdPlace({ namespace }), now);
  objects = defaultDataStoreObjects({ namespace, certificates });
});

describe("the DataStore that comes with an installation", () => {
  it("is complete, with everything that it references", () => {
    const stores = objects.filter(({ kind }) => kind === "DataStore");
    expect(stores.map(({ metadata }) => metadata.name)).toEqual(["default"]);
    const store = parseObject(DataStore, stores[0]);
    for (const { path, ref } of contentRefs(store.spec)) {
      const key = secretKeyOf(ref);
      const secret = secretNamed(key?.name ?? "");
      expect([path, secret && textOf(secret, key?.keyPath ?? "")]).toEqual([
        path,
        expect.stringContaining("-----BEGIN"),
      ]);
      expect(secret?.metadata.namespace).toBe(namespace);
    }
    expect(store.spec.endpoints).toEqual([
      "default-etcd-0.default-etcd.steward-system.svc:2379",
      "default-etcd-1.default-etcd.steward-system.svc:2379",
      "default-etcd-2.default-etcd.steward-system.svc:2379",
    ]);
  });

  it("has valid certificates for their purpose", () => {
    for (const need of etcdSecretNeeds(sharedEtcdPlace({ namespace }))) {
      if (need.kind === "authority") continue;
      const authority = certificates[need.signer].cert;
      expect(faultOf(certificates[need.id], { now, request: need.request, authority })).toBeUndefined();
      const other = certificates[need.signer === "ca" ? "peerCA" : "ca"].cert;
      expect(faultOf(certificates[need.id], { now, authority: other })).toMatch(/another CA/);
    }
  });

  it("has certificates that are renewed, and CAs that are not", () => {
    const later = new Date(now.getTime() + 300 * 86_400_000);
    const due = objects
      .filter(({ kind }) => kind === "Secret")
      .flatMap((object) => {
        const secret = object as DynamicObject;
        const signer = secretNamed(signerKeyOf(secret)?.name ?? "");
        expect(dueCertificate(secret, signer, now)).toBeUndefined();
        return dueCertificate(secret, signer, later) ?? [];
      });
    expect(due.map(({ secret }) => secret.name).sort()).toEqual([
      "default-etcd-peer",
      "default-etcd-root",
      "default-etcd-server",
    ]);
  });

  it("is deterministic", () => {
    expect(defaultDataStoreObjects({ namespace, certificates })).toEqual(objects);
  });

  it("can be smaller", () => {
    const small = defaultDataStoreObjects({ namespace, certificates, members: 1, storage: { size: "1Gi" } });
    expect(small.map(({ kind }) => kind)).not.toContain("PodDisruptionBudget");
  });
});
