import { effectiveRole, type TeamRole } from "@butler/api";
import {
  type CallInput,
  type createEnvironment,
  newEnvironment as newEnvironmentBody,
  type updateEnvironment,
} from "@butler/contract";
import { bodyFaults } from "../../parts/body-faults.ts";
import type { TeamView } from "../../session/me.ts";
import { type DefaultsDraft, defaultsDraft, defaultsFaults, writtenDefaults } from "./cluster-defaults.ts";
import { changedParts, defined, numberFault, numberText, writtenNumber } from "./numbers.ts";

/** An environment as the API returns it. */
export type EnvironmentView = TeamView["environments"][number];

/** A user or group with a role in one environment. */
export interface AccessDraft {
  /** Row key while editing. */
  readonly id: number;
  readonly kind: "user" | "group";
  readonly name: string;
  readonly role: TeamRole;
  readonly identityProvider: string;
}

/** Form state of an environment. */
export interface EnvironmentDraft {
  readonly name: string;
  readonly description: string;
  readonly maxClusters: string;
  readonly maxClustersPerMember: string;
  readonly access: readonly AccessDraft[];
  readonly defaults: DefaultsDraft;
}

type NewEnvironment = CallInput<typeof createEnvironment>["body"];
type EnvironmentChange = NonNullable<CallInput<typeof updateEnvironment>["body"]>;

/** Initial form state: an existing environment, or an empty one. */
export function environmentDraft(environment: EnvironmentView | undefined): EnvironmentDraft {
  const { name = "", description = "", limits, access, clusterDefaults } = environment ?? {};
  return {
    name,
    description,
    maxClusters: limitText(limits?.maxClusters),
    maxClustersPerMember: limitText(limits?.maxClustersPerMember),
    access: accessDraft(access ?? {}),
    defaults: defaultsDraft(clusterDefaults),
  };
}

/** Stored limits may use 0 for no limit; the form uses an empty field. */
function limitText(limit: number | undefined): string {
  return numberText(limit === 0 ? undefined : limit);
}

function accessDraft({ users = [], groups = [] }: NonNullable<EnvironmentView["access"]>): AccessDraft[] {
  const people = users.map((user) => ({ ...user, kind: "user" as const, identityProvider: "" }));
  const teams = groups.map(({ identityProvider = "", ...group }) => ({
    ...group,
    kind: "group" as const,
    identityProvider,
  }));
  return [...people, ...teams].map((entry, id) => ({ ...entry, id, role: effectiveRole(entry.role) }));
}

/** All parts of the form in API format. */
function writtenParts(draft: EnvironmentDraft, before: EnvironmentView | undefined) {
  const named = draft.access.map((entry) => ({ ...entry, name: entry.name.trim() })).filter(({ name }) => name !== "");
  const users = named.filter(({ kind }) => kind === "user").map(({ name, role }) => ({ name, role }));
  const groups = named
    .filter(({ kind }) => kind === "group")
    .map(({ name, role, identityProvider }) => ({
      name,
      role,
      ...(identityProvider.trim() !== "" && { identityProvider: identityProvider.trim() }),
    }));
  return {
    description: draft.description.trim(),
    limits: defined({
      maxClusters: writtenNumber(draft.maxClusters),
      maxClustersPerMember: writtenNumber(draft.maxClustersPerMember),
    }),
    access: { ...(users.length > 0 && { users }), ...(groups.length > 0 && { groups }) },
    clusterDefaults: writtenDefaults(draft.defaults, before?.clusterDefaults),
  };
}

/** The create request. Empty fields are omitted. */
export function newEnvironment(draft: EnvironmentDraft): NewEnvironment {
  const { description, ...parts } = writtenParts(draft, undefined);
  const filled = Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0);
  return { name: draft.name.trim(), ...(description !== "" && { description }), ...Object.fromEntries(filled) };
}

/** The update request. Contains only changed parts, so that concurrent changes to other parts are kept. */
export function environmentChange(draft: EnvironmentDraft, before: EnvironmentView): EnvironmentChange {
  return changedParts(writtenParts(environmentDraft(before), before), writtenParts(draft, before));
}

/** Validation errors by field path. */
export function environmentFaults(
  draft: EnvironmentDraft,
  others: readonly Pick<EnvironmentView, "name">[],
): Readonly<Record<string, string>> {
  const name = draft.name.trim();
  const isTaken = others.some((other) => other.name === name);
  const maxClusters = numberFault(draft.maxClusters);
  const perMember = numberFault(draft.maxClustersPerMember);
  const own = {
    ...(name === "" && { name: "Enter an environment name." }),
    ...(isTaken && { name: "An environment with this name already exists." }),
    ...(maxClusters && { "limits.maxClusters": maxClusters }),
    ...(perMember && { "limits.maxClustersPerMember": perMember }),
    ...defaultsFaults(draft.defaults),
  };
  return { ...bodyFaults(newEnvironmentBody, newEnvironment(draft)), ...own };
}
