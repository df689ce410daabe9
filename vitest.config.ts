import { defineConfig } from "vitest/config";

const roots = ["apps/*/src", "controllers/*/src", "engine/src", "packages/*/src", "providers/*/src", "tools", "test"];
/** Each of them starts a whole Kubernetes with pods. Half of their time they wait for it, so two run side by side. */
const wholeEngines = roots.map((root) => `${root}/**/*.engine.test.ts`);
/** They say how soon something is seen, which another engine on the same machine would delay. */
const measuring = ["test/e2e/console.engine.test.ts", "test/e2e/server.engine.test.ts"];

export default defineConfig({
  test: {
    // Tests start real control planes; what is slow here is the machine, not the test.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    pool: "forks",
    projects: [
      {
        extends: true,
        test: {
          name: "tests",
          include: roots.map((root) => `${root}/**/*.test.{ts,tsx}`),
          exclude: wholeEngines,
          // One more than the processors of a small machine: each of them waits for its API server now and then.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "engine",
          include: wholeEngines,
          exclude: measuring,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: "engine alone", include: measuring, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
