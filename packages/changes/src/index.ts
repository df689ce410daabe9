/**
 * Texts that both command-line tools and the dashboard print: the reasons for a rejection by the API server, and how an
 * add-on is displayed.
 */
export * from "./addon-view.ts";
export * from "./refusal.ts";
