import { isCliAccount } from "@butler/access";
import { annotations, TenantCluster } from "@butler/api";
import { admissionHandler, type AdmissionRequest, type Denial, type KubeClient } from "@butler/kube";
import type { SupportedSystems } from "@butler/provider";
import { keyOf } from "@butler/resource";
import { deepEqual } from "@butler/std";
import { ledgerKey } from "../ledger/entries.ts";
import type { QuotaLedger } from "../ledger/quota-ledger.ts";
import { type AuthoritySource, identify, listUsers, readRequester } from "../requester.ts";
import { choosesDataStore } from "./data-store.ts";
import { decideTenantCluster, decideTenantClusterDeletion } from "./decide.ts";
import { defaultTenantCluster } from "./default-tenant-cluster.ts";
import { accountOf, readFacts, readClustersBeside, readTeamAndConfig, storedClaims } from "./facts.ts";
import { environmentOf, isTakenOut } from "./environment.ts";
import { isHandedOver } from "./identity.ts";
import type { ClusterRequester, TenantClusterInput } from "./input.ts";
import { choosesSettings } from "./overrides.ts";
import { isComponent, isReleased, releaseDenials } from "./release.ts";
import { readUpgradeFacts } from "./upgrade-gate.ts";
import { claimOf, isGrowing, orphanDenials, quotaDenials, quotaRefusals } from "./quota.ts";

/** What validating clusters needs. */
export interface TenantClusterAdmissionInput extends AuthoritySource {
  readonly client: Pick<KubeClient, "find" | "list" | "create">;
  readonly ledger: QuotaLedger;
  readonly supportedSystems: SupportedSystems;
}

type Request = AdmissionRequest<TenantCluster>;

/** Defaults clusters on create and update, and validates them on create, update and delete. */
export function tenantClusterAdmission(input: TenantClusterAdmissionInput) {
  return [
    admissionHandler(TenantCluster, { mutate: (request, signal) => fillIn(request, input, signal) }),
    admissionHandler(TenantCluster, { validate: (request, signal) => judge(request, input, signal) }),
  ];
}

async function fillIn(request: Request, input: TenantClusterAdmissionInput, signal: AbortSignal): Promise<object> {
  const { object: cluster, oldObject: before, namespace = "" } = request;
  if (cluster === undefined) return {};
  const requester = await requesterOf(request, input, signal);
  const known = before === undefined ? await readTeamAndConfig(input.client, { cluster, namespace }, signal) : nothing;
  return defaultTenantCluster({ cluster, before, requester, namespace, ...known });
}

const nothing = { config: undefined, team: undefined };

/** The requester. For a CLI session that is the user it belongs to, so that clusters are created in their name. */
async function requesterOf(
  { userInfo }: Request,
  { client, trustedUsernames }: AuthoritySource,
  signal: AbortSignal,
): Promise<ClusterRequester> {
  const { username } = userInfo;
  if (!isCliAccount(username)) return { username, isTrusted: trustedUsernames.has(username) };
  const { person } = identify(userInfo, await listUsers(client, signal));
  return { username: person.email, isTrusted: false };
}

async function judge(request: Request, input: TenantClusterAdmissionInput, signal: AbortSignal): Promise<Denial[]> {
  const { operation, object: cluster, oldObject: before } = request;
  if (operation === "DELETE") return before === undefined ? [] : judgeDeletion(before, request, { input, signal });
  if (cluster === undefined) return [];
  const released = await judgeRelease(request, cluster, { input, signal });
  if (released.length > 0 || isUntouched(cluster, before)) return released;
  const [known, ofAddons] = await Promise.all([
    readFacts(input.client, cluster, signal),
    readUpgradeFacts(input.client, { cluster, before }, signal),
  ]);
  const facts = { ...known, ...ofAddons };
  const plain = await requesterOf(request, input, signal);
  // Only these depend on the requester's permissions, which are read for them alone.
  const isSpecial =
    isHandedOver(cluster, before) ||
    isTakenOut(cluster, before) ||
    choosesDataStore(cluster, before) ||
    choosesSettings({ cluster, before, facts });
  const requester = isSpecial ? { ...plain, ...(await readRequester(request.userInfo, input, signal)) } : plain;
  const judged: TenantClusterInput = { cluster, before, requester, facts, supportedSystems: input.supportedSystems };
  const denials = decideTenantCluster(judged);
  if (!isGrowing(judged)) return denials;
  const dryRun = request.dryRun || denials.length > 0;
  return [...denials, ...orphanDenials(judged), ...(await judgeRoom(judged, { input, dryRun, signal }))];
}

/** Who may give up what a cluster has left. Nothing is read for components, which remove finalizers all the time. */
async function judgeRelease(
  { oldObject: before, userInfo }: Request,
  cluster: TenantCluster,
  { input, signal }: { input: TenantClusterAdmissionInput; signal: AbortSignal },
): Promise<Denial[]> {
  if (!isReleased({ cluster, before })) return [];
  const { username } = userInfo;
  if (isComponent(userInfo)) {
    return releaseDenials({ cluster, before, requester: { username, isTrusted: false, isComponent: true } });
  }
  const { isTrusted, isPlatformAdmin } = await readRequester(userInfo, input, signal);
  return releaseDenials({ cluster, before, requester: { username, isTrusted, isPlatformAdmin } });
}

/** Whether no rule applies to a change, such as a finalizer; it must not depend on anything that is read. */
function isUntouched(cluster: TenantCluster, before: TenantCluster | undefined): boolean {
  if (before === undefined || !deepEqual(before.spec, cluster.spec)) return false;
  const [was, is] = [before, cluster].map((each) => ({
    environment: environmentOf(each),
    creator: each.metadata.annotations?.[annotations.creatorEmail],
    owner: each.metadata.annotations?.[annotations.owner],
  }));
  return deepEqual(was, is);
}

/** Checks quota and reserves it, unless the request is a dry run or denied anyway. */
async function judgeRoom(
  judged: TenantClusterInput,
  { input, dryRun, signal }: { input: TenantClusterAdmissionInput; dryRun: boolean; signal: AbortSignal },
): Promise<Denial[]> {
  const { cluster, before, facts } = judged;
  if (orphanDenials(judged).length > 0) return [];
  const refusals = await input.ledger.claim({
    account: accountOf(cluster, facts),
    key: ledgerKey(keyOf(cluster)),
    after: claimOf(cluster, facts),
    uid: cluster.metadata.uid ?? "",
    resourceVersion: before?.metadata.resourceVersion,
    dryRun,
    readClusters: () => readClustersBeside(input.client, cluster),
    storedIn: (clusters) => storedClaims(clusters, facts),
    judge: (others) => quotaRefusals(judged, others),
    signal,
  });
  return quotaDenials(refusals, judged);
}

async function judgeDeletion(
  cluster: TenantCluster,
  { dryRun }: Request,
  { input, signal }: { input: TenantClusterAdmissionInput; signal: AbortSignal },
): Promise<Denial[]> {
  const denials = decideTenantClusterDeletion(cluster);
  if (denials.length > 0 || dryRun) return denials;
  const { uid = "", namespace = "" } = cluster.metadata;
  try {
    const facts = await readTeamAndConfig(input.client, { cluster, namespace }, signal);
    // The cluster is stored, otherwise it could not be deleted, so the reservation for its creation is no longer needed.
    await input.ledger.forget({ account: accountOf(cluster, facts), key: ledgerKey(keyOf(cluster)), uid });
  } catch {
    // The reservation expires on its own; a deletion must not wait for that.
    return [];
  }
  return [];
}
