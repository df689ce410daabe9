import type { MetricsRegistry } from "@butler/telemetry";
import type { AdmissionResult } from "./admission-call.ts";

/** Metrics of an admission server. */
export interface AdmissionMetrics {
  answered(call: { readonly path: string; readonly result: AdmissionResult; readonly seconds: number }): void;
  certificateRead(result: "served" | "broken"): void;
}

/** The metrics of an admission server. */
export function admissionMetrics(registry: MetricsRegistry): AdmissionMetrics {
  const requests = registry.counter("butler_admission_requests_total", {
    help: "Admission calls, by path and result.",
    labels: ["path", "result"],
  });
  const duration = registry.histogram("butler_admission_duration_seconds", {
    help: "Duration of admission calls, by path.",
    labels: ["path"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 4, 8],
  });
  const certificates = registry.counter("butler_admission_certificate_reloads_total", {
    help: "Certificate reloads from disk, by result.",
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
