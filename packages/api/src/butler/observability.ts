import { namespacedRef } from "@butler/resource";
import { z } from "zod";

const flag = (doc: string) => z.boolean().optional().describe(`${doc} Defaults to false.`);

const pipeline = z.object({
  clusterRef: namespacedRef("TenantCluster")
    .optional()
    .describe("TenantCluster that runs the pipeline. If unset, observability is disabled."),
  logEndpoint: z
    .string()
    .optional()
    .describe(
      "URL that logs are sent to, such as `http://vector-aggregator.vector.svc:9000`. If empty, no logs are sent.",
    ),
  metricEndpoint: z
    .string()
    .optional()
    .describe("Prometheus remote write URL that metrics are sent to. If empty, no metrics are sent."),
  traceEndpoint: z
    .string()
    .optional()
    .describe(
      "OTLP endpoint that traces are sent to, as host:port, such as `tempo.tracing.svc:4317`. If empty, no traces are sent.",
    ),
});

const collection = z.object({
  autoEnroll: z
    .object({
      vectorAgent: flag("Whether to install Vector. Requires logEndpoint."),
      prometheus: flag("Whether to install Prometheus. Requires metricEndpoint."),
      otelCollector: flag("Whether to install the OpenTelemetry Collector. Requires traceEndpoint."),
    })
    .optional()
    .describe("Agents that are installed automatically once a cluster is Ready."),
  logs: z
    .object({
      podLogs: flag("Whether container logs are collected."),
      journald: flag("Whether the systemd journal of nodes is collected."),
      kubernetesEvents: flag("Whether Kubernetes events are collected."),
    })
    .optional()
    .describe("Logs to collect from clusters."),
  metrics: z
    .object({
      enabled: flag("Whether metrics are collected."),
      retention: z
        .string()
        .optional()
        .describe(
          "How long the cluster's Prometheus retains metrics, such as 15d. Defaults to the Prometheus default.",
        ),
    })
    .optional()
    .describe("Metrics to collect from clusters."),
});

/** Platform-wide settings for logs, metrics and traces of tenant clusters. */
export const observability = z.object({
  pipeline: pipeline.optional().describe("Destinations for logs, metrics and traces."),
  collection: collection.optional().describe("Data that tenant clusters send to the pipeline."),
});
