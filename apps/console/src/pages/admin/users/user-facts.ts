import type { inviteUser, listUsers, RouteAnswer } from "@butler/contract";
import type { CallInput } from "@butler/contract";
import type { Tone } from "@butler/ui";

/** An account as the list has it. */
export type UserView = RouteAnswer<typeof listUsers>["users"][number];

const tones: Readonly<Record<string, Tone>> = {
  Active: "ready",
  Pending: "working",
  Disabled: "asleep",
  Locked: "attention",
};

/** How an account is, as a sign. */
export function userTone({ phase }: Pick<UserView, "phase">): Tone {
  return tones[phase] ?? "unknown";
}

/** What can be done with an account. */
export type UserAction = "invite" | "disable" | "enable" | "end-sessions" | "delete";

/**
 * What can be done with an account by an administrator. Nobody shuts themselves out, and whoever signs in through an
 * identity provider has no password to be invited to.
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

/** What somebody has written into the invitation. */
export interface InvitationForm {
  readonly email: string;
  readonly displayName: string;
  readonly platformRole: "" | "viewer" | "admin";
}

/** The request that a written invitation makes; what was left empty is not sent. */
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
