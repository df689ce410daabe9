import { type CertificatePair, createAuthority, issueCertificate } from "@butler/pki";
import type { KubeObject } from "@butler/resource";
import {
  type DefaultDataStoreSettings,
  sharedDataStoreOf,
  sharedEtcdObjects,
  sharedEtcdPlace,
  sharedSecretOf,
} from "../default-data-store.ts";
import { type EtcdSecretId, etcdSecretName, etcdSecretNeeds } from "../etcd-certificates.ts";
import type { EtcdPlace } from "../etcd-names.ts";

/** Certificates and keys for all Secrets of an etcd. */
export type EtcdCertificates = Readonly<Record<EtcdSecretId, CertificatePair>>;

/** Generates all keys of an etcd. */
export async function issueEtcdCertificates(place: EtcdPlace, now = new Date()): Promise<EtcdCertificates> {
  const [ca, peerCA] = await Promise.all([
    createAuthority(etcdSecretName(place, "ca"), { now }),
    createAuthority(etcdSecretName(place, "peerCA"), { now }),
  ]);
  const signers = { ca, peerCA };
  const issued = await Promise.all(
    etcdSecretNeeds(place).map(async (need) => {
      const { id } = need;
      if (need.kind === "authority") return [id, signers[need.id]] as const;
      return [id, await issueCertificate(signers[need.signer], need.request, { now })] as const;
    }),
  );
  return Object.fromEntries(issued) as EtcdCertificates;
}

/** All objects of a shared etcd and its DataStore, in creation order. */
export function defaultDataStoreObjects(
  settings: DefaultDataStoreSettings & { readonly certificates: EtcdCertificates },
): KubeObject[] {
  const needs = etcdSecretNeeds(sharedEtcdPlace(settings));
  return [
    ...needs.map((need) => sharedSecretOf(settings, need, settings.certificates[need.id])),
    ...sharedEtcdObjects(settings),
    sharedDataStoreOf(settings),
  ];
}
