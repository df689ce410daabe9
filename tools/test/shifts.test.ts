import { describe, expect, it } from "vitest";
import { allShifts, type Shift, workThrough } from "./shifts.ts";

const shift = (name: string, isAlone = false): Shift => ({ name, projects: [name], isAlone });
const signal = new AbortController().signal;

/** Runs shifts that stop when aborted, and records how many ran concurrently. */
function rehearse() {
  const running = new Set<string>();
  const together: string[] = [];
  const run = async ({ name }: Shift): Promise<string> => {
    running.add(name);
    together.push([...running].join("+"));
    await new Promise((resolve) => setImmediate(resolve));
    running.delete(name);
    return name;
  };
  return { run, together };
}

describe("workThrough", () => {
  it("runs as many shifts at once as allowed, and each once", async () => {
    const { run, together } = rehearse();
    const results = await workThrough([shift("a"), shift("b"), shift("c")], { atOnce: 2, run, signal });
    expect(results.toSorted()).toEqual(["a", "b", "c"]);
    expect(Math.max(...together.map((names) => names.split("+").length))).toBe(2);
  });

  it("runs exclusive shifts at the end, one at a time", async () => {
    const { run, together } = rehearse();
    await workThrough([shift("alone", true), shift("a"), shift("b")], { atOnce: 2, run, signal });
    expect(together.at(-1)).toBe("alone");
  });

  it("starts nothing more after an interruption", async () => {
    const interruption = new AbortController();
    const begun: string[] = [];
    const run = async ({ name }: Shift): Promise<void> => {
      begun.push(name);
      interruption.abort();
    };
    await workThrough([shift("a"), shift("b"), shift("c", true)], { atOnce: 1, run, signal: interruption.signal });
    expect(begun).toEqual(["a"]);
  });
});

it("every vitest project belongs to a shift", async () => {
  const { default: config } = await import("../../vitest.config.ts");
  const projects = (config.test?.projects ?? []).map((project) => (project as { test: { name: string } }).test.name);
  expect(allShifts.flatMap((each) => each.projects).toSorted()).toEqual(projects.toSorted());
});
