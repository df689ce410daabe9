import type { ContractReference } from "@butler/api-external";
import type { Kind } from "@butler/resource";
import type { FactsSource } from "./read-facts.ts";

interface ApiGroup {
  readonly preferredVersion?: { readonly version: string };
}

interface ApiResourceList {
  readonly resources?: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/** Discovers the resource names and versions of kinds of which only group and kind are known. */
export class InfrastructureReader {
  readonly #source: Pick<FactsSource, "transport" | "signal">;
  readonly #groups = new Map<string, Promise<readonly Kind[]>>();

  constructor(source: Pick<FactsSource, "transport" | "signal">) {
    this.#source = source;
  }

  /** The kind that a reference names; undefined when the API server does not serve it. */
  async kindOf({ apiGroup, kind }: Pick<ContractReference, "apiGroup" | "kind">): Promise<Kind | undefined> {
    const known = this.#groups.get(apiGroup) ?? this.#discover(apiGroup);
    this.#groups.set(apiGroup, known);
    return (await known).find((candidate) => candidate.kind === kind);
  }

  async #discover(group: string): Promise<readonly Kind[]> {
    const { transport, signal } = this.#source;
    const path = `/apis/${encodeURIComponent(group)}`;
    const action = `look up the kinds of ${group}`;
    const { preferredVersion } = await transport.json<ApiGroup>({ method: "GET", path, signal, action });
    const version = preferredVersion?.version ?? "v1";
    const { resources = [] } = await transport.json<ApiResourceList>({
      method: "GET",
      path: `${path}/${encodeURIComponent(version)}`,
      signal,
      action,
    });
    return resources
      .filter(({ name }) => !name.includes("/"))
      .map(({ name, kind, namespaced }) => ({
        group,
        version,
        kind,
        plural: name,
        scope: namespaced ? "Namespaced" : "Cluster",
      }));
  }
}
