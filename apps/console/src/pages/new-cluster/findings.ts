import { TenantCluster } from "@butler/api";
import { newCluster } from "@butler/contract";
import { deepEqual } from "@butler/std";
import { type Draft, type Parts, poolsOf, valueAt } from "./draft.ts";
import type { ClusterPlan } from "./request.ts";
import type { StepId } from "./step-list.ts";

/** Something that is wrong with a draft. */
export interface Finding {
  /** Path of the field below the spec, or `name` and `environment`; empty when the whole is meant. */
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

/** The step in which a field is; the review for what no step has. */
export function stepOf(field: string): StepId {
  const found = beginnings.find(([start]) => field.startsWith(start) && /^([.[]|$)/.test(field.slice(start.length)));
  return found?.[1] ?? "review";
}

/** A field as the form names it: servers and admission put words before it that are the same for all. */
export function formField(field: string): string {
  if (/^metadata\.labels\b.*environment/.test(field)) return "environment";
  return field === "metadata.name" ? "name" : field.replace(/^(body\.)?(spec\.)?/, "");
}

function finding(field: string, message: string): Finding {
  const own = formField(field);
  return { field: own, message, step: stepOf(own) };
}

/** What the server's plan found, field by field. Limits that it lets a cluster go beyond are no hindrance. */
export function planFindings({
  isAccepted,
  refusals,
  exceeded,
}: Omit<ClusterPlan, "cluster" | "usage">): readonly Finding[] {
  if (isAccepted) return [];
  const others = refusals.map(({ field, message }) => finding(field, message));
  const limits = exceeded.map(({ rule, message }) => finding(limitField(rule), message));
  // Limits are among the refusals where they bind; each is said once.
  return [...others, ...limits.filter(({ message }) => !others.some((other) => other.message.includes(message)))];
}

/** The field at which a limit is broken. */
function limitField(rule: string): string {
  if (/cluster/i.test(rule) && !/nodes?per/i.test(rule)) return rule.startsWith("environment") ? "environment" : "";
  return "workers";
}

/** Faults of single fields that an answer named. */
export function answerFindings(errors: Readonly<Record<string, string>>): readonly Finding[] {
  return Object.entries(errors).map(([field, message]) => finding(field, message));
}

/** What can be found without asking: names, and what the kind's own schema says. */
export function ownFindings(draft: Draft, takenNames: ReadonlySet<string>): readonly Finding[] {
  return [...nameFindings(draft.name, takenNames), ...poolFindings(draft.spec), ...schemaFindings(draft.spec)];
}

function nameFindings(name: string, takenNames: ReadonlySet<string>): readonly Finding[] {
  if (name === "") return [finding("name", "A cluster needs a name.")];
  if (takenNames.has(name)) return [finding("name", `There is a cluster ${name} in this team already.`)];
  const isName = /^[a-z]/.test(name) && newCluster.shape.name.safeParse(name).success;
  const message = "At most 54 lower-case letters, digits and '-', beginning with a letter.";
  return isName ? [] : [finding("name", message)];
}

function poolFindings(spec: Parts): readonly Finding[] {
  const names = poolsOf(spec).map(({ name }) => name);
  return names.flatMap((name, at) => {
    const field = `workerPools[${at}].name`;
    if (name === "workers") return [finding(field, "The main pool is called workers; choose another name.")];
    if (names.indexOf(name) !== at) return [finding(field, `There are two pools ${name}.`)];
    const isName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name) && name.length <= 20;
    return isName ? [] : [finding(field, "At most 20 lower-case letters, digits and '-'.")];
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

/** Findings of the server that still stand: those whose field is as it was when the server was asked. */
export function standing(findings: readonly Finding[], asked: Draft, now: Draft): readonly Finding[] {
  const read = (draft: Draft, field: string): unknown => {
    const { name, environment, spec } = draft;
    if (field === "name" || field === "environment") return draft[field];
    const [top = ""] = field.split("[");
    return field === "" ? { name, environment, spec } : valueAt(spec, top);
  };
  return findings.filter(({ field }) => deepEqual(read(asked, field) ?? null, read(now, field) ?? null));
}

/** What is wrong with one field; the first thing is enough. */
export function faultOf(findings: readonly Finding[], field: string): string | undefined {
  return findings.find((found) => found.field === field)?.message;
}
