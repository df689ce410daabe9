import { User } from "@butler/api";
import { newObject, type WholeServer } from "@butler/server/testing";
import { hostile } from "./texts.ts";

/** Users that open pages: one per role of the console. */
export const roles = {
  "platform-admin": { email: "root@example.com", name: "Rosa Root" },
  "platform-viewer": { email: "watcher@example.com", name: "Walter Watcher" },
  "team-admin": { email: "ada@example.com", name: "Ada Lovelace" },
  operator: { email: "olga@example.com", name: "Olga Operator" },
  viewer: { email: "vera@example.com", name: "Vera Viewer" },
  /** Admin of the team with hostile texts, with a hostile name. */
  stranger: { email: "stranger@example.com", name: hostile.markup },
} as const;

export type Role = keyof typeof roles;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A timestamp in the past, or in the future if negative. */
export function ago(milliseconds: number): string {
  return new Date(Date.now() - milliseconds).toISOString();
}

export const spans = { minute, hour, day } as const;

interface SeedPerson {
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

const others: readonly SeedPerson[] = [
  {
    name: "grace",
    spec: { email: "grace@example.com", displayName: "Grace Hopper", authType: "internal" },
    status: { phase: "Active", lastLoginTime: ago(3 * hour), loginCount: 212, passwordChangedAt: ago(40 * day) },
  },
  {
    name: "linus",
    spec: { email: "linus@example.com", displayName: "Linus", authType: "internal" },
    status: {
      phase: "Pending",
      inviteSentAt: ago(hour),
      inviteExpiresAt: ago(-2 * day),
      inviteTokenHash: "0".repeat(64),
    },
  },
  {
    name: "margaret",
    spec: { email: "margaret@example.com", displayName: "Margaret Hamilton", authType: "internal", disabled: true },
    status: { phase: "Disabled", lastLoginTime: ago(90 * day), loginCount: 3 },
  },
  {
    name: "ken",
    spec: { email: "ken@example.com", displayName: "Ken Thompson", authType: "internal" },
    status: { phase: "Locked", failedLoginAttempts: 10, lockedUntil: ago(-10 * minute), lastLoginTime: ago(day) },
  },
  {
    name: "a-person-with-a-long-name",
    spec: {
      email: "somebody.with.a.very.long.address.indeed@subdomain.of.a.department.example.com",
      displayName: hostile.long,
      authType: "internal",
    },
    status: { phase: "Active" },
  },
];

/** Creates the accounts. Those with a role exist before their first sign-in, as if created by an administrator. */
export async function seedPeople({ cluster: { client } }: WholeServer): Promise<number> {
  const own = Object.entries(roles).map(([role, { email, name }]) => ({
    name: role,
    spec: {
      email,
      displayName: name,
      authType: "sso",
      ...(role === "platform-admin" ? { platformRole: "admin" } : {}),
      ...(role === "platform-viewer" ? { platformRole: "viewer" } : {}),
    },
    status: { phase: "Active" },
  }));
  const people: readonly SeedPerson[] = [...own, ...others];
  for (const { name, spec, status } of people) {
    await client.create(User, newObject(User, { name }, { spec }));
    if (status === undefined) continue;
    await client.patch(User, { name }, { type: "merge", subresource: "status", patch: { status } });
  }
  return people.length;
}
