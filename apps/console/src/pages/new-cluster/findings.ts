import { TenantCluster } from "@butler/api";
import { newCluster } from "@butler/contract";
import { deepEqual, valueAt } from "@butler/std";
import { type Draft, type Parts, poolsOf } from "./draft.ts";
import type { ClusterPlan } from "./request.ts";
import type { StepId } from "./step-list.ts";

/** A validation error of a draft. */
export interface Finding {
  /** Field path below the spec, or `name` or `environment`; empty for the whole draft. */
  readonly field: string;
  readonly message: string;
  readonly step: StepId;
}

const beginnings: readonly (readonly [string, StepId])[] = [
  ["workers.machineTemplate.os", "version"],
  ["kubernetesVersion", "version"],
  ["osType", "version"],
  ["controlPlane", "version"],
  ["timeServers", "version"],
  ["workers", "pools"],
  ["workerPools", "pools"],
  ["workerReplicas", "pools"],
  ["networking", "network"],
  ["addons", "addons"],
  ["managementPolicy", "addons"],
  ["workspaces", "addons"],
  ["name", "place"],
  ["environment", "place"],
  ["labels", "place"],
  ["metadata", "place"],
  ["teamRef", "place"],
  ["providerConfigRef", "place"],
  ["infrastructureOverride", "place"],
];

/** The step that contains a field; the review for all other fields. */
export function stepOf(field: string): StepId {
  const found = beginnings.find(([start]) => field.startsWith(start) && /^([.[]|$)/.test(field.slice(start.length)));
  return found?.[1] ?? "review";
}

/** Field path without the prefixes that the server and admission add. */
export function formField(field: string): string {
  if (/^metadata\.labels\b.*environment/.test(field)) return "environment";
  return field === "metadata.name" ? "name" : field.replace(/^(body\.)?(spec\.)?/, "");
}

function finding(field: string, message: string): Finding {
  const own = formField(field);
  return { field: own, message, step: stepOf(own) };
}

/** Errors in the server's plan, by field. Exceeded limits that the server tolerates are not errors. */
export function planFindings({
  isAccepted,
  refusals,
  exceeded,
}: Omit<ClusterPlan, "cluster" | "usage">): readonly Finding[] {
  if (isAccepted) return [];
  const others = refusals.map(({ field, message }) => finding(field, message));
  const limits = exceeded.map(({ rule, message }) => finding(limitField(rule), message));
  // Enforced limits are also listed as refusals; each is reported once.
  return [...others, ...limits.filter(({ message }) => !others.some((other) => other.message.includes(message)))];
}

/** The field that exceeds a limit. */
function limitField(rule: string): string {
  if (/cluster/i.test(rule) && !/nodes?per/i.test(rule)) return rule.startsWith("environment") ? "environment" : "";
  return "workers";
}

/** Field errors from an API response. */
export function answerFindings(errors: Readonly<Record<string, string>>): readonly Finding[] {
  return Object.entries(errors).map(([field, message]) => finding(field, message));
}

/** Client-side validation: names, and the schema of the kind. */
export function ownFindings(draft: Draft, takenNames: ReadonlySet<string>): readonly Finding[] {
  return [...nameFindings(draft.name, takenNames), ...poolFindings(draft.spec), ...schemaFindings(draft.spec)];
}

function nameFindings(name: string, takenNames: ReadonlySet<string>): readonly Finding[] {
  if (name === "") return [finding("name", "Enter a cluster name.")];
  if (takenNames.has(name)) return [finding("name", `This team already has a cluster named ${name}.`)];
  const isName = /^[a-z]/.test(name) && newCluster.shape.name.safeParse(name).success;
  const message = "Use at most 54 lowercase letters, digits and '-', starting with a letter.";
  return isName ? [] : [finding("name", message)];
}

function poolFindings(spec: Parts): readonly Finding[] {
  const names = poolsOf(spec).map(({ name }) => name);
  return names.flatMap((name, at) => {
    const field = `workerPools[${at}].name`;
    if (name === "workers") return [finding(field, "The main pool is named workers. Choose another name.")];
    if (names.indexOf(name) !== at) return [finding(field, `Two pools are named ${name}.`)];
    const isName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name) && name.length <= 20;
    return isName ? [] : [finding(field, "Use at most 20 lowercase letters, digits and '-'.")];
  });
}

function schemaFindings(spec: Parts): readonly Finding[] {
  const { error } = TenantCluster.spec.safeParse(spec);
  return (error?.issues ?? []).map(({ path, message }) => finding(pathText(path), message));
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
}

/** Server findings that still apply: those whose field has not changed since the request. */
export function stillApplying(findings: readonly Finding[], asked: Draft, now: Draft): readonly Finding[] {
  const read = (draft: Draft, field: string): unknown => {
    const { name, environment, spec } = draft;
    if (field === "name" || field === "environment") return draft[field];
    const [top = ""] = field.split("[");
    return field === "" ? { name, environment, spec } : valueAt(spec, top);
  };
  return findings.filter(({ field }) => deepEqual(read(asked, field) ?? null, read(now, field) ?? null));
}

/** First error of a field. */
export function faultOf(findings: readonly Finding[], field: string): string | undefined {
  return findings.find((found) => found.field === field)?.message;
}
