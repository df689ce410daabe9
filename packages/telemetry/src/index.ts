/** Logs, metrics and the redaction both of them pass through. Nothing here knows what is logged or counted. */
export * from "./logger.ts";
export * from "./metrics.ts";
export * from "./redact.ts";
