import { fromJSON, type MethodDefinition, type ServiceDefinition } from "@grpc/proto-loader";
import { Bug } from "@butler/std";
import { etcdProtocol } from "./etcd-protocol.ts";

/** A range of keys: from `key` to `rangeEnd` exclusive; a single key without an end. */
export interface KeyRange {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
}

/** A permission of a role for a range of keys. */
export interface Permission extends KeyRange {
  readonly permType: "READ" | "WRITE" | "READWRITE";
}

type Empty = Readonly<Record<string, never>>;
type Named = { readonly name: string };

/** 64-bit numbers are strings: member IDs do not fit into a JavaScript number. */
type Long = string;

/** The status of a member. */
export interface MemberAnswer {
  readonly version: string;
  readonly dbSize: Long;
  readonly dbSizeInUse: Long;
  readonly dbSizeQuota: Long;
  /** "0" when the member knows no leader. */
  readonly leader: Long;
}

/** Every call that Butler makes, by service and name, with its request and response. */
export interface EtcdMethods {
  "KV/Range": {
    in: { key: Uint8Array; rangeEnd?: Uint8Array; limit?: number; keysOnly?: boolean; countOnly?: boolean };
    out: {
      header: { revision: Long } | null;
      kvs: { key: Uint8Array; value: Uint8Array }[];
      count: Long;
    };
  };
  "KV/Put": { in: { key: Uint8Array; value: Uint8Array }; out: Empty };
  /** Several writes in a transaction. */
  "KV/Txn": { in: { success: { requestPut: { key: Uint8Array; value: Uint8Array } }[] }; out: Empty };
  "KV/DeleteRange": { in: { key: Uint8Array; rangeEnd: Uint8Array }; out: { deleted: Long } };
  "Maintenance/Status": { in: Empty; out: MemberAnswer };
  "Maintenance/Alarm": { in: Empty; out: { alarms: { memberID: Long; alarm: "NONE" | "NOSPACE" | "CORRUPT" }[] } };
  "Cluster/MemberList": { in: Empty; out: { members: { ID: Long; name: string; isLearner: boolean }[] } };
  "Auth/AuthEnable": { in: Empty; out: Empty };
  "Auth/AuthStatus": { in: Empty; out: { enabled: boolean; authRevision: Long } };
  "Auth/UserAdd": { in: Named & { options: { noPassword: boolean } }; out: Empty };
  "Auth/UserGet": { in: Named; out: { roles: string[] } };
  "Auth/UserList": { in: Empty; out: { users: string[] } };
  "Auth/UserDelete": { in: Named; out: Empty };
  "Auth/UserGrantRole": { in: { user: string; role: string }; out: Empty };
  "Auth/UserRevokeRole": { in: Named & { role: string }; out: Empty };
  "Auth/RoleAdd": { in: Named; out: Empty };
  "Auth/RoleGet": { in: { role: string }; out: { perm: Permission[] } };
  "Auth/RoleList": { in: Empty; out: { roles: string[] } };
  "Auth/RoleDelete": { in: { role: string }; out: Empty };
  "Auth/RoleGrantPermission": { in: Named & { perm: Permission }; out: Empty };
  "Auth/RoleRevokePermission": { in: { role: string } & KeyRange; out: Empty };
}

export type EtcdMethod = keyof EtcdMethods;

const definitions = fromJSON(etcdProtocol, { longs: String, enums: String, defaults: true });

/** Serialization of a method's messages. */
export function methodDefinition(method: EtcdMethod): MethodDefinition<object, object> {
  const [service, name] = method.split("/") as [string, string];
  const definition = (definitions[`etcdserverpb.${service}`] as ServiceDefinition | undefined)?.[name];
  if (definition === undefined) throw new Bug(`etcd method ${method} is not defined`);
  return definition;
}
