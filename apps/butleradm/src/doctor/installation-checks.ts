import { allResources } from "@butler/api";
import { isPending, newestRevision } from "@butler/helm";
import { nameSome } from "@butler/std";
import { certificatesOf } from "../platform/certificates.ts";
import { type CheckResult, fine } from "../platform/check-result.ts";
import { componentsOf, isComponentWell } from "../platform/components.ts";
import type { DoctorFacts } from "../platform/facts.ts";
import { kindsState } from "../platform/kinds.ts";
import { componentTrouble } from "../status/summary.ts";

/** Whether Helm thinks that Butler is installed. */
export function releaseCheck({ history, namespace }: DoctorFacts): CheckResult[] {
  const check = "release";
  const newest = newestRevision(history);
  if (newest === undefined) {
    const says = `Helm knows of no Butler in ${namespace}`;
    return [{ check, severity: "fault", says, remedy: "Install it with: butleradm install" }];
  }
  const { revision, status, chart } = newest;
  if (status === "deployed") return [fine(check, `Butler ${chart.version} is deployed, revision ${revision}`)];
  const says = `revision ${revision} of Butler is ${status}: ${newest.description}`;
  const remedy = isPending(newest)
    ? "Wait until whoever does this is done; after one that was broken off run: butleradm upgrade"
    : "Put the cause right and run: butleradm upgrade";
  return [{ check, severity: "fault", says, remedy }];
}

/** Whether Butler's kinds are those of this version. */
export function kindsCheck({ definitions }: DoctorFacts): CheckResult[] {
  const check = "kinds";
  const { wanted, missing, different, notServed } = kindsState(allResources, definitions);
  const remedy = "Bring them in step with: butleradm upgrade";
  const results: CheckResult[] = [
    ...(missing.length > 0
      ? [{ check, severity: "fault" as const, says: `kinds are missing: ${nameSome(missing)}`, remedy }]
      : []),
    ...(notServed.length > 0
      ? [
          {
            check,
            severity: "fault" as const,
            says: `the API server does not serve ${nameSome(notServed)}`,
            remedy: `See why with: kubectl describe crd ${notServed[0] ?? ""}`,
          },
        ]
      : []),
    ...(different.length > 0
      ? [
          {
            check,
            severity: "warning" as const,
            says: `not as this version states them: ${nameSome(different)}`,
            remedy: `${remedy}. If Butler is newer than this butleradm, use a newer butleradm.`,
          },
        ]
      : []),
  ];
  return results.length > 0 ? results : [fine(check, `all ${wanted} kinds are in step with this version`)];
}

/** Whether Butler's processes are there, and lead where they take turns. */
export function componentsCheck(facts: DoctorFacts): CheckResult[] {
  const components = componentsOf(facts);
  if (components.length === 0) {
    const remedy = "Install it with: butleradm install";
    return [
      { check: "components", severity: "fault", says: `none of Butler's processes is in ${facts.namespace}`, remedy },
    ];
  }
  return components.map((component): CheckResult => {
    const check = `component ${component.name}`;
    const { name, ready, wanted, isLed, restarts } = component;
    const place = `-n ${facts.namespace}`;
    if (!isComponentWell(component)) {
      const remedy =
        isLed === false && ready >= wanted
          ? `See what its log says of the Lease: kubectl logs ${place} deployment/${name}`
          : `Look at its pods: kubectl describe deployment/${name} ${place}; kubectl logs ${place} deployment/${name}`;
      return { check, severity: "fault", says: componentTrouble(component), remedy };
    }
    if (restarts >= 5) {
      const remedy = `See why with: kubectl logs ${place} deployment/${name} --previous`;
      return { check, severity: "warning", says: `${name} was restarted ${restarts} times`, remedy };
    }
    if (wanted === 0)
      return {
        check,
        severity: "warning",
        says: `${name} is switched off`,
        remedy: "Give it replicas with: butleradm upgrade --set ROLE.replicas=1",
      };
    return fine(
      check,
      `${name}: ${ready} of ${wanted} ready${component.leader === undefined ? "" : `, led by ${component.leader}`}`,
    );
  });
}

/** Whether the API server can ask those who judge. */
export function webhooksCheck(facts: DoctorFacts): CheckResult[] {
  const check = "webhooks";
  if (facts.webhooks.length === 0) {
    const remedy = "Bring them back with: butleradm upgrade";
    return [
      { check, severity: "fault", says: "Butler's webhook configurations are missing: nothing is judged", remedy },
    ];
  }
  const asked = Object.entries(facts.webhookAnswers);
  const silent = asked.filter(([, answer]) => answer !== undefined);
  if (silent.length > 0) {
    return silent.map(([name, answer]) => ({
      check,
      severity: "fault" as const,
      says: `the API server cannot ask ${name}: ${answer ?? ""}`,
      remedy: `See whether its pods run and answer at port 9443: kubectl get pods,endpointslices -n ${facts.namespace}`,
    }));
  }
  const empty = facts.webhooks.filter(({ webhooks }) => !Array.isArray(webhooks) || webhooks.length === 0);
  // A role may have nothing to change, so that one of the two is empty for good.
  const names = new Set(
    empty.map(({ metadata }) => metadata.name).filter((name) => !asked.some(([other]) => other === name)),
  );
  if (names.size > 0) {
    const says = `nobody judges yet what ${[...names].join(", ")} should`;
    return [
      {
        check,
        severity: "warning",
        says,
        remedy: "Their processes put the webhooks in when they start: look at the components.",
      },
    ];
  }
  return [fine(check, `${asked.length} webhooks answer the API server`)];
}

const soonDays = 14;

/** Whether certificates end soon. */
export function certificatesCheck(facts: DoctorFacts): CheckResult[] {
  const all = certificatesOf(facts);
  const due = all.filter(({ daysLeft }) => daysLeft < soonDays);
  if (due.length === 0)
    return [fine("certificates", `none of ${all.length} certificates ends within ${soonDays} days`)];
  return due.slice(0, 10).map(({ what, notAfter, daysLeft }) => ({
    check: "certificates",
    severity: daysLeft < 0 ? ("fault" as const) : ("warning" as const),
    says: `${what} ${daysLeft < 0 ? "has expired" : `ends in ${daysLeft} days`} (${notAfter})`,
    remedy: what.includes("control plane")
      ? "Steward renews it by itself; if it does not, look at its log and at: butlerctl cluster why NAME"
      : "Its process renews it by itself; restart it if it does not: kubectl rollout restart deployment -n butler-system",
  }));
}
