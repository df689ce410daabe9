import { EtcdCalls, type EtcdConnection } from "../etcd-calls.ts";
import { prefixRange } from "../key-range.ts";

/** etcd's default limit of operations per transaction. */
const mostWrites = 128;

/** Reads and writes keys with a given certificate, as a tenant's API server would. */
export class EtcdKeys {
  readonly #calls: EtcdCalls;

  constructor(connection: EtcdConnection, limitMs = 10_000) {
    this.#calls = new EtcdCalls(connection, limitMs);
  }

  async put(key: string, value = ""): Promise<void> {
    await this.#calls.call("KV/Put", { key: Buffer.from(key), value: Buffer.from(value) });
  }

  /** Writes many keys, in the largest batches that etcd accepts. */
  async putMany(keys: readonly string[], value = ""): Promise<void> {
    for (let at = 0; at < keys.length; at += mostWrites) {
      const success = keys
        .slice(at, at + mostWrites)
        .map((key) => ({ requestPut: { key: Buffer.from(key), value: Buffer.from(value) } }));
      await this.#calls.call("KV/Txn", { success });
    }
  }

  async list(prefix: string): Promise<string[]> {
    const { kvs } = await this.#calls.call("KV/Range", { ...prefixRange(prefix), keysOnly: true });
    return kvs.map(({ key }) => Buffer.from(key).toString());
  }

  async get(key: string): Promise<string | undefined> {
    const [found] = (await this.#calls.call("KV/Range", { key: Buffer.from(key) })).kvs;
    return found && Buffer.from(found.value).toString();
  }

  /** Grants a role an additional permission. */
  async widen(role: string, prefix: string): Promise<void> {
    const perm = { permType: "READWRITE", ...prefixRange(prefix) } as const;
    await this.#calls.call("Auth/RoleGrantPermission", { name: role, perm });
  }

  /** Revokes a permission of a role. */
  async narrow(role: string, prefix: string): Promise<void> {
    await this.#calls.call("Auth/RoleRevokePermission", { role, ...prefixRange(prefix) });
  }

  async addUserWithoutRole(name: string): Promise<void> {
    await this.#calls.call("Auth/UserAdd", { name, options: { noPassword: true } });
  }

  async removeUser(name: string): Promise<void> {
    await this.#calls.call("Auth/UserDelete", { name });
  }

  async removeRole(role: string): Promise<void> {
    await this.#calls.call("Auth/RoleDelete", { role });
  }

  /** Number of changes to users and roles. */
  async accessRevision(): Promise<number> {
    return Number((await this.#calls.call("Auth/AuthStatus", {})).authRevision);
  }

  /** Number of changes to keys. */
  async revision(): Promise<number> {
    return Number((await this.#calls.call("KV/Range", { key: Buffer.from("/") })).header?.revision);
  }

  async grantRole(user: string, role: string): Promise<void> {
    await this.#calls.call("Auth/UserGrantRole", { user, role });
  }

  async permissionsOf(role: string): Promise<{ permType: string; key: string; rangeEnd: string }[]> {
    const { perm } = await this.#calls.call("Auth/RoleGet", { role });
    const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
    return perm.map(({ permType, key, rangeEnd }) => ({ permType, key: text(key), rangeEnd: text(rangeEnd) }));
  }

  async rolesOf(user: string): Promise<string[]> {
    return (await this.#calls.call("Auth/UserGet", { name: user })).roles;
  }

  close(): void {
    this.#calls.close();
  }
}
