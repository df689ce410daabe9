import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placesFor } from "./job-places.ts";
import { fullPlaces, type JobShare, nextJob, type Turn } from "./next-job.ts";

interface Job extends JobShare {
  readonly index: number;
}

/** A job as `team`, `team/cluster`, or `team/cluster!` for a baseline add-on. */
function share(text: string): JobShare {
  const [team = "", group = team] = text.replace("!", "").split("/");
  return { team, group: `${team}/${group}`, isReserved: text.endsWith("!") };
}

const jobs = (...texts: string[]): Job[] => texts.map((text, index) => ({ ...share(text), index }));
const roomy = { running: 100 };
const usual = placesFor(4);
const turn = (given: Partial<Turn<Job>>): Turn<Job> => ({
  waiting: [],
  running: [],
  served: [],
  places: roomy,
  ...given,
});

describe("nextJob", () => {
  it("returns nothing without waiting jobs", () => {
    expect(nextJob(turn({ running: jobs("a") }))).toBeUndefined();
  });

  it("keeps the order within a cluster", () => {
    expect(nextJob(turn({ waiting: jobs("a", "a") }))).toMatchObject({ index: 0 });
  });

  it.each<[string, Partial<Turn<Job>>, string]>([
    [
      "the team with fewer jobs running",
      { waiting: jobs("a", "b"), running: jobs("a"), served: jobs("b", "a") },
      "b/b",
    ],
    ["the team served least recently", { waiting: jobs("a", "b"), served: jobs("b", "a") }, "b/b"],
    [
      "a team with one cluster before the second of another",
      {
        waiting: jobs("a/1", "a/2", "b"),
        running: jobs("a/1"),
      },
      "b/b",
    ],
    ["in a team, the cluster with fewer jobs", { waiting: jobs("a/1", "a/2"), running: jobs("a/1") }, "a/2"],
    [
      "in a team, the cluster served least recently",
      { waiting: jobs("a/1", "a/2"), served: jobs("a/2", "a/1") },
      "a/2",
    ],
  ])("prefers %s", (_what, given, group) => {
    expect(nextJob(turn(given))).toMatchObject({ group });
  });

  it("hole 5: passes over a team that has its share, whatever it has queued", () => {
    const waiting = jobs(...Array.from({ length: 50 }, (_, at) => `hostile/${at}`), "b");
    expect(nextJob(turn({ waiting, running: jobs("hostile/x", "hostile/y"), places: usual }))).toMatchObject({
      team: "b",
    });
    expect(
      nextJob(turn({ waiting: waiting.slice(0, 50), running: jobs("hostile", "hostile"), places: usual })),
    ).toBeUndefined();
  });

  it("hole 5: keeps places for baseline add-ons", () => {
    const running = jobs("a", "a", "b", "b");
    expect(nextJob(turn({ waiting: jobs("c"), running, places: usual }))).toBeUndefined();
    expect(nextJob(turn({ waiting: jobs("c", "d!"), running, places: usual }))).toMatchObject({ team: "d" });
    // Not all of them go to one team.
    expect(nextJob(turn({ waiting: jobs("a!"), running: [...running, ...jobs("a!")], places: usual }))).toBeUndefined();
    expect(
      nextJob(turn({ waiting: jobs("c!"), running: [...running, ...jobs("d!", "e!")], places: usual })),
    ).toBeUndefined();
  });

  it("never gives a team more than its share, nor anyone more than there is", () => {
    const some = fc.constantFrom("a/1", "a/2", "a!", "b", "b!", "c", "d!");
    fc.assert(
      fc.property(fc.array(some, { maxLength: 40 }), (texts) => {
        const waiting = jobs(...texts);
        const running: Job[] = [];
        for (let job = nextJob(turn({ waiting, running, places: usual })); job;) {
          waiting.splice(waiting.indexOf(job), 1);
          running.push(job);
          job = nextJob(turn({ waiting, running, served: running, places: usual }));
        }
        const { running: most, reserved = 0, perTeam = 0 } = usual;
        expect(running.length).toBeLessThanOrEqual(most);
        expect(running.filter(({ isReserved }) => !isReserved).length).toBeLessThanOrEqual(most - reserved);
        for (const ofTeam of Map.groupBy(running, ({ team }) => team).values()) {
          expect(ofTeam.length).toBeLessThanOrEqual(perTeam + 1);
          expect(ofTeam.filter(({ isReserved }) => !isReserved).length).toBeLessThanOrEqual(perTeam);
        }
        // What still waits does so for a reason.
        for (const job of waiting) expect(fullPlaces(job, running, usual)).toBeDefined();
      }),
    );
  });

  it("serves every team once before any twice", () => {
    const names = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(names, (teams) => {
        const waiting = jobs(...teams);
        const served: Job[] = [];
        const distinct = new Set(teams).size;
        for (let at = 0; at < distinct; at++) {
          const job = nextJob(turn({ waiting, served }));
          if (job === undefined) return expect.fail("nothing was chosen");
          waiting.splice(waiting.indexOf(job), 1);
          served.push(job);
        }
        expect(new Set(served.map(({ team }) => team)).size).toBe(distinct);
      }),
    );
  });
});
