import type { TeamRole } from "@butler/api";
import { type AccessSubject, type Caller, memberRoleOf, type PlatformRole } from "./caller.ts";
import { includesRole } from "./team-role.ts";

/** What a request needs, as data: from nobody in particular to a role in the team that it is about. */
export type Need =
  | { readonly kind: "public" }
  | { readonly kind: "session" }
  | { readonly kind: "platform"; readonly role: PlatformRole }
  | { readonly kind: "team" | "cluster"; readonly role: TeamRole };

/** Who asks, and what the request is about. */
export interface AccessQuestion {
  readonly caller: Caller | undefined;
  /** Undefined when there is no such team or cluster, or when it belongs to no team. */
  readonly subject?: AccessSubject | undefined;
  /** Whether the object that the request is about is there. */
  readonly isThere?: boolean | undefined;
}

/** Whether a request may go on, and if not, what to answer. */
export type Verdict =
  | { readonly isAllowed: true }
  | { readonly isAllowed: false; readonly as: "UNAUTHENTICATED" | "FORBIDDEN" | "NOT_FOUND"; readonly message: string };

const allowed: Verdict = { isAllowed: true };

/**
 * Whether a caller may do what a request asks. Nothing is allowed that is not said to be. To somebody without any role
 * in it, a team looks as if it did not exist, and so does all that belongs to it.
 */
export function judgeAccess(need: Need, question: AccessQuestion): Verdict {
  if (need.kind === "public") return allowed;
  const { caller } = question;
  if (caller === undefined) return refused("UNAUTHENTICATED", "nobody is signed in");
  switch (need.kind) {
    case "session":
      return allowed;
    case "platform":
      return sufficesFor(need, caller)
        ? allowed
        : refused("FORBIDDEN", `this needs the role ${need.role} on the platform`);
    case "team":
    case "cluster":
      return judgeSubject({ ...question, caller }, need);
  }
}

function judgeSubject(
  { caller, subject, isThere = subject !== undefined }: AccessQuestion & { readonly caller: Caller },
  { kind, role }: { readonly kind: "team" | "cluster"; readonly role: TeamRole },
): Verdict {
  const absent = refused("NOT_FOUND", `there is no such ${kind}`);
  if (!isThere) return absent;
  const own = subject && memberRoleOf(subject.team, caller.person, subject.environment);
  if (sufficesFor({ kind, role }, { platformRole: caller.platformRole, teamRole: own })) return allowed;
  const canSee = own !== undefined || caller.platformRole !== undefined;
  return canSee ? refused("FORBIDDEN", `this needs the role ${role} in the team`) : absent;
}

/** The roles that somebody has on the platform, and in the team that a request is about. */
export interface Roles {
  readonly platformRole?: PlatformRole | undefined;
  readonly teamRole?: TeamRole | undefined;
}

/**
 * Whether roles suffice for what a request needs, for somebody who is signed in. A role on the platform is worth the same
 * in every team: its viewers change nothing and get no secret. Consoles ask this before they offer something.
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
