/** Helm's own memory, read without its program: releases, their history, values and charts. */
export * from "./decode-release.ts";
export * from "./release.ts";
export * from "./release-store.ts";
