import { namespacedRef } from "@butler/resource";
import { z } from "zod";

const flag = (doc: string) => z.boolean().optional().describe(`${doc} When absent, no.`);

const pipeline = z.object({
  clusterRef: namespacedRef("TenantCluster")
    .optional()
    .describe("TenantCluster that runs the pipeline; when absent, observability is not set up."),
  logEndpoint: z
    .string()
    .optional()
    .describe("Address that logs are sent to, such as `http://vector-aggregator.vector.svc:9000`; when empty, none."),
  metricEndpoint: z
    .string()
    .optional()
    .describe("Address that metrics are sent to by Prometheus remote write; when empty, none."),
  traceEndpoint: z
    .string()
    .optional()
    .describe("Host and port that traces are sent to by OTLP, such as `tempo.tracing.svc:4317`; when empty, none."),
});

const collection = z.object({
  autoEnroll: z
    .object({
      vectorAgent: flag("Whether clusters get Vector, which needs logEndpoint."),
      prometheus: flag("Whether clusters get Prometheus, which needs metricEndpoint."),
      otelCollector: flag("Whether clusters get the OpenTelemetry Collector, which needs traceEndpoint."),
    })
    .optional()
    .describe("Agents that a cluster gets by itself once it is Ready."),
  logs: z
    .object({
      podLogs: flag("Whether the output of containers is collected."),
      journald: flag("Whether the systemd journal of nodes is collected."),
      kubernetesEvents: flag("Whether Kubernetes events are collected."),
    })
    .optional()
    .describe("Which logs clusters send."),
  metrics: z
    .object({
      enabled: flag("Whether metrics are collected."),
      retention: z
        .string()
        .optional()
        .describe("How long Prometheus in a cluster keeps metrics, such as 15d; when empty, Prometheus' own default."),
    })
    .optional()
    .describe("Which metrics clusters send."),
});

/** Platform-wide settings for logs, metrics and traces of tenant clusters. */
export const observability = z.object({
  pipeline: pipeline.optional().describe("Where logs, metrics and traces go."),
  collection: collection.optional().describe("What tenant clusters send there."),
});
