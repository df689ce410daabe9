/**
 * Sets the seed of all properties of a test file, which fast-check would otherwise choose for each run. In the long
 * form, properties without an explicit number of runs run ten times as often as fast-check's default. vitest.config.ts
 * makes every file that imports fast-check import this, too.
 */
import { configureGlobal } from "fast-check";
import { chooseSeed } from "./random.ts";
import { isSoak } from "./soak.ts";

configureGlobal({ seed: chooseSeed(), ...(isSoak() ? { numRuns: 1_000 } : {}) });
