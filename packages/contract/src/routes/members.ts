import { z } from "zod";
import { emailAddress, teamRole } from "../names.ts";
import { filter, listQuery, page } from "../paging.ts";
import { inTeam } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { groupView, memberView } from "../views/team.ts";
import { newGroup, newMember } from "./team-bodies.ts";
import { teamParams } from "./teams.ts";

const kind = "Team";
const address = emailAddress("Email address of the member.");
const memberParams = teamParams.extend({ email: address });
const groupParams = teamParams.extend({ group: z.string().min(1).max(1024).describe("Name of the group.") });
const idp = z.object({
  idp: filter("Identity provider that the group belongs to. Distinguishes groups with the same name."),
});

/** The access that a user has after their entry was changed or removed. */
const memberAnswer = z
  .object({
    member: memberView.optional().describe("The member after the change. Absent if the user is no longer a member."),
    retainsAccess: z.boolean().describe("Whether the user still has access through a group."),
  })
  .meta({ id: "MemberAnswer", examples: [{ retainsAccess: false }] });

export const listMembers = defineRoute({
  id: "members.list",
  method: "GET",
  path: "/api/teams/{team}/members",
  summary: "List the members of a team",
  permission: inTeam("viewer"),
  params: teamParams,
  query: listQuery(["email", "role"], { role: filter("Return only members with this role.") }),
  responses: {
    200: page("members", memberView).extend({ groups: z.array(groupView).describe("Groups in the team.") }),
  },
  audit: "none",
});

export const addMember = defineRoute({
  id: "members.add",
  method: "POST",
  path: "/api/teams/{team}/members",
  aliases: ["/api/admin/teams/{team}/members"],
  summary: "Add a member to a team",
  permission: inTeam("admin"),
  params: teamParams,
  body: newMember,
  responses: { 201: memberAnswer },
  errors: ["ALREADY_EXISTS"],
  audit: { action: "add-member", kind },
});

export const changeMember = defineRoute({
  id: "members.change",
  method: "PATCH",
  path: "/api/teams/{team}/members/{email}",
  aliases: ["/api/admin/teams/{team}/members/{email}"],
  summary: "Change the role of a team member",
  description: "The last admin of a team cannot be demoted. Make another member an admin first.",
  permission: inTeam("admin"),
  params: memberParams,
  body: z
    .strictObject({ role: teamRole.describe("Role in the team.") })
    .meta({ id: "MemberChange", examples: [{ role: "viewer" }] }),
  responses: { 200: memberAnswer },
  audit: { action: "change-member", kind },
});

export const removeMember = defineRoute({
  id: "members.remove",
  method: "DELETE",
  path: "/api/teams/{team}/members/{email}",
  aliases: ["/api/admin/teams/{team}/members/{email}"],
  summary: "Remove a member from a team",
  permission: inTeam("admin"),
  params: memberParams,
  responses: { 200: memberAnswer },
  audit: { action: "remove-member", kind },
});

const groupsAnswer = z.object({
  groups: z.array(groupView).describe("Groups in the team."),
  total: z.int().describe("Number of groups."),
});

export const listGroups = defineRoute({
  id: "members.groups",
  method: "GET",
  path: "/api/teams/{team}/groups",
  summary: "List the groups of a team",
  permission: inTeam("viewer"),
  params: teamParams,
  responses: { 200: groupsAnswer },
  audit: "none",
});

export const addGroup = defineRoute({
  id: "members.addGroup",
  method: "POST",
  path: "/api/teams/{team}/groups",
  aliases: ["/api/admin/teams/{team}/groups"],
  summary: "Add a group to a team",
  permission: inTeam("admin"),
  params: teamParams,
  body: newGroup,
  responses: { 201: groupsAnswer },
  errors: ["ALREADY_EXISTS"],
  audit: { action: "add-group", kind },
});

export const changeGroup = defineRoute({
  id: "members.changeGroup",
  method: "PATCH",
  path: "/api/teams/{team}/groups/{group}",
  aliases: ["/api/admin/teams/{team}/groups/{group}"],
  summary: "Change the role of a group in a team",
  permission: inTeam("admin"),
  params: groupParams,
  query: idp,
  body: z
    .strictObject({ role: teamRole.describe("Role in the team.") })
    .meta({ id: "GroupChange", examples: [{ role: "viewer" }] }),
  responses: { 200: groupsAnswer },
  audit: { action: "change-group", kind },
});

export const removeGroup = defineRoute({
  id: "members.removeGroup",
  method: "DELETE",
  path: "/api/teams/{team}/groups/{group}",
  aliases: ["/api/admin/teams/{team}/groups/{group}"],
  summary: "Remove a group from a team",
  permission: inTeam("admin"),
  params: groupParams,
  query: idp,
  responses: { 200: groupsAnswer },
  audit: { action: "remove-group", kind },
});

/** All routes for members and groups of teams. */
export const memberRoutes = [
  listMembers,
  addMember,
  changeMember,
  removeMember,
  listGroups,
  addGroup,
  changeGroup,
  removeGroup,
] as const;
