import { BaseSequencer, type TestSpecification } from "vitest/node";
import { defineConfig } from "vitest/config";
import { engineLanes, placeInLane } from "./tools/test/lanes.ts";

const roots = ["apps/*/src", "controllers/*/src", "engine/src", "packages/*/src", "providers/*/src", "tools", "test"];
const named = (ending: string): string[] => roots.map((root) => `${root}/**/*.${ending}`);

/** Files that talk to an API server, to etcd or to a browser. */
const clusters = named("cluster.test.ts");
/** Files that change what a whole process shares, such as its environment or its signals: each has a process of its own. */
const processes = named("process.test.ts");
/** Files with JSX, or that need a browser's globals: Node cannot load these without a transform. */
const pages = [...named("test.tsx"), "apps/console/src/**/*.test.ts", "packages/ui/src/**/*.test.ts"];

/** Engine tests in the order of their lanes; else as vitest sorts them, the slowest first. */
class LaneSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => {
      const [place, otherPlace] = [placeInLane(one.moduleId), placeInLane(other.moduleId)];
      return place === otherPlace || one.project.name !== other.project.name ? 0 : place - otherPlace;
    });
  }
}

export default defineConfig({
  test: {
    // Tests start real control planes; what is slow here is the machine, not the test.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    // Node loads the sources as it does outside of tests.
    experimental: { viteModuleRunner: false },
    // All properties have the same seed in each run, so that what fails fails again.
    setupFiles: ["packages/testkit/src/property-seeds.ts"],
    sequence: { sequencer: LaneSequencer },
    projects: [
      {
        extends: true,
        test: {
          name: "light",
          include: named("test.ts"),
          exclude: [...named("engine.test.ts"), ...clusters, ...processes, ...pages],
          // Without isolation a process loads each module once, not once for each file. Not threads: while one thread
          // starts a program, the new process briefly holds the files that another thread has open for writing, and a
          // script that a test has just written cannot be started then (ETXTBSY).
          pool: "forks",
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "pages",
          include: pages,
          experimental: { viteModuleRunner: true },
          pool: "threads",
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: "process", include: processes, pool: "forks", maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: "cluster",
          include: clusters,
          // Without isolation the files of a process share its API servers, see @butler/testkit.
          pool: "forks",
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      ...engineLanes.map(({ name, files }, at) => ({
        extends: true as const,
        test: {
          name,
          include: [...files],
          // One process for all files, which share its engine.
          pool: "forks" as const,
          isolate: false,
          maxWorkers: 1,
          globalSetup: ["packages/testkit/src/engine-home.ts"],
          sequence: { groupOrder: 2 + at },
        },
      })),
    ],
  },
});
