import { X509Certificate } from "node:crypto";
import { Forbidden, InvalidInput } from "@butler/std";
import { type EtcdCallOptions, EtcdCalls, type EtcdConnection } from "./etcd-calls.ts";
import { hasReason, storeIsFull } from "./etcd-errors.ts";
import type { EtcdMethod, EtcdMethods, KeyRange } from "./etcd-methods.ts";
import { type EtcdStatus, readStatus } from "./etcd-status.ts";
import { keyAfter, prefixRange } from "./key-range.ts";
import { type AccessStep, type EtcdTenant, planTenantAccess, type TenantAccess } from "./tenant-access.ts";

export interface EtcdAdminOptions {
  /** The timeout of one call with all its attempts; 5 seconds by default. */
  readonly callLimitMs?: number;
  /** How many keys are deleted at a time; 1000 by default. A page is one write, which blocks others. */
  readonly deletePageSize?: number;
}

/** The user and the role with all permissions; etcd fixes these names. */
const root = "root";

/**
 * Administers one etcd: its health, and the users, roles and keys of tenants. Every method can be repeated after a
 * failure or a crash and resumes from the current state.
 */
export class EtcdAdmin {
  readonly #calls: EtcdCalls;
  readonly #cert: string;
  readonly #deletePageSize: number;

  /** Throws InvalidInput when the certificates are invalid. Does not connect yet. */
  constructor(connection: EtcdConnection, { callLimitMs = 5_000, deletePageSize = 1_000 }: EtcdAdminOptions = {}) {
    this.#calls = new EtcdCalls(connection, callLimitMs);
    this.#cert = connection.cert;
    this.#deletePageSize = deletePageSize;
  }

  /** The status of the store and each of its endpoints. */
  status(signal?: AbortSignal): Promise<EtcdStatus> {
    return readStatus(this.#calls, { signal });
  }

  /** The number of keys with a prefix; with the empty one, of all keys. */
  async countKeys(prefix: string, signal?: AbortSignal): Promise<number> {
    const { count } = await this.#call("KV/Range", { ...prefixRange(prefix), countOnly: true }, { signal });
    return Number(count);
  }

  async listUsers(signal?: AbortSignal): Promise<string[]> {
    return (await this.#call("Auth/UserList", {}, { signal })).users;
  }

  async listRoles(signal?: AbortSignal): Promise<string[]> {
    return (await this.#call("Auth/RoleList", {}, { signal })).roles;
  }

  /**
   * Ensures that a tenant can access its own keys and no others. Writes only what is missing or wrong. Rejects a store
   * without authentication, and does not place a new tenant in a full one.
   */
  async ensureTenant(tenant: EtcdTenant, signal?: AbortSignal): Promise<void> {
    requireTenant(tenant);
    const [{ enabled }, access] = await Promise.all([
      this.#call("Auth/AuthStatus", {}, { signal }),
      this.#readAccess(tenant, signal),
    ]);
    if (!enabled) throw rulesAreOff(this.#where);
    if (access.userRoles === undefined) await this.#requireRoom(signal);
    for (const step of planTenantAccess(access, tenant)) await this.#take(step, signal);
  }

  /**
   * Removes a tenant: first the user, so that no one can write, then the keys page by page, then the role.
   * What was removed before is no error.
   */
  async removeTenant({ user, role, prefix }: EtcdTenant, signal?: AbortSignal): Promise<void> {
    requireTenant({ user, role, prefix });
    await this.#unless(["UserNotFound"], this.#call("Auth/UserDelete", { name: user }, { signal }));
    await this.#deleteRange(prefixRange(prefix), signal);
    await this.#unless(["RoleNotFound"], this.#call("Auth/RoleDelete", { role }, { signal }));
  }

  /**
   * Enables authentication. Needs the client certificate of root, because no one else could change anything afterwards.
   * Does nothing when it is enabled.
   */
  async enableAuth(signal?: AbortSignal): Promise<void> {
    if ((await this.#call("Auth/AuthStatus", {}, { signal })).enabled) return;
    requireRoot(this.#cert);
    await this.#take({ type: "addRole", role: root }, signal);
    await this.#take({ type: "addUser", user: root }, signal);
    await this.#take({ type: "grantRole", user: root, role: root }, signal);
    await this.#call("Auth/AuthEnable", {}, { signal });
  }

  /** Closes the connections. Calls in flight may still succeed. */
  close(): void {
    this.#calls.close();
  }

  get #where(): string {
    return this.#calls.endpoints.join(", ");
  }

  async #readAccess({ user, role }: EtcdTenant, signal?: AbortSignal): Promise<TenantAccess> {
    const [userAnswer, roleAnswer] = await Promise.all([
      this.#unless(["UserNotFound"], this.#call("Auth/UserGet", { name: user }, { signal })),
      this.#unless(["RoleNotFound"], this.#call("Auth/RoleGet", { role }, { signal })),
    ]);
    return { userRoles: userAnswer?.roles, permissions: roleAnswer?.perm };
  }

  async #requireRoom(signal?: AbortSignal): Promise<void> {
    const { alarms } = await this.#call("Maintenance/Alarm", {}, { signal });
    if (alarms.some(({ alarm }) => alarm === "NOSPACE")) throw storeIsFull(this.#where);
  }

  async #deleteRange(range: KeyRange, signal?: AbortSignal): Promise<void> {
    const limit = this.#deletePageSize;
    for (;;) {
      const page = await this.#call("KV/Range", { ...range, limit, keysOnly: true }, { signal });
      const last = page.kvs.at(-1);
      if (last === undefined) return;
      await this.#call("KV/DeleteRange", { key: range.key, rangeEnd: keyAfter(last.key) }, { signal });
    }
  }

  /** Takes one step. What another client or a previous attempt has already done is no error. */
  async #take(step: AccessStep, signal?: AbortSignal): Promise<void> {
    const options = { signal };
    switch (step.type) {
      case "addRole":
        await this.#unless(["RoleExists"], this.#call("Auth/RoleAdd", { name: step.role }, options));
        return;
      case "addUser":
        await this.#unless(
          ["UserExists"],
          this.#call("Auth/UserAdd", { name: step.user, options: { noPassword: true } }, options),
        );
        return;
      case "grantPermission":
        await this.#call("Auth/RoleGrantPermission", { name: step.role, perm: step.permission }, options);
        return;
      case "grantRole":
        await this.#call("Auth/UserGrantRole", { user: step.user, role: step.role }, options);
        return;
      case "revokePermission":
        await this.#unless(["PermissionNotGranted"], this.#call("Auth/RoleRevokePermission", step, options));
        return;
      case "revokeRole":
        await this.#unless(
          ["RoleNotGranted"],
          this.#call("Auth/UserRevokeRole", { name: step.user, role: step.role }, options),
        );
    }
  }

  #call<M extends EtcdMethod>(
    method: M,
    request: EtcdMethods[M]["in"],
    options: EtcdCallOptions,
  ): Promise<EtcdMethods[M]["out"]> {
    return this.#calls.call(method, request, options);
  }

  /** Returns undefined when etcd reports one of the given errors; rethrows all others. */
  async #unless<T>(reasons: readonly string[], answer: Promise<T>): Promise<T | undefined> {
    try {
      return await answer;
    } catch (error) {
      if (hasReason(error, ...reasons)) return undefined;
      throw error;
    }
  }
}

/** A prefix that another one could start with, or root's own name, would break tenant isolation. */
function requireTenant({ user, role, prefix }: EtcdTenant): void {
  const isClosed = prefix.length > 2 && prefix.startsWith("/") && prefix.endsWith("/");
  if (!isClosed) throw new InvalidInput(`the tenant prefix "${prefix}" must start and end with "/"`);
  if ([user, role].some((name) => name === "" || name === root)) {
    throw new InvalidInput(
      `invalid tenant user "${user}" with role "${role}": both are required and must not be ${root}`,
    );
  }
}

function requireRoot(cert: string): void {
  const { subject } = new X509Certificate(cert);
  const commonName = subject.split("\n").find((part) => part.startsWith("CN="));
  if (commonName === `CN=${root}`) return;
  throw new InvalidInput(
    `enabling authentication with the certificate of "${commonName ?? ""}" would lock Butler out`,
    {
      hint: "Use a client certificate whose common name is root.",
    },
  );
}

function rulesAreOff(endpoints: string): Forbidden {
  return new Forbidden(`etcd at ${endpoints} has authentication disabled, so tenants could read each other's keys`, {
    details: { reason: "AuthenticationDisabled" },
    hint: "Create the user root with the role root, then run etcdctl auth enable.",
  });
}
