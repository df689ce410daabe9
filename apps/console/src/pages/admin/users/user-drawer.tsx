import {
  deleteUser,
  disableUser,
  enableUser,
  endSessionsOfUser,
  listSessionsOfUser,
  listUsers,
  reinviteUser,
} from "@butler/contract";
import { Button, Chip, Dialog, Facts, Moment, StatusBadge } from "@butler/ui";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useRouteMutation } from "../../../data/route-query.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import { useAnnouncedMutation } from "../../../parts/use-announced-mutation.ts";
import { useMe } from "../../../session/me.ts";
import { useMay } from "../shared/action-button.tsx";
import { ConfirmByName } from "../shared/confirm-by-name.tsx";
import { InvitationLink } from "./invitation-link.tsx";
import { UserSessions } from "./user-sessions.tsx";
import { userActions, userTone, type UserView } from "./user-facts.ts";

interface UserDrawerProps {
  readonly user: UserView;
  readonly onClose: () => void;
}

/** Details of an account: roles, sessions and actions. */
export function UserDrawer({ user, onClose }: UserDrawerProps) {
  const [isDeleting, setDeleting] = useState(false);
  if (isDeleting) return <DeleteUser user={user} onCancel={() => setDeleting(false)} onGone={onClose} />;
  return <UserDetails user={user} onClose={onClose} onDelete={() => setDeleting(true)} />;
}

function UserDetails({ user, onClose, onDelete }: UserDrawerProps & { readonly onDelete: () => void }) {
  const { email } = useMe();
  const may = useMay(disableUser);
  const params = { user: user.username };
  const refreshes = [listUsers, listSessionsOfUser];
  const disable = useRouteMutation(disableUser, { refreshes });
  const enable = useRouteMutation(enableUser, { refreshes });
  const invite = useRouteMutation(reinviteUser, { refreshes });
  const endSessions = useRouteMutation(endSessionsOfUser, { refreshes });
  const buttons = {
    invite: ["New invitation", invite.isPending, () => invite.mutate({ params })],
    disable: ["Disable", disable.isPending, () => disable.mutate({ params })],
    enable: ["Enable", enable.isPending, () => enable.mutate({ params })],
    "end-sessions": ["End all sessions", endSessions.isPending, () => endSessions.mutate({ params })],
    delete: ["Delete…", false, onDelete],
  } as const;
  const actions = may ? userActions(user, email) : [];
  return (
    <Dialog
      isOpen
      onClose={onClose}
      place="right"
      title={user.email}
      actions={actions.map((action) => {
        const [label, isBusy, perform] = buttons[action];
        return (
          <Button key={action} kind={action === "delete" ? "danger-quiet" : "normal"} isBusy={isBusy} onClick={perform}>
            {label}
          </Button>
        );
      })}
    >
      {invite.data !== undefined && <InvitationLink url={invite.data.inviteUrl} expiresAt={invite.data.expiresAt} />}
      <ProblemNotice error={disable.error ?? enable.error ?? invite.error ?? endSessions.error} />
      {!may && <p className="b-soft">Changing accounts requires the platform admin role.</p>}
      <UserFacts user={user} />
      {may && <UserSessions user={user.username} />}
    </Dialog>
  );
}

function UserFacts({ user }: { readonly user: UserView }) {
  const { username, displayName, authType, ssoProvider, platformRole, teams, invitePending, inviteExpiresAt } = user;
  const signsIn = authType === "internal" ? "Password" : (ssoProvider ?? "Identity provider");
  return (
    <Facts
      facts={[
        ["State", <StatusBadge tone={userTone(user)}>{user.phase}</StatusBadge>],
        ["Name", <span dir="auto">{displayName}</span>],
        ["Account", <span className="b-mono">{username}</span>],
        ["Sign-in method", signsIn],
        ["Platform role", platformRole === "" ? "None" : <Chip>{platformRole}</Chip>],
        ["Invitation", invitePending ? `Valid until ${new Date(inviteExpiresAt ?? "").toLocaleString()}` : undefined],
        [
          "Teams",
          teams.length === 0 ? (
            "None"
          ) : (
            <ul>
              {teams.map(({ name, role }) => (
                <li key={name}>
                  <Link to="/t/$team" params={{ team: name }}>
                    {name}
                  </Link>{" "}
                  <span className="b-soft">{role}</span>
                </li>
              ))}
            </ul>
          ),
        ],
        ["Last sign-in", <Moment at={user.lastLoginTime} />],
        ["Created", <Moment at={user.createdAt} />],
      ]}
    />
  );
}

interface DeleteUserProps {
  readonly user: UserView;
  readonly onCancel: () => void;
  readonly onGone: () => void;
}

function DeleteUser({ user, onCancel, onGone }: DeleteUserProps) {
  const remove = useAnnouncedMutation(deleteUser, { refreshes: [listUsers], onDone: onGone });
  return (
    <ConfirmByName
      title={`Delete account ${user.email}?`}
      name={user.username}
      effects={[
        "The account and all its browser and CLI sessions are deleted.",
        "Clusters remain with their teams.",
        user.teams.length === 0
          ? "No team lists this user as a member."
          : `Teams that still list this email address: ${user.teams.map(({ name }) => name).join(", ")}.`,
      ]}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { user: user.username } })}
      onClose={onCancel}
    />
  );
}
