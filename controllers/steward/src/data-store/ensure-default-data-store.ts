import { DataStore } from "@butler/api";
import { defineSingleton, type Interceptor, passThrough, type PolicyRule } from "@butler/controller";
import type { KubeClient } from "@butler/kube";
import { type CertificatePair, createAuthority, issueCertificate } from "@butler/pki";
import { builtinKinds, type DynamicObject, keyOf, keyText, type Kind, type KubeObject } from "@butler/resource";
import { type Clock, Conflict, describeError, InvalidInput, systemClock } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import { textOf } from "./content-ref.ts";
import {
  type DefaultDataStoreFacts,
  defaultDataStoreManager as fieldManager,
  type DefaultDataStoreStep,
  planDefaultDataStore,
} from "./plan-default-data-store.ts";
import { type DefaultDataStoreSettings, sharedEtcdPlace, sharedSecretOf } from "./default-data-store.ts";
import { authorityFiles, type EtcdSecretNeed, etcdSecretNeeds } from "./etcd-certificates.ts";
import { etcdKinds } from "./kinds.ts";
import { defaultDataStoreName } from "./names.ts";

/** Where to create the default DataStore, its settings, and where to log. */
export interface DefaultDataStoreOptions {
  readonly client: Pick<KubeClient, "find" | "create" | "apply">;
  readonly settings: DefaultDataStoreSettings;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Intercepts every side effect. */
  readonly intercept?: Interceptor;
}

/** Permissions to create the default DataStore beyond those that Steward has anyway. */
export const defaultDataStorePermissions: readonly PolicyRule[] = [
  { apiGroups: [DataStore.group], resources: [DataStore.plural], verbs: ["create", "get"] },
];

/** Creates the default DataStore and its dependencies, once; from then on the DataStore belongs to the users. */
export const defaultDataStoreSingleton = defineSingleton<
  Pick<DefaultDataStoreOptions, "client" | "settings" | "clock">
>({
  name: "default-data-store",
  permissions: defaultDataStorePermissions,
  runsOnce: true,
  // The DataStore webhook may not be serving yet.
  backoff: { initialMs: 500, maximumMs: 30_000, factor: 1.5, jitter: 0.2 },
  failure: { message: "cannot create the default DataStore, retrying" },
  reconcile: ({ ports, logger, signal, act }) => ensureDefaultDataStore({ ...ports, logger, intercept: act }, signal),
});

/** Creates what is missing of the default DataStore, once. Can be interrupted anywhere and repeated. */
export async function ensureDefaultDataStore(options: DefaultDataStoreOptions, signal: AbortSignal): Promise<void> {
  const { logger, settings: wanted } = options;
  const facts = await readFacts(options, signal);
  const { settings, steps, notes, refusal } = planDefaultDataStore(wanted, facts);
  for (const note of notes) logger.warn("ignoring a setting of the default DataStore", { note });
  if (refusal !== undefined) {
    throw new Conflict(refusal, {
      hint: "Restore the Secret from a backup. If the data is not needed, delete the DataStore and its StatefulSet, volumes and Secrets.",
    });
  }
  const maker = new StepMaker({ ...options, settings }, facts.secrets);
  for (const step of steps) await maker.make(step, signal);
  if (steps.length > 0) logger.info("default DataStore applied", { steps: steps.length });
}

async function readFacts(
  { client, settings }: DefaultDataStoreOptions,
  signal: AbortSignal,
): Promise<DefaultDataStoreFacts> {
  const place = sharedEtcdPlace(settings);
  const { namespace, name } = place;
  const find = (kind: Kind, called = name) => client.find(kind, { name: called, namespace }, signal);
  const [dataStore, secrets, etcd] = await Promise.all([
    client.find(DataStore, { name: settings.name ?? defaultDataStoreName }, signal),
    Promise.all(
      etcdSecretNeeds(place).map(
        async ({ id, secretName }) => [id, await find(builtinKinds.Secret, secretName)] as const,
      ),
    ),
    Promise.all(Object.values(etcdKinds).map((kind) => find(kind))),
  ]);
  return {
    dataStore,
    secrets: Object.fromEntries(secrets.filter(([, secret]) => secret !== undefined)),
    etcd: etcd.filter((object) => object !== undefined),
  };
}

/** Performs the steps in order, with the keys created on the way. */
class StepMaker {
  readonly #options: DefaultDataStoreOptions;
  readonly #intercept: Interceptor;
  readonly #signers: Map<string, CertificatePair>;

  constructor(options: DefaultDataStoreOptions, secrets: DefaultDataStoreFacts["secrets"]) {
    this.#options = options;
    this.#intercept = options.intercept ?? passThrough;
    this.#signers = new Map(
      (["ca", "peerCA"] as const).flatMap((id) => {
        const secret = secrets[id];
        return secret === undefined ? [] : [[id, authorityIn(secret)] as const];
      }),
    );
  }

  async make(step: DefaultDataStoreStep, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    switch (step.type) {
      case "createSecret": {
        const secret = await this.#secretFor(step.need);
        return this.#do(secret, () => client.create(builtinKinds.Secret, secret, { fieldManager, signal }));
      }
      case "createDataStore":
        return this.#do(step.object, () => client.create(DataStore, step.object, { fieldManager, signal }));
      case "apply":
        return this.#apply(step, signal);
    }
  }

  async #do(object: KubeObject, work: () => Promise<unknown>): Promise<void> {
    await this.#intercept({ verb: "apply", target: `${object.kind} ${keyText(keyOf(object))}` }, work);
  }

  async #secretFor(need: EtcdSecretNeed): Promise<KubeObject> {
    const { settings, clock = systemClock } = this.#options;
    const now = clock.now();
    if (need.kind === "authority") {
      const pair = await createAuthority(need.commonName, { now });
      this.#signers.set(need.id, pair);
      return sharedSecretOf(settings, need, pair);
    }
    const signer = this.#signers.get(need.signer) ?? { cert: "", key: "" };
    return sharedSecretOf(settings, need, await issueCertificate(signer, need.request, { now }));
  }

  /** Fields that another manager has set since belong to it: the object is then left unchanged. */
  async #apply({ object, isNew }: DefaultDataStoreStep & { type: "apply" }, signal: AbortSignal): Promise<void> {
    const { client, logger } = this.#options;
    const kind = Object.values(etcdKinds).find((each) => each.kind === object.kind) ?? etcdKinds.StatefulSet;
    try {
      await this.#do(object, () => client.apply(kind, object, { fieldManager, force: false, signal }));
    } catch (error) {
      if (isNew || !(error instanceof Conflict || error instanceof InvalidInput)) throw error;
      const hint =
        "Another client changed the object, so Steward does not update it. Revert that change to resume updates.";
      logger.warn("not updating a modified object of the default DataStore", {
        object: `${object.kind} ${keyText(keyOf(object))}`,
        error: describeError(error),
        hint,
      });
    }
  }
}

function authorityIn(secret: DynamicObject): CertificatePair {
  const { cert, key } = authorityFiles;
  return { cert: textOf(secret, cert) ?? "", key: textOf(secret, key) ?? "" };
}
