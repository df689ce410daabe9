import type { TenantControlPlane } from "@butler/api";
import type { Pod } from "@butler/api-external";
import { desiredStatus, type Plan } from "@butler/controller";
import { type CertificatePair, createAuthority } from "@butler/pki";
import type { DynamicObject, KubeObject, ObjectKey } from "@butler/resource";
import { Conflict } from "@butler/std";
import { tenantIdentity } from "../../data-store/index.ts";
import type { TenantControlPlaneEffect } from "../effects.ts";
import { Ingress } from "../../exposure/index.ts";
import type { Deployment } from "../kinds.ts";
import { dataStoreAnnotation, rotateAnnotation } from "../names.ts";
import type { Observed, SeenSecret, SeenStore } from "../observed.ts";
import { performers } from "../perform.ts";
import { plan } from "../plan.ts";
import { CleanedStores } from "../ports/cleaned-stores.ts";
import { KeptTenants } from "../ports/kept-tenants.ts";
import type { SecretToWrite } from "../ports/secret-vault.ts";
import { defaultSettings, type TenantControlPlanePorts } from "../ports/tenant-control-plane-ports.ts";
import { type SecretId, secretIds, secretName } from "../secrets/secret-names.ts";

interface StoredSecret extends Omit<SecretToWrite, "replaces"> {
  readonly version: number;
}

/** The changes requested by one pass. */
export interface PassRecord {
  readonly plan: Plan<TenantControlPlaneEffect>;
  /** Objects written because they were new or changed, as `kind name`. */
  readonly written: readonly string[];
  readonly isStatusWritten: boolean;
}

/** A control plane and everything it affects, in memory: passes run as in the runtime. */
export class ControlPlaneModel {
  tcp: TenantControlPlane;
  now = new Date("2026-06-01T12:00:00Z");
  store: SeenStore = { name: "shared", found: { driver: "etcd", endpoints: ["10.0.0.9:2379"] } };
  service: DynamicObject | undefined;
  deployment: Deployment | undefined;
  ingress: KubeObject | undefined;
  hostConflict: string | undefined;
  hasOwnEtcd = false;
  /** Existing pods that the Deployment does not count. */
  pods: readonly Pod[] = [];
  /** Error that the store returns instead of a result. */
  storeFailure: Error | undefined;
  readonly secrets = new Map<string, StoredSecret>();
  readonly objects = new Map<string, string>();
  /** Requests to the store. */
  readonly storeCalls: string[] = [];
  readonly keepCalls: string[] = [];
  readonly #authority: Promise<CertificatePair>;
  readonly #ports: TenantControlPlanePorts;
  #version = 0;

  constructor(tcp: TenantControlPlane) {
    this.tcp = tcp;
    this.#authority = createAuthority("store-ca", { now: new Date("2026-01-01T00:00:00Z") });
    this.#ports = this.#buildPorts();
  }

  /** The observed state, as passed to the plan. */
  get observed(): Observed {
    const { uid = "" } = this.tcp.metadata;
    const entries = secretIds.flatMap((id) => {
      const stored = this.secrets.get(secretName(this.tcp.metadata, id));
      return stored === undefined ? [] : [[id, seen(stored, uid)] as const];
    });
    return {
      tcp: this.tcp,
      settings: defaultSettings,
      secrets: Object.fromEntries(entries),
      service: this.service,
      deployment: this.deployment,
      pods: this.pods,
      store: this.store,
      identity: tenantIdentity(uid),
      hostConflict: this.hostConflict,
      servedKinds: [Ingress],
      exposedBy: this.ingress === undefined ? [] : [{ kind: Ingress, object: this.ingress }],
      keptAs: this.#ports.tenants.digestOf(uid),
      hasOwnEtcd: this.hasOwnEtcd,
      isStoreClean: this.#ports.cleanedStores.has(uid),
    };
  }

  /** One pass: decide, write, perform, report. Rejects with the error of an effect after reporting it. */
  async pass(): Promise<PassRecord> {
    const decided = plan(this.observed, this.now);
    const written = (decided.apply ?? []).flatMap((object) => this.#apply(object));
    let failure: { stage: "perform"; error: unknown } | undefined;
    for (const effect of decided.effects ?? []) {
      try {
        await this.#perform(effect);
      } catch (error) {
        failure = { stage: "perform", error };
        break;
      }
    }
    const status = desiredStatus({ primary: this.tcp, plan: decided, failure, now: this.now, hasConditions: true });
    if (status !== undefined) this.tcp = { ...this.tcp, status };
    return { plan: decided, written, isStatusWritten: status !== undefined };
  }

  /** Runs passes until one changes nothing; returns all of them. */
  async settle(limit = 15): Promise<PassRecord[]> {
    const records: PassRecord[] = [];
    for (let count = 0; count < limit; count++) {
      const record = await this.pass();
      records.push(record);
      const { effects = [] } = record.plan;
      if (record.written.length === 0 && effects.length === 0 && !record.isStatusWritten) return records;
    }
    throw new Error(`the model does not settle within ${limit} passes`);
  }

  /** Makes all pods ready, or the given number of them. */
  bringUpPods(ready = this.tcp.spec.controlPlane.deployment.replicas): void {
    if (this.deployment === undefined) throw new Error("there is no Deployment whose pods could come up");
    const { generation } = this.deployment.metadata;
    const counts = { replicas: ready, updatedReplicas: ready, readyReplicas: ready, availableReplicas: ready };
    this.deployment = { ...this.deployment, status: { observedGeneration: generation, ...counts } };
  }

  /** Assigns a load balancer address to the Service. */
  balance(ip: string): void {
    if (this.service === undefined) throw new Error("there is no Service that could have an address");
    this.service = { ...this.service, status: { loadBalancer: { ingress: [{ ip }] } } };
  }

  /** Runs until it settles with all pods ready. */
  async settleRunning(): Promise<PassRecord[]> {
    const first = await this.settle();
    if (this.deployment === undefined) return first;
    this.bringUpPods();
    return [...first, ...(await this.settle())];
  }

  /** Changes the spec, as a user would. */
  change(change: (spec: TenantControlPlane["spec"]) => TenantControlPlane["spec"]): void {
    const generation = (this.tcp.metadata.generation ?? 1) + 1;
    this.tcp = { ...this.tcp, metadata: { ...this.tcp.metadata, generation }, spec: change(this.tcp.spec) };
  }

  annotate(annotations: Record<string, string>): void {
    this.tcp = { ...this.tcp, metadata: { ...this.tcp.metadata, annotations } };
  }

  /** Requests deletion of the control plane. */
  delete(): void {
    this.tcp = { ...this.tcp, metadata: { ...this.tcp.metadata, deletionTimestamp: this.now.toISOString() } };
  }

  secret(id: SecretId): StoredSecret {
    const found = this.secrets.get(secretName(this.tcp.metadata, id));
    if (found === undefined) throw new Error(`there is no Secret ${id}`);
    return found;
  }

  /** Changes a Secret without Steward. */
  edit(id: SecretId, change: Partial<StoredSecret>): void {
    const found = this.secret(id);
    this.secrets.set(found.name, { ...found, ...change, version: ++this.#version });
  }

  remove(id: SecretId): void {
    this.secrets.delete(this.secret(id).name);
  }

  get phase(): string | undefined {
    return this.tcp.status?.kubernetesResources?.version?.status;
  }

  condition(type: string) {
    return this.tcp.status?.conditions?.find((condition) => condition.type === type);
  }

  /** Annotations of the desired pods, without which two pod templates are equal. */
  get podAnnotations(): Record<string, string> {
    return this.deployment?.spec.template.metadata?.annotations ?? {};
  }

  #apply(object: KubeObject): string[] {
    const id = `${object.kind} ${object.metadata.name}`;
    const text = JSON.stringify(object);
    if (this.objects.get(id) === text) return [];
    this.objects.set(id, text);
    if (object.kind === "Service" && object.metadata.name === this.tcp.metadata.name) {
      const before = this.service?.["status"];
      const spec = {
        ...((object as DynamicObject)["spec"] as object),
        clusterIP: "10.0.0.7",
        clusterIPs: ["10.0.0.7"],
      };
      this.service = { ...object, spec, ...(before === undefined ? {} : { status: before }) };
    }
    if (object.kind === Ingress.kind) this.ingress = object;
    if (object.kind === "Deployment") {
      const generation = (this.deployment?.metadata.generation ?? 0) + 1;
      const status = this.deployment?.status;
      const metadata = { ...object.metadata, generation };
      this.deployment = { ...(object as Deployment), metadata, ...(status === undefined ? {} : { status }) };
    }
    return [id];
  }

  async #perform(effect: TenantControlPlaneEffect): Promise<void> {
    const perform = performers[effect.type] as (
      effect: TenantControlPlaneEffect,
      ports: TenantControlPlanePorts,
      signal: AbortSignal,
    ) => Promise<void>;
    await perform(effect, this.#ports, new AbortController().signal);
  }

  #buildPorts(): TenantControlPlanePorts {
    const call = (what: string): Promise<void> => {
      this.storeCalls.push(what);
      return this.storeFailure === undefined ? Promise.resolve() : Promise.reject(this.storeFailure);
    };
    return {
      settings: defaultSettings,
      vault: {
        read: ({ name }: ObjectKey) => this.secrets.get(name)?.data,
        write: ({ replaces, ...secret }) => {
          const present = this.secrets.get(secret.name);
          if (replaces !== undefined && String(present?.version) !== replaces) throw new Conflict("it has changed");
          if (replaces === undefined && present !== undefined) return Promise.resolve(present.data);
          const annotations = { ...present?.annotations, ...secret.annotations };
          const data = { ...present?.data, ...secret.data };
          this.secrets.set(secret.name, { ...secret, annotations, data, version: ++this.#version });
          return Promise.resolve(data);
        },
      },
      stores: {
        ensure: (dataStore, { user }) => call(`ensure ${dataStore} ${user}`),
        remove: (dataStore, { user }) => call(`remove ${dataStore} ${user}`),
        authority: () => this.#authority,
      },
      cleanedStores: new CleanedStores(),
      tenants: new KeptTenants({
        keep: ({ key }) => {
          this.keepCalls.push(`keep ${key}`);
          return Promise.resolve({ applied: 0 });
        },
        forget: (key) => {
          this.keepCalls.push(`forget ${key}`);
          return Promise.resolve();
        },
      }),
      identityOf: tenantIdentity,
      now: () => this.now,
    };
  }
}

function seen({ data, labels, annotations, owner, version }: StoredSecret, uid: string): SeenSecret {
  return {
    resourceVersion: String(version),
    labels,
    data,
    ownership: owner.uid === uid ? "own" : owner.uid === "" ? "none" : "other",
    isRotationWanted: annotations[rotateAnnotation] === "",
    dataStore: annotations[dataStoreAnnotation],
  };
}
