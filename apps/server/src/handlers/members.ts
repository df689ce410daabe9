import { memberOf, membersOf } from "@butler/access";
import { planAddMember, planChangeMember, planRemoveMember } from "@butler/administration";
import { effectiveRole, type Team } from "@butler/api";
import {
  addGroup,
  addMember,
  changeGroup,
  changeMember,
  listGroups,
  listMembers,
  removeGroup,
  removeMember,
} from "@butler/contract";
import { type Handler, handle } from "../http/handler.ts";
import { pageOf } from "../http/listing.ts";
import { RouteProblem } from "../http/problem.ts";
import { passes } from "../views/object-view.ts";
import { planAddGroup, planChangeGroup } from "./team-change.ts";
import { changeTeam, teamIn } from "./teams.ts";
import type { HandlerContext } from "./handler-context.ts";

type MemberView = ReturnType<typeof membersOf>[number];

const memberList = {
  id: ({ email }: MemberView): string => email,
  sortBy: { email: ({ email }: MemberView): string => email, role: ({ role }: MemberView): string => role },
  text: ({ email, name, role, groupName = "" }: MemberView): string => `${email} ${name} ${role} ${groupName}`,
};

/** Users and groups of teams. */
export function memberHandlers(context: HandlerContext): Handler[] {
  const { state } = context;
  const answerOf = (team: Team, email: string) => {
    const member = memberOf(team, email.toLowerCase(), state.accountsOf(email));
    return { ...(member === undefined ? {} : { member }), retainsAccess: member?.groupRole !== undefined };
  };
  return [
    handle(listMembers, (call) => {
      const team = teamIn(call);
      const found = membersOf(team, state.users.list()).filter(({ role }) => passes(call.query.role, role));
      const { items, ...rest } = pageOf(found, call.query, memberList);
      return { members: [...items], ...rest, groups: groupsOf(team) };
    }),
    handle(addMember, async (call) => {
      const { email, role } = call.body;
      call.note({ name: email });
      return answerOf(await changeTeam(context, call, (team) => planAddMember(team, email, role)), email);
    }),
    handle(changeMember, async (call) => {
      const { email } = call.params;
      return answerOf(await changeTeam(context, call, (team) => planChangeMember(team, email, call.body.role)), email);
    }),
    handle(removeMember, async (call) => {
      const { email } = call.params;
      return answerOf(await changeTeam(context, call, (team) => planRemoveMember(team, email)), email);
    }),
    ...groupHandlers(context),
  ];
}

function groupHandlers(context: HandlerContext): Handler[] {
  const { state } = context;
  const answerOf = (team: Team) => {
    const groups = groupsOf(team);
    return { groups, total: groups.length };
  };
  return [
    handle(listGroups, (call) => answerOf(teamIn(call))),
    handle(addGroup, async (call) => {
      const { name, role, identityProvider } = call.body;
      call.note({ name });
      if (identityProvider && state.identityProviders.get({ name: identityProvider }) === undefined) {
        const message = `identity provider ${identityProvider} not found`;
        throw new RouteProblem("INVALID", message, {
          causes: [{ field: "identityProvider", reason: "NOT_FOUND", message }],
        });
      }
      return answerOf(await changeTeam(context, call, (team) => planAddGroup(team, { name, identityProvider }, role)));
    }),
    handle(changeGroup, async (call) => {
      const group = { name: call.params.group, identityProvider: call.query.idp };
      return answerOf(await changeTeam(context, call, (team) => planChangeGroup(team, group, call.body.role)));
    }),
    handle(removeGroup, async (call) => {
      const group = { name: call.params.group, identityProvider: call.query.idp };
      return answerOf(await changeTeam(context, call, (team) => planChangeGroup(team, group, undefined)));
    }),
  ];
}

function groupsOf({ spec }: Team) {
  return (spec.access.groups ?? []).map(({ name, role, identityProvider }) => ({
    name,
    role: effectiveRole(role),
    ...(identityProvider ? { identityProvider } : {}),
  }));
}
