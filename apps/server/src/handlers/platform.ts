import { ButlerConfig, butlerConfigName, ClusterCreationPolicy } from "@butler/api";
import {
  createPolicy,
  deletePolicy,
  getPolicy,
  getSettings,
  listPolicies,
  putSettings,
  updatePolicy,
} from "@butler/contract";
import { keyOf, parseObject } from "@butler/resource";
import { type Handler, handle } from "../http/handler.ts";
import { type ListShape, pageOf } from "../http/listing.ts";
import { RouteProblem } from "../http/problem.ts";
import type { SignedIn } from "../ports.ts";
import { byObject, objectView, passes, searchText } from "../views/object-view.ts";
import type { HandlerContext } from "./handler-context.ts";
import { changeObject, createObject, newObject, replacement } from "./writing.ts";

/** Settings of the platform, and policies for new clusters. */
export function platformHandlers(context: HandlerContext): Handler[] {
  return [...settingsHandlers(context), ...policyHandlers(context)];
}

const named = { apiVersion: ButlerConfig.apiVersion, kind: ButlerConfig.kind, metadata: { name: butlerConfigName } };

function settingsHandlers({ state }: HandlerContext): Handler[] {
  return [
    handle(getSettings, ({ caller }) =>
      showSettings(state.config ?? parseObject(ButlerConfig, { ...named, spec: {} }), caller),
    ),
    handle(putSettings, async ({ body, caller, asPerson, signal, note }) => {
      note({ name: butlerConfigName });
      const writing = { client: asPerson, state, signal };
      const { config } = state;
      if (config === undefined) {
        return showSettings(
          await createObject(
            writing,
            ButlerConfig,
            newObject(ButlerConfig, { name: butlerConfigName }, { spec: body.spec }),
          ),
          caller,
        );
      }
      const before = config.spec as Readonly<Record<string, unknown>>;
      const spec = Object.fromEntries(
        Object.entries(body.spec).map(([name, value]) => [name, replacement(before[name], value)]),
      );
      const change = { key: keyOf(config), patch: { spec }, resourceVersion: body.resourceVersion };
      return showSettings(await changeObject(writing, ButlerConfig, change), caller);
    }),
  ];
}

/** Webhook URLs often contain secrets: only users who may set them can read them. */
function showSettings({ metadata, spec, status }: ButlerConfig, { platformRole }: SignedIn) {
  const { audit, notifications, ...rest } = spec;
  const { webhookURL: _auditUrl, ...auditRest } = audit ?? {};
  const isAdmin = platformRole === "admin";
  const shown = isAdmin
    ? spec
    : {
        ...rest,
        ...(audit === undefined ? {} : { audit: auditRest as typeof audit }),
        ...(notifications === undefined ? {} : { notifications: {} }),
      };
  return { spec: shown, ...(status === undefined ? {} : { status }), resourceVersion: metadata.resourceVersion };
}

const policyList: ListShape<ClusterCreationPolicy> = {
  id: byObject.id,
  sortBy: { name: byObject.name, created: byObject.created },
  text: (policy) => searchText(policy, teamOf(policy)),
};

function teamOf({ spec }: ClusterCreationPolicy): string | undefined {
  return spec.scope.team?.teamRef.name ?? spec.scope.teamAndEnvironment?.teamRef.name;
}

function policyHandlers({ state }: HandlerContext): Handler[] {
  const find = (name: string): ClusterCreationPolicy => {
    const policy = state.policies.get({ name });
    if (policy === undefined) throw new RouteProblem("NOT_FOUND", `policy ${name} not found`);
    return policy;
  };
  return [
    handle(listPolicies, ({ query }) => {
      const found = state.policies.list().filter((policy) => passes(query.team, teamOf(policy)));
      const { items, ...rest } = pageOf(found, query, policyList);
      return { policies: items.map(objectView), ...rest };
    }),
    handle(getPolicy, ({ params }) => objectView(find(params.name))),
    handle(createPolicy, async ({ body, asPerson, signal, note }) => {
      const { name, spec } = body;
      note({ name });
      const { apiVersion, kind } = ClusterCreationPolicy;
      const policy = { apiVersion, kind, metadata: { name }, spec };
      return objectView(await createObject({ client: asPerson, state, signal }, ClusterCreationPolicy, policy));
    }),
    handle(updatePolicy, async ({ params, body, asPerson, signal }) => {
      const policy = find(params.name);
      const patch = { spec: replacement(policy.spec, body.spec) };
      const change = { key: keyOf(policy), patch, resourceVersion: body.resourceVersion };
      return objectView(await changeObject({ client: asPerson, state, signal }, ClusterCreationPolicy, change));
    }),
    handle(deletePolicy, async ({ params, asPerson, signal }) => {
      await asPerson.delete(ClusterCreationPolicy, keyOf(find(params.name)), { signal });
      return { message: `policy ${params.name} deleted` };
    }),
  ];
}
