/**
 * The part of etcd's gRPC interface (version 3) that Butler speaks, as the value that `fromJSON` of proto-loader takes.
 * Field numbers are etcd's; fields that Butler neither sets nor reads are left out, which Protocol Buffers allow. A
 * value and not a file, so that a bundle carries it.
 */

const field = (type: string, id: number) => ({ type, id });
const repeated = (type: string, id: number) => ({ rule: "repeated", type, id });
const message = (fields: Record<string, { type: string; id: number; rule?: string }> = {}) => ({ fields });
// Required by the types of protobufjs only.
const method = (requestType: string, responseType: string) => ({ requestType, responseType, comment: "" });

const keyValueMessages = {
  RangeRequest: message({
    key: field("bytes", 1),
    rangeEnd: field("bytes", 2),
    limit: field("int64", 3),
    keysOnly: field("bool", 8),
    countOnly: field("bool", 9),
  }),
  RangeResponse: message({
    header: field("ResponseHeader", 1),
    kvs: repeated("mvccpb.KeyValue", 2),
    count: field("int64", 4),
  }),
  PutRequest: message({ key: field("bytes", 1), value: field("bytes", 2) }),
  PutResponse: message(),
  TxnRequest: message({ success: repeated("RequestOp", 2) }),
  TxnResponse: message(),
  RequestOp: message({ requestPut: field("PutRequest", 2) }),
  DeleteRangeRequest: message({ key: field("bytes", 1), rangeEnd: field("bytes", 2) }),
  DeleteRangeResponse: message({ deleted: field("int64", 2) }),
};

const maintenanceMessages = {
  StatusRequest: message(),
  StatusResponse: message({
    version: field("string", 2),
    dbSize: field("int64", 3),
    leader: field("uint64", 4),
    dbSizeInUse: field("int64", 9),
    dbSizeQuota: field("int64", 12),
  }),
  ResponseHeader: message({ revision: field("int64", 3) }),
  AlarmType: { values: { NONE: 0, NOSPACE: 1, CORRUPT: 2 } },
  // The action is left out: zero, the default, asks for the alarms and changes none.
  AlarmRequest: message(),
  AlarmResponse: message({ alarms: repeated("AlarmMember", 2) }),
  AlarmMember: message({ memberID: field("uint64", 1), alarm: field("AlarmType", 2) }),
  MemberListRequest: message(),
  MemberListResponse: message({ members: repeated("Member", 2) }),
  Member: message({ ID: field("uint64", 1), name: field("string", 2), isLearner: field("bool", 5) }),
};

const accessMessages = {
  AuthEnableRequest: message(),
  AuthEnableResponse: message(),
  AuthStatusRequest: message(),
  AuthStatusResponse: message({ enabled: field("bool", 2), authRevision: field("uint64", 3) }),
  AuthUserAddRequest: message({ name: field("string", 1), options: field("authpb.UserAddOptions", 3) }),
  AuthUserAddResponse: message(),
  AuthUserGetRequest: message({ name: field("string", 1) }),
  AuthUserGetResponse: message({ roles: repeated("string", 2) }),
  AuthUserListRequest: message(),
  AuthUserListResponse: message({ users: repeated("string", 2) }),
  AuthUserDeleteRequest: message({ name: field("string", 1) }),
  AuthUserDeleteResponse: message(),
  AuthUserGrantRoleRequest: message({ user: field("string", 1), role: field("string", 2) }),
  AuthUserGrantRoleResponse: message(),
  AuthUserRevokeRoleRequest: message({ name: field("string", 1), role: field("string", 2) }),
  AuthUserRevokeRoleResponse: message(),
  AuthRoleAddRequest: message({ name: field("string", 1) }),
  AuthRoleAddResponse: message(),
  AuthRoleGetRequest: message({ role: field("string", 1) }),
  AuthRoleGetResponse: message({ perm: repeated("authpb.Permission", 2) }),
  AuthRoleListRequest: message(),
  AuthRoleListResponse: message({ roles: repeated("string", 2) }),
  AuthRoleDeleteRequest: message({ role: field("string", 1) }),
  AuthRoleDeleteResponse: message(),
  AuthRoleGrantPermissionRequest: message({ name: field("string", 1), perm: field("authpb.Permission", 2) }),
  AuthRoleGrantPermissionResponse: message(),
  AuthRoleRevokePermissionRequest: message({
    role: field("string", 1),
    key: field("bytes", 2),
    rangeEnd: field("bytes", 3),
  }),
  AuthRoleRevokePermissionResponse: message(),
};

const services = {
  KV: {
    methods: {
      Range: method("RangeRequest", "RangeResponse"),
      Put: method("PutRequest", "PutResponse"),
      Txn: method("TxnRequest", "TxnResponse"),
      DeleteRange: method("DeleteRangeRequest", "DeleteRangeResponse"),
    },
  },
  Maintenance: {
    methods: {
      Status: method("StatusRequest", "StatusResponse"),
      Alarm: method("AlarmRequest", "AlarmResponse"),
    },
  },
  Cluster: { methods: { MemberList: method("MemberListRequest", "MemberListResponse") } },
  Auth: {
    methods: {
      AuthEnable: method("AuthEnableRequest", "AuthEnableResponse"),
      AuthStatus: method("AuthStatusRequest", "AuthStatusResponse"),
      UserAdd: method("AuthUserAddRequest", "AuthUserAddResponse"),
      UserGet: method("AuthUserGetRequest", "AuthUserGetResponse"),
      UserList: method("AuthUserListRequest", "AuthUserListResponse"),
      UserDelete: method("AuthUserDeleteRequest", "AuthUserDeleteResponse"),
      UserGrantRole: method("AuthUserGrantRoleRequest", "AuthUserGrantRoleResponse"),
      UserRevokeRole: method("AuthUserRevokeRoleRequest", "AuthUserRevokeRoleResponse"),
      RoleAdd: method("AuthRoleAddRequest", "AuthRoleAddResponse"),
      RoleGet: method("AuthRoleGetRequest", "AuthRoleGetResponse"),
      RoleList: method("AuthRoleListRequest", "AuthRoleListResponse"),
      RoleDelete: method("AuthRoleDeleteRequest", "AuthRoleDeleteResponse"),
      RoleGrantPermission: method("AuthRoleGrantPermissionRequest", "AuthRoleGrantPermissionResponse"),
      RoleRevokePermission: method("AuthRoleRevokePermissionRequest", "AuthRoleRevokePermissionResponse"),
    },
  },
};

/** The descriptor: etcd's packages with our share of their messages and services. */
export const etcdProtocol = {
  nested: {
    mvccpb: { nested: { KeyValue: message({ key: field("bytes", 1), value: field("bytes", 5) }) } },
    authpb: {
      nested: {
        UserAddOptions: message({ noPassword: field("bool", 1) }),
        Permission: {
          fields: { permType: field("Type", 1), key: field("bytes", 2), rangeEnd: field("bytes", 3) },
          nested: { Type: { values: { READ: 0, WRITE: 1, READWRITE: 2 } } },
        },
      },
    },
    etcdserverpb: { nested: { ...services, ...keyValueMessages, ...maintenanceMessages, ...accessMessages } },
  },
};
