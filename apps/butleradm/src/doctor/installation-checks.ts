import { allResources } from "@butler/api";
import { isPending, newestRevision } from "@butler/helm";
import { nameSome } from "@butler/std";
import { counted } from "../common/words.ts";
import { certificatesOf } from "../platform/certificates.ts";
import { type CheckResult, fine } from "../platform/check-result.ts";
import { componentsOf, isComponentWell } from "../platform/components.ts";
import type { DoctorFacts } from "../platform/facts.ts";
import { kindsState } from "../platform/kinds.ts";
import { componentProblem } from "../status/summary.ts";

/** Whether Butler is installed according to Helm. */
export function releaseCheck({ history, namespace }: DoctorFacts): CheckResult[] {
  const check = "release";
  const newest = newestRevision(history);
  if (newest === undefined) {
    const says = `no Butler Helm release in namespace ${namespace}`;
    return [{ check, severity: "fault", says, remedy: "Install Butler with: butleradm install" }];
  }
  const { revision, status, chart } = newest;
  if (status === "deployed") return [fine(check, `Butler ${chart.version} is deployed, revision ${revision}`)];
  const says = `Butler revision ${revision} has status ${status}: ${newest.description}`;
  const remedy = isPending(newest)
    ? "Wait for the operation to finish; if it was interrupted, run: butleradm upgrade"
    : "Fix the cause, then run: butleradm upgrade";
  return [{ check, severity: "fault", says, remedy }];
}

/** Whether Butler's kinds match this version. */
export function kindsCheck({ definitions }: DoctorFacts): CheckResult[] {
  const check = "kinds";
  const { wanted, missing, different, notServed } = kindsState(allResources, definitions);
  const remedy = "Update them with: butleradm upgrade";
  const results: CheckResult[] = [
    ...(missing.length > 0
      ? [{ check, severity: "fault" as const, says: `missing CRDs: ${nameSome(missing)}`, remedy }]
      : []),
    ...(notServed.length > 0
      ? [
          {
            check,
            severity: "fault" as const,
            says: `the API server does not serve ${nameSome(notServed)}`,
            remedy: `Find the cause with: kubectl describe crd ${notServed[0] ?? ""}`,
          },
        ]
      : []),
    ...(different.length > 0
      ? [
          {
            check,
            severity: "warning" as const,
            says: `CRDs differ from this version: ${nameSome(different)}`,
            remedy: `${remedy}. If Butler is newer than this butleradm, upgrade butleradm instead.`,
          },
        ]
      : []),
  ];
  return results.length > 0 ? results : [fine(check, `all ${wanted} CRDs match this version`)];
}

/** Whether Butler's components are running, and have a leader where they elect one. */
export function componentsCheck(facts: DoctorFacts): CheckResult[] {
  const components = componentsOf(facts);
  if (components.length === 0) {
    const remedy = "Install Butler with: butleradm install";
    return [
      { check: "components", severity: "fault", says: `no Butler components in namespace ${facts.namespace}`, remedy },
    ];
  }
  return components.map((component): CheckResult => {
    const check = `component ${component.name}`;
    const { name, ready, wanted, isLed, restarts } = component;
    const place = `-n ${facts.namespace}`;
    if (!isComponentWell(component)) {
      const remedy =
        isLed === false && ready >= wanted
          ? `Check its log for Lease errors: kubectl logs ${place} deployment/${name}`
          : `Check its pods: kubectl describe deployment/${name} ${place}; kubectl logs ${place} deployment/${name}`;
      return { check, severity: "fault", says: componentProblem(component), remedy };
    }
    if (restarts >= 5) {
      const remedy = `Find the cause with: kubectl logs ${place} deployment/${name} --previous`;
      return { check, severity: "warning", says: `${name} has restarted ${restarts} times`, remedy };
    }
    if (wanted === 0)
      return {
        check,
        severity: "warning",
        says: `${name} is scaled to 0 replicas`,
        remedy: "Scale it up with: butleradm upgrade --set ROLE.replicas=1",
      };
    return fine(
      check,
      `${name}: ${ready} of ${wanted} ready${component.leader === undefined ? "" : `, leader ${component.leader}`}`,
    );
  });
}

/** Whether the API server can call the webhooks. */
export function webhooksCheck(facts: DoctorFacts): CheckResult[] {
  const check = "webhooks";
  if (facts.webhooks.length === 0) {
    const remedy = "Restore them with: butleradm upgrade";
    return [
      {
        check,
        severity: "fault",
        says: "Butler's webhook configurations are missing: objects are not validated",
        remedy,
      },
    ];
  }
  const asked = Object.entries(facts.webhookAnswers);
  const silent = asked.filter(([, answer]) => answer !== undefined);
  if (silent.length > 0) {
    return silent.map(([name, answer]) => ({
      check,
      severity: "fault" as const,
      says: `the API server cannot call ${name}: ${answer ?? ""}`,
      remedy: `Check that its pods are running and serve port 9443: kubectl get pods,endpointslices -n ${facts.namespace}`,
    }));
  }
  const empty = facts.webhooks.filter(({ webhooks }) => !Array.isArray(webhooks) || webhooks.length === 0);
  // A role may have no mutating webhooks, so that one of the two configurations stays empty.
  const names = new Set(
    empty.map(({ metadata }) => metadata.name).filter((name) => !asked.some(([other]) => other === name)),
  );
  if (names.size > 0) {
    const says = `no webhooks registered yet in ${[...names].join(", ")}`;
    return [
      {
        check,
        severity: "warning",
        says,
        remedy: "The components register their webhooks on startup; check that they are running.",
      },
    ];
  }
  return [fine(check, `the API server can call all ${asked.length} webhooks`)];
}

const soonDays = 14;

/** Whether certificates expire soon. */
export function certificatesCheck(facts: DoctorFacts): CheckResult[] {
  const all = certificatesOf(facts);
  const due = all.filter(({ daysLeft }) => daysLeft < soonDays);
  if (due.length === 0)
    return [fine("certificates", `no certificates expire within ${soonDays} days (${all.length} checked)`)];
  return due.slice(0, 10).map(({ what, notAfter, daysLeft }) => ({
    check: "certificates",
    severity: daysLeft < 0 ? ("fault" as const) : ("warning" as const),
    says: `${what} ${daysLeft < 0 ? "has expired" : `expires in ${counted(daysLeft, "day")}`} (${notAfter})`,
    remedy: what.includes("control plane")
      ? "Steward renews the certificate automatically; if it does not, check Steward's log and run: butlerctl cluster why NAME"
      : "Butler renews the certificate automatically; if it does not, restart its components: kubectl rollout restart deployment -n butler-system",
  }));
}
