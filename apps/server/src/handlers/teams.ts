import { teamUsageOf } from "@butler/access";
import { labels, Team } from "@butler/api";
import {
  createEnvironment,
  createTeam,
  deleteEnvironment,
  deleteTeam,
  getTeam,
  getTeamUsage,
  listEnvironments,
  listTeams,
  updateEnvironment,
  updateTeam,
} from "@butler/contract";
import type { AccessSubject } from "@butler/access";
import type { ApiClient } from "@butler/kube";
import { Bug } from "@butler/std";
import { type Handler, handle } from "../http/handler.ts";
import { type ListShape, pageOf } from "../http/listing.ts";
import { RouteProblem } from "../http/problem.ts";
import { byObject, passes, searchText } from "../views/object-view.ts";
import { showEnvironment, showTeam } from "../views/team-view.ts";
import { planAddEnvironment, planChangeEnvironment, planRemoveEnvironment } from "./team-change.ts";
import type { HandlerContext } from "./handler-context.ts";
import { changeFromCurrent, changeObject, createObject, newObject, replacement } from "./writing.ts";

/** The team of a request, found by the permission check. */
export function teamIn({ subject }: { readonly subject: AccessSubject | undefined }): Team {
  if (subject === undefined) throw new Bug("the handler reads the team, but the request has none");
  return subject.team;
}

/** Changes the current team, impersonating the calling user. */
export async function changeTeam(
  context: HandlerContext,
  call: { readonly subject: AccessSubject | undefined; readonly asPerson: ApiClient; readonly signal: AbortSignal },
  decide: (team: Team) => Readonly<Record<string, unknown>>,
): Promise<Team> {
  const { state, client: reader } = context;
  const { asPerson: client, signal } = call;
  return changeFromCurrent({ client, reader, state, signal }, Team, {
    key: { name: teamIn(call).metadata.name },
    decide,
  });
}

/** Teams, their use and their environments. */
export function teamHandlers(context: HandlerContext): Handler[] {
  const { state } = context;
  const list: ListShape<Team> = {
    id: byObject.id,
    sortBy: {
      name: byObject.name,
      created: byObject.created,
      clusters: ({ metadata }) => state.clustersOf(metadata.name).length,
    },
    text: (team) => searchText(team, team.spec.displayName, team.spec.description),
  };
  const show = (team: Team, viewer: Parameters<typeof showTeam>[1]["viewer"]) =>
    showTeam(team, { clusters: state.clustersOf(team.metadata.name), viewer });
  return [
    handle(listTeams, ({ caller, query }) => {
      const visible = state.visibleTeams(caller);
      const found = state.teams
        .list()
        .filter(({ metadata, status }) => visible?.has(metadata.name) !== false && passes(query.phase, status?.phase));
      const { items, ...rest } = pageOf(found, query, list);
      return { teams: items.map((team) => show(team, caller.person)), ...rest };
    }),
    handle(getTeam, (call) => show(teamIn(call), call.caller.person)),
    handle(createTeam, async ({ body, caller, asPerson, signal, note }) => {
      const { name, namespace, ...spec } = body;
      note({ name, team: name });
      if (namespace !== undefined && namespace !== name) {
        const message = "the namespace must have the same name as the team";
        throw new RouteProblem("INVALID", message, {
          causes: [{ field: "namespace", reason: "NOT_ALLOWED", message }],
        });
      }
      const made = await createObject({ client: asPerson, state, signal }, Team, newObject(Team, { name }, { spec }));
      return show(made, caller.person);
    }),
    handle(updateTeam, async (call) => {
      const { body, asPerson, signal, caller } = call;
      const { metadata, spec: before } = teamIn(call);
      const { resourceVersion, displayName, description, resourceLimits, clusterDefaults } = body;
      const wanted = {
        // An empty text clears the field.
        displayName: displayName === "" ? null : displayName,
        description: description === "" ? null : description,
        resourceLimits: replacement(before.resourceLimits, resourceLimits),
        clusterDefaults: replacement(before.clusterDefaults, clusterDefaults),
      };
      const spec = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
      const change = { key: { name: metadata.name }, patch: { spec }, resourceVersion };
      const changed = await changeObject({ client: asPerson, state, signal }, Team, change);
      return show(changed, caller.person);
    }),
    handle(deleteTeam, async ({ params, asPerson, signal, note }) => {
      const { team: name } = params;
      note({ team: name });
      const clusters = state.clustersOf(name).length;
      if (clusters > 0) {
        throw new RouteProblem("CONFLICT", `cannot delete team ${name}: it has ${clusters} cluster(s)`, {
          hint: "Delete the clusters first.",
        });
      }
      await asPerson.delete(Team, { name }, { signal });
      return { message: `team ${name} is being deleted` };
    }),
    handle(getTeamUsage, (call) => {
      const team = teamIn(call);
      return teamUsageOf(team, { clusters: state.clustersOf(team.metadata.name), config: state.config });
    }),
    ...environmentHandlers(context),
  ];
}

function environmentHandlers(context: HandlerContext): Handler[] {
  const { state } = context;
  const environmentsOf = ({ metadata, spec }: Team) =>
    (spec.environments ?? []).map((environment) => showEnvironment(environment, state.clustersOf(metadata.name)));
  const find = (team: Team, name: string) => {
    const found = environmentsOf(team).find((environment) => environment.name === name);
    if (found === undefined) throw new RouteProblem("NOT_FOUND", `environment ${name} not found`);
    return found;
  };
  return [
    handle(listEnvironments, (call) => {
      const environments = environmentsOf(teamIn(call));
      return { environments, total: environments.length };
    }),
    handle(createEnvironment, async (call) => {
      call.note({ name: call.body.name });
      return find(await changeTeam(context, call, (team) => planAddEnvironment(team, call.body)), call.body.name);
    }),
    handle(updateEnvironment, async (call) => {
      const { environment } = call.params;
      const changed = await changeTeam(context, call, (team) => planChangeEnvironment(team, environment, call.body));
      return find(changed, environment);
    }),
    handle(deleteEnvironment, async (call) => {
      const { environment } = call.params;
      const inside = state
        .clustersOf(teamIn(call).metadata.name)
        .filter(({ metadata }) => metadata.labels?.[labels.environment] === environment);
      await changeTeam(context, call, (team) => planRemoveEnvironment(team, environment, inside.length));
      return { message: `environment ${environment} deleted` };
    }),
  ];
}
