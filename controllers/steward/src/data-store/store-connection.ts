import { DataStore } from "@butler/api";
import { EtcdAdmin, type EtcdAdminOptions, type EtcdConnection } from "@butler/etcd";
import type { KubeClient } from "@butler/kube";
import type { CertificatePair } from "@butler/pki";
import { builtinKinds, keyText } from "@butler/resource";
import { type Clock, InvalidInput, NotFound, stableStringify, systemClock, Timeout, Unavailable } from "@butler/std";
import { type FindSecret, resolveContent } from "./content-ref.ts";

/** The connection data for the etcd of a DataStore. */
export interface StoreMaterial {
  readonly endpoints: readonly string[];
  /** Signs the client certificates of tenants; its certificate also authenticates the store. */
  readonly clientAuthority: CertificatePair;
  /** The client certificate with which Steward administers the store. */
  readonly client: CertificatePair;
}

/** Connections to stores. One per store, shared by all callers, and recreated when its configuration has changed. */
export interface StoreConnections {
  /** The administration of a shared DataStore's etcd. */
  admin(dataStore: string, signal?: AbortSignal): Promise<EtcdAdmin>;
  /** The CA for the client certificates of a shared DataStore's tenants. */
  clientAuthority(dataStore: string, signal?: AbortSignal): Promise<CertificatePair>;
  /** The endpoints of a shared DataStore's etcd, and its other connection data. */
  material(dataStore: string, signal?: AbortSignal): Promise<StoreMaterial>;
  /** The administration of an etcd that does not belong to a DataStore, such as that of one control plane. */
  adminOf(key: string, connection: EtcdConnection): EtcdAdmin;
  /** Reads a DataStore's Secrets again at once, instead of after the cache time. */
  refresh(dataStore: DataStore, signal?: AbortSignal): Promise<StoreMaterial>;
  /** Closes the connection of a DataStore, or of a key given to `adminOf`. */
  forget(key: string): void;
  close(): void;
}

export interface StoreConnectionsOptions {
  readonly client: Pick<KubeClient, "find">;
  readonly clock?: Clock;
  /** How long read data is cached; 30 seconds by default. */
  readonly maximumAgeMs?: number;
  readonly admin?: EtcdAdminOptions;
}

interface Known {
  readonly material: StoreMaterial;
  readonly readAtMs: number;
}

interface Pooled {
  readonly digest: string;
  readonly admin: EtcdAdmin;
}

/** How long a replaced connection stays open for calls in flight. */
const retirementMs = 60_000;
/** Reading is shared by all waiting callers, so it has its own limit. */
const readLimitMs = 10_000;

/** Reads DataStores and Secrets through the API, each cached for a while. */
export function createStoreConnections(options: StoreConnectionsOptions): StoreConnections {
  return new PooledStoreConnections(options);
}

class PooledStoreConnections implements StoreConnections {
  readonly #client: Pick<KubeClient, "find">;
  readonly #clock: Clock;
  readonly #maximumAgeMs: number;
  readonly #adminOptions: EtcdAdminOptions | undefined;
  readonly #known = new Map<string, Known>();
  readonly #reading = new Map<string, Promise<StoreMaterial>>();
  readonly #admins = new Map<string, Pooled>();
  readonly #retired = new Set<{ readonly end: () => void }>();

  constructor({ client, clock = systemClock, maximumAgeMs = 30_000, admin }: StoreConnectionsOptions) {
    this.#client = client;
    this.#clock = clock;
    this.#maximumAgeMs = maximumAgeMs;
    this.#adminOptions = admin;
  }

  async admin(dataStore: string, signal?: AbortSignal): Promise<EtcdAdmin> {
    const { endpoints, clientAuthority, client } = await this.material(dataStore, signal);
    return this.#pooled(storeKey(dataStore), { endpoints, ca: clientAuthority.cert, ...client });
  }

  async clientAuthority(dataStore: string, signal?: AbortSignal): Promise<CertificatePair> {
    return (await this.material(dataStore, signal)).clientAuthority;
  }

  material(dataStore: string, signal?: AbortSignal): Promise<StoreMaterial> {
    const known = this.#known.get(dataStore);
    const isFresh = known !== undefined && this.#clock.monotonicMs() - known.readAtMs < this.#maximumAgeMs;
    if (isFresh) return Promise.resolve(known.material);
    return unlessAborted(this.#readOnce(dataStore), signal);
  }

  adminOf(key: string, connection: EtcdConnection): EtcdAdmin {
    return this.#pooled(otherKey(key), connection);
  }

  async refresh(dataStore: DataStore, signal?: AbortSignal): Promise<StoreMaterial> {
    const material = await unlessAborted(this.#resolve(dataStore), signal);
    this.#remember(dataStore.metadata.name, material);
    return material;
  }

  forget(key: string): void {
    this.#known.delete(key);
    for (const id of [storeKey(key), otherKey(key)]) {
      this.#admins.get(id)?.admin.close();
      this.#admins.delete(id);
    }
  }

  close(): void {
    for (const { admin } of this.#admins.values()) admin.close();
    for (const { end } of this.#retired) end();
    this.#admins.clear();
    this.#known.clear();
  }

  #pooled(id: string, connection: EtcdConnection): EtcdAdmin {
    const digest = stableStringify(connection);
    const present = this.#admins.get(id);
    if (present?.digest === digest) return present.admin;
    const admin = new EtcdAdmin(connection, this.#adminOptions);
    this.#admins.set(id, { digest, admin });
    if (present !== undefined) this.#retire(present.admin);
    return admin;
  }

  #retire(admin: EtcdAdmin): void {
    const end = (): void => {
      timer.cancel();
      this.#retired.delete(entry);
      admin.close();
    };
    const entry = { end };
    const timer = this.#clock.after(retirementMs, end);
    this.#retired.add(entry);
  }

  /** Reads a store once for all concurrent callers. Cached data stays valid while the API is unavailable. */
  #readOnce(dataStore: string): Promise<StoreMaterial> {
    const underWay = this.#reading.get(dataStore);
    if (underWay !== undefined) return underWay;
    const reading = this.#read(dataStore).finally(() => this.#reading.delete(dataStore));
    this.#reading.set(dataStore, reading);
    return reading;
  }

  async #read(name: string): Promise<StoreMaterial> {
    try {
      const dataStore = await this.#client.find(DataStore, { name }, AbortSignal.timeout(readLimitMs));
      if (dataStore === undefined) {
        this.forget(name);
        throw new NotFound(`DataStore ${name} does not exist`, { hint: "Create it, or choose another one." });
      }
      const material = await this.#resolve(dataStore);
      this.#remember(name, material);
      return material;
    } catch (error) {
      const known = this.#known.get(name);
      if (known !== undefined && (error instanceof Unavailable || error instanceof Timeout)) return known.material;
      throw error;
    }
  }

  #resolve({ metadata, spec }: DataStore): Promise<StoreMaterial> {
    const signal = AbortSignal.timeout(readLimitMs);
    const found = new Map<string, ReturnType<FindSecret>>();
    // Usually all four contents are in one or two Secrets.
    return resolveMaterial(metadata.name, spec, ({ name, namespace }) => {
      const id = keyText({ name, namespace });
      const finding = found.get(id) ?? this.#client.find(builtinKinds.Secret, { name, namespace }, signal);
      found.set(id, finding);
      return finding;
    });
  }

  #remember(name: string, material: StoreMaterial): void {
    this.#known.set(name, { material, readAtMs: this.#clock.monotonicMs() });
  }
}

/** A DataStore and another owner of an etcd may have the same name. */
const storeKey = (name: string): string => `DataStore/${name}`;
const otherKey = (key: string): string => `other/${key}`;

async function resolveMaterial(
  name: string,
  { driver, endpoints, tlsConfig, dedicated }: DataStore["spec"],
  findSecret: FindSecret,
): Promise<StoreMaterial> {
  if (driver !== "etcd") throw new InvalidInput(`DataStore ${name}: the driver ${driver} is not supported yet`);
  if (dedicated !== undefined || endpoints === undefined) {
    throw new InvalidInput(`DataStore ${name} is dedicated: each control plane gets its own etcd`);
  }
  const read = (path: string, ref: Parameters<typeof resolveContent>[1]): Promise<string> =>
    resolveContent(`spec.tlsConfig.${path}`, ref, findSecret);
  const authority = tlsConfig?.certificateAuthority;
  const client = tlsConfig?.clientCertificate;
  const [authorityCert, authorityKey, clientCert, clientKey] = await Promise.all([
    read("certificateAuthority.certificate", authority?.certificate),
    read("certificateAuthority.privateKey", authority?.privateKey),
    read("clientCertificate.certificate", client?.certificate),
    read("clientCertificate.privateKey", client?.privateKey),
  ]);
  return {
    endpoints,
    clientAuthority: { cert: authorityCert, key: authorityKey },
    client: { cert: clientCert, key: clientKey },
  };
}

/** Releases a waiting caller when its signal aborts; the work continues for the others. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
