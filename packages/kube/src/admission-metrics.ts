import type { MetricsRegistry } from "@butler/telemetry";
import type { AdmissionResult } from "./admission-call.ts";

/** What an admission server counts. */
export interface AdmissionMetrics {
  answered(call: { readonly path: string; readonly result: AdmissionResult; readonly seconds: number }): void;
  certificateRead(result: "served" | "broken"): void;
}

/** The metrics of an admission server. */
export function admissionMetrics(registry: MetricsRegistry): AdmissionMetrics {
  const requests = registry.counter("butler_admission_requests_total", {
    help: "Admission calls, by path and how they ended.",
    labels: ["path", "result"],
  });
  const duration = registry.histogram("butler_admission_duration_seconds", {
    help: "Time from the start of an admission call to its answer.",
    labels: ["path"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 4, 8],
  });
  const certificates = registry.counter("butler_admission_certificate_reloads_total", {
    help: "New certificates found on disk: served, or broken and left aside.",
    labels: ["result"],
  });
  return {
    answered: ({ path, result, seconds }) => {
      requests.inc({ path, result });
      duration.observe({ path }, seconds);
    },
    certificateRead: (result) => certificates.inc({ result }),
  };
}
