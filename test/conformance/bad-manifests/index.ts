import type { BadManifest } from "./bad-manifest.ts";
import { badButlerA } from "./butler-a.ts";
import { badButlerB } from "./butler-b.ts";
import { badSteward } from "./steward.ts";

/** Manifests with one mistake each, and what the API server answers to it. */
export const badManifests: readonly BadManifest[] = [...badButlerA, ...badButlerB, ...badSteward];
