/** One value on a metrics page. */
interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The values of one metric in Prometheus' text format. */
export function samplesOf(text: string, metric: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line);
    if (match === null || match[1] !== metric) return [];
    const labels = [...(match[2] ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    return [{ labels: Object.fromEntries(labels.map(([, name, value]) => [name, value])), value: Number(match[3]) }];
  });
}

/** Counts by operation. */
export type Counts = Readonly<Record<string, number>>;

/** Verbs as the API server counts them. */
const writeVerbs = new Set(["POST", "PUT", "PATCH", "APPLY", "DELETE", "DELETECOLLECTION"]);

/**
 * Writes made only by Steward when it creates a control plane. The API server does not count by user, so kinds that
 * others write too are excluded (users write TenantControlPlanes, Kubernetes' own controllers the status of
 * Deployments).
 */
const stewardWrites: Readonly<Record<string, (verb: string, subresource: string) => boolean>> = {
  secrets: () => true,
  services: (verb) => verb !== "DELETE",
  configmaps: () => true,
  networkpolicies: () => true,
  poddisruptionbudgets: () => true,
  deployments: (_verb, subresource) => subresource === "",
  tenantcontrolplanes: (verb, subresource) => subresource === "status" || verb !== "POST",
  datastores: () => true,
};

/** Steward's writes as counted by the API server: `resource/subresource verb code`. */
export function managementWrites(metrics: string): Counts {
  const counts: Record<string, number> = {};
  for (const { labels, value } of samplesOf(metrics, "apiserver_request_total").filter(isOfSteward)) {
    const { verb, resource, subresource = "", code } = labels;
    const name = subresource === "" ? resource : `${resource}/${subresource}`;
    const key = `${name} ${verb} ${code}`;
    counts[key] = (counts[key] ?? 0) + value;
  }
  return counts;
}

function isOfSteward({ labels }: Sample): boolean {
  const { verb = "", resource = "", subresource = "", dry_run: dryRun = "" } = labels;
  return writeVerbs.has(verb) && dryRun === "" && stewardWrites[resource]?.(verb, subresource) === true;
}

/** All writes of a Butler process by its own count. */
export function ownWrites(metrics: string): number {
  return samplesOf(metrics, "butler_api_requests_total")
    .filter(({ labels }) => writeVerbs.has(labels["method"] ?? ""))
    .reduce((sum, { value }) => sum + value, 0);
}

/** The difference of two counts. */
export function added(before: Counts, after: Counts): Record<string, number> {
  const changes = Object.entries(after).map(([key, count]) => [key, count - (before[key] ?? 0)] as const);
  return Object.fromEntries(
    changes.filter(([, count]) => count !== 0).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

/**
 * Excess writes for one control plane: an object written more than once, or a status more than four times. Objects are
 * counted by plural.
 */
export function excessiveWrites(writes: Counts, objects: Counts): string[] {
  const sums: Record<string, number> = {};
  for (const [key, count] of Object.entries(writes)) {
    const [name = ""] = key.split(" ");
    sums[name] = (sums[name] ?? 0) + count;
  }
  return Object.entries(sums).flatMap(([name, count]) => {
    const most = name.endsWith("/status") ? 4 : (objects[name] ?? 0);
    return count > most ? [`${name}: ${count} writes, at most ${most}`] : [];
  });
}
