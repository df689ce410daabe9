import { DataStore, TenantControlPlane } from "@butler/api";
import { admissionHandler, type Denial, type KubeClient, listAll } from "@butler/kube";
import { builtinKinds, keyOf, keyText } from "@butler/resource";
import { deepEqual } from "@butler/std";
import { contentRefs, secretKeyOf, textOf } from "./content-ref.ts";
import { dataStoresOf } from "./observe.ts";
import { someOf } from "./plan.ts";

/** Cluster state that validation needs. */
export interface DataStoreFacts {
  /** Control planes that use, or will use, the DataStore, as namespace/name. */
  readonly usedBy: readonly string[];
  /** References to missing Secrets or keys. */
  readonly brokenReferences: readonly { readonly path: string; readonly message: string }[];
}

/** Validates a DataStore; `next` is undefined on deletion. */
export function validateDataStore(
  next: DataStore | undefined,
  previous: DataStore | undefined,
  { usedBy, brokenReferences }: DataStoreFacts,
): Denial[] {
  if (next === undefined) return usedBy.length === 0 ? [] : [isInUse(usedBy)];
  // An object that was invalid before can still be labelled, paused or deleted.
  if (previous !== undefined && deepEqual(previous.spec, next.spec)) return [];
  const { driver } = next.spec;
  if (previous !== undefined && previous.spec.driver !== driver) {
    return [
      { path: "spec.driver", message: `is immutable; the current value is ${previous.spec.driver}`, code: "IMMUTABLE" },
    ];
  }
  if (driver !== "etcd") {
    const message = `${driver} is not supported yet; use etcd`;
    return [{ path: "spec.driver", message, code: "NOT_SUPPORTED" }];
  }
  return brokenReferences.map(({ path, message }) => ({ path, message, code: "NOT_FOUND" }));
}

function isInUse(usedBy: readonly string[]): Denial {
  const message = `${usedBy.length} control plane(s) use this DataStore: ${someOf(usedBy)}; delete them first`;
  return { path: "", message, code: "IN_USE" };
}

/** Validates DataStores on create, update and delete. Reads from the API, not from a stale cache. */
export function dataStoreAdmission(client: Pick<KubeClient, "find" | "list">) {
  return admissionHandler(DataStore, {
    validate: async ({ operation, object, oldObject }, signal) => {
      const next = operation === "DELETE" ? undefined : object;
      const [usedBy, brokenReferences] = await Promise.all([
        next === undefined && oldObject !== undefined ? readUsers(client, oldObject.metadata.name, signal) : [],
        next === undefined ? [] : findBrokenReferences(client, next, signal),
      ]);
      return validateDataStore(next, oldObject, { usedBy, brokenReferences });
    },
  });
}

async function readUsers(client: Pick<KubeClient, "list">, name: string, signal: AbortSignal): Promise<string[]> {
  const users: string[] = [];
  for await (const controlPlane of listAll(client, TenantControlPlane, { signal })) {
    if (dataStoresOf(controlPlane).includes(name)) users.push(keyText(keyOf(controlPlane)));
  }
  return users.sort();
}

async function findBrokenReferences(
  client: Pick<KubeClient, "find">,
  { spec }: DataStore,
  signal: AbortSignal,
): Promise<DataStoreFacts["brokenReferences"]> {
  const judged = await Promise.all(
    contentRefs(spec).map(async ({ path, ref }) => {
      const key = secretKeyOf(ref);
      if (key === undefined) return [];
      const { name, namespace, keyPath } = key;
      const secret = await client.find(builtinKinds.Secret, { name, namespace }, signal);
      const where = `${path}.secretReference`;
      if (secret === undefined) return [{ path: where, message: `Secret ${namespace}/${name} does not exist` }];
      if (textOf(secret, keyPath) !== undefined) return [];
      return [{ path: `${where}.keyPath`, message: `Secret ${namespace}/${name} has no key "${keyPath}"` }];
    }),
  );
  return judged.flat();
}
