import { platformManifests } from "@butler/butler/deploy";
import type { KubeObject } from "@butler/resource";
import { Bug } from "@butler/std";
import { managementAddons, withValues } from "./chart-object-values.ts";
import { Choice, fillMarkers, mergeVariants, type Template } from "./chart-template.ts";
import { type ChartRole, isOptional, valueNameOf } from "./chart-values.ts";

/** The templates of one file. */
export type ChartPart = readonly (Readonly<Record<string, Template>> | Choice)[];

/** Placeholders that occur in no manifest; Helm replaces them. */
const markers = { image: "chart-marker-image", namespace: "chart-marker-namespace" } as const;
const markerExpressions = {
  [markers.image]: 'include "butler.image" .',
  [markers.namespace]: ".Release.Namespace",
} as const;
/** Numbers of replicas to render with: more than one requires leader election. */
const replicas = { first: 1, second: 7919 } as const;
/** Optional parts are rendered, too, and made conditional by a value. */
const everything = { hasLocalProvider: true, hasManagementAddons: true } as const;

/** The fields of a container that values change. */
interface Container {
  readonly args: readonly Template[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources: Template;
  readonly [field: string]: Template;
}

/** The fields of a Deployment that values change. */
export interface RoleDeploymentObject extends KubeObject {
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: { readonly spec: { readonly containers: readonly [Container] } };
  };
}

/** Every object of an installation with one replica per role, with markers for template expressions. */
export function markedObjects(): KubeObject[] {
  return platformManifests({ ...markers, replicas: replicas.first, ...everything });
}

/** The Deployments among objects, by role. */
export function deploymentsByRole(objects: readonly KubeObject[]): Map<string, RoleDeploymentObject> {
  const deployments = objects.filter(({ kind }) => kind === "Deployment") as RoleDeploymentObject[];
  return new Map(deployments.map((deployment) => [deployment.metadata.name.replace(/^butler-/, ""), deployment]));
}

/** The roles of platformManifests, with the resources of each. */
export function chartRoles(): ChartRole[] {
  return [...deploymentsByRole(markedObjects())].map(([role, { spec }]) => ({
    role,
    resources: spec.template.spec.containers[0].resources,
  }));
}

/** Templates by file name without extension: one for each role, and one for shared objects. */
export function chartParts(): Map<string, ChartPart> {
  const withoutLocal = new Set(platformManifests({ ...markers, replicas: replicas.first }).map(keyOf));
  const first = markedObjects();
  const second = platformManifests({ ...markers, replicas: replicas.second, ...everything });
  const roles = new Set(deploymentsByRole(first).keys());
  const groups = Map.groupBy(second, (object) => partOf(object, roles, withoutLocal));
  const missing = first.filter((object) => !second.some((other) => keyOf(other) === keyOf(object)));
  if (missing.length > 0) throw new Bug(`only without an election: ${missing.map(keyOf).join(", ")}`);
  return new Map(
    [...groups].map(([part, objects]) => [part, objects.map((object) => chosenObject(part, first, object))]),
  );
}

function keyOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace ?? ""}/${metadata.name}`;
}

/** Objects without a role are for Cluster API, on behalf of Steward or of the local provider. */
function partOf(object: KubeObject, roles: ReadonlySet<string>, withoutLocal: ReadonlySet<string>): string {
  if (object.kind === "Namespace" && object.metadata.name === markers.namespace) return "namespace";
  if (object.kind.startsWith("ValidatingAdmissionPolicy")) return "policies";
  const role = object.metadata.name.replace(/^butler-/, "");
  if (roles.has(role) || role === managementAddons) return role;
  // The RBAC roles of users and the terminals belong to the server.
  if (object.metadata.labels?.["app.kubernetes.io/component"] === "server") return "server";
  return withoutLocal.has(keyOf(object)) ? "cluster-api" : "local-provider";
}

/** An object as a template, conditional on its part and, where applicable, on leader election. */
function chosenObject(part: string, first: readonly KubeObject[], second: KubeObject): ChartPart[number] {
  const name = valueNameOf(part);
  const twin = first.find((object) => keyOf(object) === keyOf(second));
  const count = `.Values.${name}.replicas`;
  const isElected = `gt (int ${count}) 1`;
  const merged =
    twin === undefined
      ? second
      : mergeVariants(twin as unknown as Template, second as unknown as Template, {
          condition: isElected,
          number: { ...replicas, expression: `int ${count}` },
        });
  const filled = fillMarkers(withValues(part, merged as Template), markerExpressions);
  const isEnabled = part === "namespace" ? ".Values.namespace.create" : `.Values.${name}.enabled`;
  const conditions = [
    ...(part === "namespace" || isOptional(part) ? [isEnabled] : []),
    ...(twin === undefined ? [isElected] : []),
  ];
  const template = filled as Readonly<Record<string, Template>>;
  if (conditions.length === 0) return template;
  return new Choice(conditions.length === 1 ? conditions.join("") : `and ${bracketed(conditions)}`, template);
}

function bracketed(conditions: readonly string[]): string {
  return conditions.map((condition) => (condition.includes(" ") ? `(${condition})` : condition)).join(" ");
}
