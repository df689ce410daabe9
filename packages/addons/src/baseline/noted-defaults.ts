import { annotations, type TenantCluster } from "@butler/api";
import { isRecord } from "@butler/std";

/** A default add-on of a team or an environment for new clusters. */
export interface NotedDefault {
  readonly name: string;
  readonly from: "team" | "environment";
}

/**
 * The default add-ons that a cluster was created with. Admission records them once, among the origins of values, so
 * that later changes to a preset do not affect the cluster; other content of the annotation is ignored.
 */
export function notedDefaults({ metadata }: Pick<TenantCluster, "metadata">): readonly NotedDefault[] {
  const text = metadata.annotations?.[annotations.valueOrigins];
  if (text === undefined) return [];
  return Object.entries(parsed(text)).flatMap(([field, note]) => {
    const name = /^spec\.addons\[(.+)\]$/.exec(field)?.[1];
    if (name === undefined || !isRecord(note)) return [];
    const { from } = note;
    return from === "team" || from === "environment" ? [{ name, from }] : [];
  });
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
