import {
  accountName,
  accountPhase,
  createInvitation,
  hasOpenInvitation,
  invitationUrl,
  invitedStatus,
  planPlatformRole,
  requireAnotherAdmin,
} from "@butler/administration";
import { effectivePlatformRole, User } from "@butler/api";
import {
  deleteUser,
  disableUser,
  enableUser,
  getUser,
  inviteUser,
  listUsers,
  reinviteUser,
  setPlatformRole,
  type userView,
} from "@butler/contract";
import { resolveTeams, isSameEmail } from "@butler/access";
import type { z } from "zod";
import { type Handler, handle } from "../http/handler.ts";
import { type ListShape, pageOf } from "../http/listing.ts";
import { RouteProblem } from "../http/problem.ts";
import type { SignedIn } from "../ports.ts";
import { byObject, passes, searchText } from "../views/object-view.ts";
import type { HandlerContext } from "./handler-context.ts";
import { changeObject, createObject, newObject } from "./writing.ts";

const userList: ListShape<User> = {
  id: byObject.id,
  sortBy: {
    name: byObject.name,
    created: byObject.created,
    email: ({ spec }) => spec.email.toLowerCase(),
    lastLogin: ({ status }) => status?.lastLoginTime ?? "",
  },
  text: (user) => searchText(user, user.spec.email, user.spec.displayName, user.spec.ssoProvider),
};

/** Accounts and invitations to them. */
export function userHandlers(context: HandlerContext): Handler[] {
  const { state } = context;
  const show = (user: User) => showUser(user, context);
  return [
    handle(listUsers, ({ query }) => {
      const found = state.users
        .list()
        .filter(
          (user) =>
            passes(query.phase, accountPhase(user)) &&
            passes(query.authType, user.spec.authType) &&
            (query.disabled ?? user.spec.disabled) === user.spec.disabled &&
            (query.team === undefined || teamsOf(user, context).some(({ name }) => name === query.team)),
        );
      const { items, ...rest } = pageOf(found, query, userList);
      return { users: items.map(show), ...rest };
    }),
    handle(getUser, ({ params }) => show(find(context, params.user))),
    ...invitationHandlers(context),
    ...lifeHandlers(context),
  ];
}

function invitationHandlers(context: HandlerContext): Handler[] {
  const { state } = context;
  return [
    handle(inviteUser, async ({ body, asPerson, signal, note }) => {
      const email = body.email.trim().toLowerCase();
      const name = body.username ?? accountName(email);
      note({ name });
      if (state.accountsOf(email).length > 0) {
        throw new RouteProblem("ALREADY_EXISTS", `an account for ${email} already exists`);
      }
      const { displayName, platformRole } = body;
      const spec = {
        email,
        authType: "internal",
        displayName,
        ...(platformRole ? { platformRole } : {}),
      };
      const made = await createObject({ client: asPerson, state, signal }, User, newObject(User, { name }, { spec }));
      return invite(context, made, signal);
    }),
    handle(reinviteUser, ({ params, signal }) => {
      const user = find(context, params.user);
      if (user.spec.authType !== "internal") {
        throw new RouteProblem(
          "CONFLICT",
          `cannot invite ${params.user}: the account signs in through ${user.spec.ssoProvider ?? "an identity provider"}`,
        );
      }
      return invite(context, user, signal);
    }),
  ];
}

/** The status of an account is written by the server itself; the caller's permission was checked before. */
async function invite(context: HandlerContext, user: User, signal: AbortSignal) {
  const { client, state, clock, publicUrl } = context;
  const invitation = createInvitation(clock.now());
  const changed = await client.patch(
    User,
    { name: user.metadata.name },
    {
      type: "merge",
      subresource: "status",
      patch: { status: invitedStatus(invitation, clock.now()) },
      fieldManager: "butler-server",
      signal,
    },
  );
  state.caches.noteWrite(User, changed);
  const { expiresAt } = invitation;
  return { user: showUser(changed, context), inviteUrl: invitationUrl(publicUrl, invitation), expiresAt };
}

function lifeHandlers(context: HandlerContext): Handler[] {
  const { state } = context;
  const setDisabled = async (
    { caller, asPerson, signal }: { caller: SignedIn; asPerson: HandlerContext["client"]; signal: AbortSignal },
    name: string,
    disabled: boolean,
  ) => {
    const user = find(context, name);
    if (disabled) {
      requireOtherAccount(user, caller);
      requireAnotherAdmin(user, state.users.list());
    }
    const change = { key: { name }, patch: { spec: { disabled } } };
    return showUser(await changeObject({ client: asPerson, state, signal }, User, change), context);
  };
  return [
    handle(disableUser, (call) => setDisabled(call, call.params.user, true)),
    handle(enableUser, (call) => setDisabled(call, call.params.user, false)),
    handle(setPlatformRole, async ({ params, body: { role }, caller, asPerson, signal }) => {
      const user = find(context, params.user);
      requireOtherAccount(user, caller);
      if (role !== "admin") requireAnotherAdmin(user, state.users.list());
      const change = { key: { name: params.user }, patch: planPlatformRole(role) };
      return showUser(await changeObject({ client: asPerson, state, signal }, User, change), context);
    }),
    handle(deleteUser, async ({ params, caller, asPerson, signal }) => {
      const user = find(context, params.user);
      requireOtherAccount(user, caller);
      requireAnotherAdmin(user, state.users.list());
      await asPerson.delete(User, { name: params.user }, { uid: user.metadata.uid, signal });
      return { message: `account ${params.user} is being deleted` };
    }),
  ];
}

/** Users cannot disable themselves or change their own role. */
function requireOtherAccount(user: User, caller: SignedIn): void {
  if (!isSameEmail(user.spec.email, caller.person.email)) return;
  throw new RouteProblem("CONFLICT", "you cannot disable or delete your own account, or change its role", {
    hint: "Ask another platform administrator.",
  });
}

function find({ state }: HandlerContext, name: string): User {
  const user = state.users.get({ name });
  if (user === undefined) throw new RouteProblem("NOT_FOUND", `account ${name} not found`);
  return user;
}

function teamsOf({ spec, status }: User, { state }: HandlerContext) {
  const person = { email: spec.email, groups: status?.lastSeenGroups ?? [], identityProvider: spec.ssoProvider };
  return resolveTeams(person, state.teams.list());
}

/** An account without its credentials. */
function showUser(user: User, context: HandlerContext): z.output<typeof userView> {
  const { metadata, spec, status } = user;
  return {
    username: metadata.name,
    email: spec.email,
    displayName: spec.displayName ?? spec.email,
    avatar: spec.avatar,
    phase: accountPhase(user),
    disabled: spec.disabled,
    authType: spec.authType,
    ssoProvider: spec.ssoProvider,
    isPlatformAdmin: effectivePlatformRole(spec) === "admin",
    platformRole: effectivePlatformRole(spec) ?? "",
    teams: teamsOf(user, context).map(({ name, role }) => ({ name, role })),
    invitePending: hasOpenInvitation(user, context.clock.now()),
    inviteExpiresAt: status?.inviteExpiresAt,
    lastLoginTime: status?.lastLoginTime,
    createdAt: metadata.creationTimestamp,
  };
}
