/**
 * butler-server: the REST API that consoles, pipelines and command lines talk to. It reads from memory, writes to
 * Kubernetes as the calling user, and stores all its state in Kubernetes.
 */
export type { Handler } from "./http/handler.ts";
export { handle } from "./http/handler.ts";
export { RouteProblem } from "./http/problem.ts";
export * from "./permissions.ts";
export { terminalNamespace } from "./terminal/manifests.ts";
export * from "./ports.ts";
export * from "./start-server.ts";
export * from "./identity/sign-in/create-sign-in.ts";
export { ServerState } from "./state/state.ts";
export * from "./audit/create-audit.ts";
export type { WebhookTarget } from "./audit/webhook.ts";
export * from "./live/create-live.ts";
export type { LiveSessions, TicketUses } from "./live/ports.ts";
export { ensureSharedKey } from "./live/shared-key.ts";
export { leaseTicketUses, sweepTicketUses } from "./live/ticket-uses.ts";
export { type CliSignIn, type CliSignInOptions, createCliSignIn } from "./identity/cli-access/cli-sign-in.ts";
export { kubernetesExec } from "./terminal/exec.ts";
export { terminalHandlers } from "./terminal/handlers.ts";
export { Terminals, type TerminalsOptions } from "./terminal/terminals.ts";
export { acceptTerminals, type TerminalUpgradeOptions } from "./terminal/upgrade.ts";
export type { KubernetesAddress } from "./identity/cli-access/account-token.ts";
export * from "./whole-server.ts";
