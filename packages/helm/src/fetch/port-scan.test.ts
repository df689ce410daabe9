import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ChartsForTests } from "../testing/charts-for-tests.ts";
import { Cleanups, failureOf } from "../testing/store-bench.ts";
import { ChartStore } from "./chart-store.ts";

const cleanups = new Cleanups();
const charts = new ChartsForTests(cleanups).use();
const { signal } = new AbortController();

afterAll(() => cleanups.run());

describe("a repository URL", () => {
  it("tells no open port of the platform from a closed one, in any form", async () => {
    const open = await charts.serve();
    const closed = await charts.serve();
    await closed.stop();
    const folder = await mkdtemp(join(tmpdir(), "butler-charts-"));
    // With the rules of a platform whose operator allows nothing.
    const store = new ChartStore({ folder });
    cleanups.add(() => rm(folder, { recursive: true, force: true }));
    cleanups.add(() => store.close());
    const hosts = ["127.0.0.1", "2130706433", "0x7f.1", "127.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "0.0.0.0"];
    const failures = new Set<string>();
    for (const { url } of [open, closed]) {
      for (const host of hosts) {
        for (const scheme of ["http", "oci+http", "oci", "https"]) {
          const repository = `${scheme}://${host}:${new URL(url).port}`;
          const { reason, isPassing, text } = await failureOf(
            store.fetch({ repository, name: "web", version: undefined }, signal),
          );
          failures.add(
            JSON.stringify([reason, isPassing, text.replaceAll(/\S+ is unreachable/g, "HOST is unreachable")]),
          );
        }
      }
    }
    expect([...failures]).toHaveLength(1);
    expect(open.requests).toEqual([]);
  });
});
