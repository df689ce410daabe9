import type { inviteUser, listUsers, RouteAnswer } from "@butler/contract";
import type { CallInput } from "@butler/contract";
import type { Tone } from "@butler/ui";

/** An account in the list. */
export type UserView = RouteAnswer<typeof listUsers>["users"][number];

const tones: Readonly<Record<string, Tone>> = {
  Active: "ready",
  Pending: "working",
  Disabled: "asleep",
  Locked: "attention",
};

/** Tone of the phase of an account. */
export function userTone({ phase }: Pick<UserView, "phase">): Tone {
  return tones[phase] ?? "unknown";
}

/** Actions on an account. */
export type UserAction = "invite" | "disable" | "enable" | "end-sessions" | "delete";

/**
 * Actions that an administrator can take on an account. Administrators cannot lock themselves out, and users of an
 * identity provider have no password to set through an invitation.
 */
export function userActions(user: UserView, myEmail: string): readonly UserAction[] {
  const isOwn = user.email.toLowerCase() === myEmail.toLowerCase();
  const canBeInvited = user.authType === "internal" && !user.disabled;
  return [
    ...(canBeInvited ? (["invite"] as const) : []),
    ...(user.disabled ? (["enable"] as const) : isOwn ? [] : (["disable"] as const)),
    ...(isOwn ? [] : (["end-sessions", "delete"] as const)),
  ];
}

/** Form state of an invitation. */
export interface InvitationForm {
  readonly email: string;
  readonly displayName: string;
  readonly platformRole: "" | "viewer" | "admin";
}

/** The invitation request. Empty fields are omitted. */
export function invitationBody({
  email,
  displayName,
  platformRole,
}: InvitationForm): CallInput<typeof inviteUser>["body"] {
  const name = displayName.trim();
  return {
    email: email.trim(),
    ...(name !== "" && { displayName: name }),
    ...(platformRole !== "" && { platformRole }),
  };
}
