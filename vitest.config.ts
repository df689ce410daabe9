import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "apps/*/src/**/*.test.ts",
      "controllers/*/src/**/*.test.ts",
      "engine/src/**/*.test.ts",
      "packages/*/src/**/*.test.ts",
      "providers/*/src/**/*.test.ts",
      "tools/**/*.test.ts",
      "test/**/*.test.ts",
    ],
    // Tests start real control planes; what is slow here is the machine, not the test.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    pool: "forks",
    maxWorkers: 2,
    fileParallelism: true,
  },
});
