import { Team, User } from "@butler/api";
import type { BadManifest } from "./bad-manifest.ts";
import { changeSpec, manifestOf } from "./change-manifest.ts";

const team = manifestOf(Team, "bad-team", {
  access: { users: [{ name: "ada@example.com", role: "admin" }], groups: [{ name: "developers" }] },
  resourceLimits: { maxClusters: 5, maxCPUCores: "64" },
  environments: [{ name: "dev" }, { name: "prod" }],
});

const user = manifestOf(User, "bad-user", {
  email: "ada@example.com",
  sshKeys: [{ name: "laptop", publicKey: "ssh-ed25519 AAAA ada" }],
});

const teamNameRule =
  "metadata.name is used as a namespace name: it must consist of at most 63 lowercase letters, digits and '-', without dots";

const badTeams: readonly BadManifest[] = [
  {
    name: "Team: name has a dot",
    manifest: { ...team, metadata: { name: "payments.example" } },
    expect: teamNameRule,
  },
  {
    name: "Team: name is longer than 63 characters",
    manifest: { ...team, metadata: { name: "t".repeat(64) } },
    expect: teamNameRule,
  },
  {
    name: "Team: role is unknown",
    manifest: changeSpec(team, "access.users.0.role", "owner"),
    expect: 'spec.access.users[0].role: Unsupported value: "owner": supported values: "admin", "operator", "viewer"',
  },
  {
    name: "Team: person without a name",
    manifest: changeSpec(team, "access.users.0.name", ""),
    expect: "spec.access.users[0].name in body should be at least 1 chars long",
  },
  {
    name: "Team: group without a name",
    manifest: changeSpec(team, "access.groups.0.name", undefined),
    expect: "spec.access.groups[0].name: Required value",
  },
  {
    name: "Team: limit is negative",
    manifest: changeSpec(team, "resourceLimits.maxClusters", -1),
    expect: "spec.resourceLimits.maxClusters in body should be greater than or equal to 0",
  },
  {
    name: "Team: limit is no quantity",
    manifest: changeSpec(team, "resourceLimits.maxCPUCores", "many"),
    expect: 'spec.resourceLimits.maxCPUCores: Invalid value: "many": must be a quantity such as 4, 500m or 16Gi',
  },
  {
    name: "Team: environment begins with a dash",
    manifest: changeSpec(team, "environments.0.name", "-dev"),
    expect: 'spec.environments[0].name: Invalid value: "-dev": must consist of letters, digits, ',
  },
  {
    name: "Team: environment name is longer than 63 characters",
    manifest: changeSpec(team, "environments.0.name", "e".repeat(64)),
    expect: "spec.environments[0].name: Too long: may not be more than 63 bytes",
  },
  {
    name: "Team: two environments of one name",
    manifest: changeSpec(team, "environments.1.name", "dev"),
    expect: 'spec.environments[1]: Duplicate value: {"name":"dev"}',
  },
  {
    name: "Team: default disk below 10 GiB",
    manifest: changeSpec(team, "clusterDefaults.workerDiskGi", 5),
    expect: "spec.clusterDefaults.workerDiskGi in body should be greater than or equal to 10",
  },
  {
    name: "Team: unknown field",
    manifest: changeSpec(team, "members", ["ada@example.com"]),
    expect: 'unknown field "spec.members"',
  },
];

const badUsers: readonly BadManifest[] = [
  {
    name: "User: email address is missing",
    manifest: changeSpec(user, "email", undefined),
    expect: "spec.email: Required value",
  },
  {
    name: "User: email address without a domain",
    manifest: changeSpec(user, "email", "ada"),
    expect: 'spec.email in body must be of type email: "ada"',
  },
  {
    name: "User: platform role is unknown",
    manifest: changeSpec(user, "platformRole", "owner"),
    expect: 'spec.platformRole: Unsupported value: "owner": supported values: "admin", "viewer", ""',
  },
  {
    name: "User: authType is unknown",
    manifest: changeSpec(user, "authType", "ldap"),
    expect: 'spec.authType: Unsupported value: "ldap": supported values: "sso", "internal"',
  },
  {
    name: "User: disabled is a text",
    manifest: changeSpec(user, "disabled", "yes"),
    expect: "spec.disabled in body must be of type boolean",
  },
  {
    name: "User: key without the key",
    manifest: changeSpec(user, "sshKeys.0.publicKey", undefined),
    expect: "spec.sshKeys[0].publicKey: Required value",
  },
  {
    name: "User: name of a key is longer than 63 characters",
    manifest: changeSpec(user, "sshKeys.0.name", "k".repeat(64)),
    expect: "spec.sshKeys[0].name: Too long: may not be more than 63 bytes",
  },
  {
    name: "User: addedAt of a key is not a time",
    manifest: changeSpec(user, "sshKeys.0.addedAt", "yesterday"),
    expect: 'spec.sshKeys[0].addedAt in body must be of type date-time: "yesterday"',
  },
  {
    name: "User: a password in the spec",
    manifest: changeSpec(user, "password", "secret"),
    expect: 'unknown field "spec.password"',
  },
];

/** Broken Teams and Users. */
export const badAccess: readonly BadManifest[] = [...badTeams, ...badUsers];
