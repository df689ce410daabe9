/**
 * What the console's pages are made of: tokens, controls and the states that every page can be in. It knows no kind, no
 * route and no server.
 */
export * from "./breadcrumbs.tsx";
export * from "./button.tsx";
export * from "./code-block.tsx";
export * from "./dialog.tsx";
export * from "./field.tsx";
export * from "./icon.tsx";
export * from "./menu.tsx";
export * from "./meter.tsx";
export * from "./moment.tsx";
export * from "./page.tsx";
export * from "./palette/command-palette.tsx";
export * from "./palette/match.ts";
export * from "./states.tsx";
export * from "./status.tsx";
export * from "./table/column.ts";
export * from "./table/data-table.tsx";
export * from "./tabs.tsx";
export * from "./theme.ts";
export * from "./time.ts";
export * from "./timeline.tsx";
export * from "./toast.tsx";
export * from "./tooltip.tsx";
