import type { TeamRole } from "@butler/api";
import { type AccessSubject, type Caller, memberRoleOf, type PlatformRole } from "./caller.ts";
import { includesRole } from "./team-role.ts";

/** The permission that a request requires, as data: from public to a role in the team of the request. */
export type Need =
  | { readonly kind: "public" }
  | { readonly kind: "session" }
  | { readonly kind: "platform"; readonly role: PlatformRole }
  | { readonly kind: "team" | "cluster"; readonly role: TeamRole };

/** The caller and the subject of a request. */
export interface AccessQuestion {
  readonly caller: Caller | undefined;
  /** Undefined if the team or cluster does not exist, or the cluster belongs to no team. */
  readonly subject?: AccessSubject | undefined;
  /** Whether the object of the request exists. */
  readonly isThere?: boolean | undefined;
}

/** Whether a request is allowed, and if not, the problem to return. */
export type Verdict =
  | { readonly isAllowed: true }
  | { readonly isAllowed: false; readonly as: "UNAUTHENTICATED" | "FORBIDDEN" | "NOT_FOUND"; readonly message: string };

const allowed: Verdict = { isAllowed: true };

/**
 * Whether a caller may make a request. Everything not explicitly allowed is denied. For callers without any role in a
 * team, the team and everything in it is not found.
 */
export function judgeAccess(need: Need, question: AccessQuestion): Verdict {
  if (need.kind === "public") return allowed;
  const { caller } = question;
  if (caller === undefined) return refused("UNAUTHENTICATED", "not signed in");
  switch (need.kind) {
    case "session":
      return allowed;
    case "platform":
      return sufficesFor(need, caller) ? allowed : refused("FORBIDDEN", `requires the platform ${need.role} role`);
    case "team":
    case "cluster":
      return judgeSubject({ ...question, caller }, need);
  }
}

function judgeSubject(
  { caller, subject, isThere = subject !== undefined }: AccessQuestion & { readonly caller: Caller },
  { kind, role }: { readonly kind: "team" | "cluster"; readonly role: TeamRole },
): Verdict {
  const absent = refused("NOT_FOUND", `${kind} not found`);
  if (!isThere) return absent;
  const own = subject && memberRoleOf(subject.team, caller.person, subject.environment);
  if (sufficesFor({ kind, role }, { platformRole: caller.platformRole, teamRole: own })) return allowed;
  const canSee = own !== undefined || caller.platformRole !== undefined;
  return canSee ? refused("FORBIDDEN", `requires the ${role} role in the team`) : absent;
}

/** The caller's roles on the platform and in the team of a request. */
export interface Roles {
  readonly platformRole?: PlatformRole | undefined;
  readonly teamRole?: TeamRole | undefined;
}

/**
 * Whether the roles of a signed-in user are sufficient for a request. A platform role applies in every team: platform
 * viewers change nothing and read no secrets. The console checks this before it offers an action.
 */
export function sufficesFor(need: Need, { platformRole, teamRole }: Roles): boolean {
  switch (need.kind) {
    case "public":
    case "session":
      return true;
    case "platform":
      return includesPlatformRole(platformRole, need.role);
    case "team":
    case "cluster":
      return includesRole(teamRole, need.role) || includesRole(platformRole, need.role);
  }
}

/** Whether one role on the platform includes the other. */
export function includesPlatformRole(role: PlatformRole | undefined, needed: PlatformRole): boolean {
  return role === "admin" || (role === "viewer" && needed === "viewer");
}

function refused(as: "UNAUTHENTICATED" | "FORBIDDEN" | "NOT_FOUND", message: string): Verdict {
  return { isAllowed: false, as, message };
}
