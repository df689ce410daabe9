/**
 * Changes to a cluster from a terminal: the patch to send, its effects, the reasons for a rejection by the API server,
 * and how an add-on is displayed. Shared by the commands and the dashboard, so that both behave the same.
 */
export * from "./addon-view.ts";
export * from "./refusal.ts";
export * from "./scale.ts";
export * from "./upgrade.ts";
