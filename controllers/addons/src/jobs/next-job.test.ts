import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextJob } from "./next-job.ts";

const jobs = (...groups: string[]) => groups.map((group, index) => ({ group, index }));

describe("nextJob", () => {
  it("returns nothing without waiting jobs", () => {
    expect(nextJob({ waiting: [], running: ["a"], served: [] })).toBeUndefined();
  });

  it("keeps the order within a group", () => {
    expect(nextJob({ waiting: jobs("a", "a"), running: [], served: [] })).toMatchObject({ index: 0 });
  });

  it("prefers the group with fewer jobs running", () => {
    const turn = { waiting: jobs("a", "a", "b"), running: ["a"], served: ["b", "a"] };
    expect(nextJob(turn)).toMatchObject({ group: "b" });
  });

  it("prefers, among groups with equally many, the least recently served one", () => {
    expect(nextJob({ waiting: jobs("a", "b"), running: [], served: ["b", "a"] })).toMatchObject({ group: "b" });
  });

  it("serves every group once before any twice", () => {
    const names = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(names, (groups) => {
        const waiting = jobs(...groups);
        const served: string[] = [];
        const distinct = new Set(groups).size;
        for (let turn = 0; turn < distinct; turn++) {
          const job = nextJob({ waiting, running: [], served });
          waiting.splice(waiting.indexOf(job ?? { group: "", index: -1 }), 1);
          served.push(job?.group ?? "");
        }
        expect(new Set(served).size).toBe(distinct);
      }),
    );
  });
});
