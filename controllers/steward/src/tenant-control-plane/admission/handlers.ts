import { DataStore, TenantControlPlane } from "@butler/api";
import { admissionHandler, type AdmissionRequest, type Denial, type KubeClient, listAll } from "@butler/kube";
import { parseObject } from "@butler/resource";
import { deepEqual } from "@butler/std";
import { tenantIdentity } from "../../data-store/index.ts";
import { claimedHostOf, hostnameConflict } from "../../exposure/index.ts";
import { defaultSettings } from "../ports/tenant-control-plane-ports.ts";
import { defaultSpec } from "./default-spec.ts";
import { identityDenials, validateChange, validateSpec } from "./validate.ts";

export interface TenantControlPlaneAdmissionInput {
  readonly client: Pick<KubeClient, "find" | "list">;
  readonly defaultDataStore?: string;
}

type Request = AdmissionRequest<TenantControlPlane>;

/** Validates control planes on create and update, after setting the immutable defaults. */
export function tenantControlPlaneAdmission({
  client,
  defaultDataStore = defaultSettings.defaultDataStore,
}: TenantControlPlaneAdmissionInput) {
  return [
    admissionHandler(TenantControlPlane, {
      mutate: ({ operation, object }) => {
        if (object === undefined || operation !== "CREATE") return object ?? {};
        return defaultSpec(object, defaultDataStore);
      },
    }),
    admissionHandler(TenantControlPlane, {
      validate: (request, signal) => judge(request, client, signal),
      warn: ({ object }) => (object === undefined ? [] : warningsOf(object)),
    }),
  ];
}

async function judge(
  request: Request,
  client: Pick<KubeClient, "find" | "list">,
  signal: AbortSignal,
): Promise<Denial[]> {
  const { oldObject } = request;
  if (request.object === undefined) return [];
  // An object that was invalid before can still be labelled, paused or deleted.
  const isUntouched = oldObject !== undefined && deepEqual(oldObject.spec, request.object.spec);
  if (isUntouched) return [];
  const tcp = parseObject(TenantControlPlane, request.object);
  const { uid } = tcp.metadata;
  const identity = oldObject === undefined || uid === undefined ? undefined : tenantIdentity(uid);
  return [
    ...validateSpec(tcp),
    ...identityDenials(tcp, identity && { schema: identity.user, user: identity.user }),
    ...(oldObject === undefined ? [] : validateChange(parseObject(TenantControlPlane, oldObject), tcp)),
    ...(await dataStoreDenials(tcp, client, signal)),
    ...(hasSameHost(tcp, oldObject) ? [] : await hostDenials(tcp, client, signal)),
  ];
}

async function dataStoreDenials(
  { spec: { dataStore = "" } }: TenantControlPlane,
  client: Pick<KubeClient, "find">,
  signal: AbortSignal,
): Promise<Denial[]> {
  if (dataStore === "" || (await client.find(DataStore, { name: dataStore }, signal)) !== undefined) return [];
  return [
    { path: "spec.dataStore", message: `DataStore ${dataStore} not found; create it first or choose another one` },
  ];
}

/** Whether the host is unchanged or not set. */
function hasSameHost(tcp: TenantControlPlane, before: TenantControlPlane | undefined): boolean {
  const host = claimedHostOf(tcp);
  return host === undefined || (before !== undefined && claimedHostOf(before) === host);
}

async function hostDenials(
  tcp: TenantControlPlane,
  client: Pick<KubeClient, "list">,
  signal: AbortSignal,
): Promise<Denial[]> {
  const others: TenantControlPlane[] = [];
  for await (const other of listAll(client, TenantControlPlane, { signal })) others.push(other);
  const { ingress } = tcp.spec.controlPlane;
  const path = `spec.controlPlane.${ingress === undefined ? "gateway" : "ingress"}.hostname`;
  const message = hostnameConflict(tcp, others, { isNewClaim: true });
  return message === undefined ? [] : [{ path, message }];
}

/** Warnings about fields that are accepted but have no effect in this release. */
function warningsOf({ spec }: TenantControlPlane): string[] {
  const { konnectivity, tcpProxy, workerBootstrap } = spec.addons ?? {};
  const isLimited = Object.values(spec.writePermissions ?? {}).includes(true);
  const ineffective = [
    ["spec.addons.konnectivity", konnectivity !== undefined],
    ["spec.addons.tcpProxy", tcpProxy !== undefined],
    ["spec.addons.workerBootstrap.talos", workerBootstrap?.talos !== undefined],
    ["spec.writePermissions", isLimited],
    ["spec.dataStoreOverrides", (spec.dataStoreOverrides ?? []).length > 0],
  ] as const;
  return ineffective.filter(([, isSet]) => isSet).map(([path]) => `${path} has no effect yet`);
}
