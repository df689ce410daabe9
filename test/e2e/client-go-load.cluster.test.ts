import { aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ClientGoLoad, clientGoProgram, type ClientGoReport, expectedTexts } from "./lib/client-go-load.ts";

const minutes = 60_000;
let cluster: TestCluster;

/** Runs the load before, during and after a disruption. */
async function loadDuring(name: string, happening: (load: ClientGoLoad) => Promise<void>): Promise<ClientGoReport> {
  const load = await ClientGoLoad.begin(cluster.controlPlane.kubeconfigPath, name);
  try {
    await load.further(40);
    await happening(load);
    return await load.stop();
  } finally {
    await load.stop();
  }
}

describe("the load of client-go", () => {
  beforeAll(async () => {
    await clientGoProgram();
    cluster = await aTestCluster({ mine: { name: "client-go-load" } });
  }, 8 * minutes);
  afterAll(() => cluster?.stop());

  it("reports no errors when nothing happens", async () => {
    const report = await loadDuring("quiet", (load) => load.further(40));
    const { failures, made, changed, removed, repeated, watch } = report;
    expect({ failures, repeated }).toEqual({ failures: [], repeated: [] });
    expect(watch).toMatchObject({ resumed: 0, refusals: [], lost: "" });
    expect(watch.added.toSorted()).toEqual(made.toSorted());
    expect(watch.modified.toSorted()).toEqual(changed.toSorted());
    expect(watch.deleted.toSorted()).toEqual(removed.toSorted());
    expect(removed.length).toBeGreaterThan(0);
    expect(expectedTexts(report).size).toBe(made.length - removed.length);
  });

  it("reports requests and watches without an API server, and continues", async () => {
    const { sent, failures, made, watch } = await loadDuring("outage", async (load) => {
      await cluster.controlPlane.stopApiServer({ signal: "SIGKILL" });
      await load.further(60);
      await cluster.controlPlane.startApiServer();
      await load.further(60);
    });
    const failed = new Set(failures.map(({ verb }) => verb));
    for (const verb of ["GET", "LIST", "CREATE"]) expect(failed).toContain(verb);
    expect(failures.length).toBeLessThan(sent);
    expect(watch.refusals.length).toBeGreaterThan(0);
    expect(watch.resumed).toBeGreaterThan(0);
    // An API server that was written to after the last observed event cannot resume from there, and reports it.
    if (watch.lost === "") expect(watch.added).toEqual(expect.arrayContaining(made) as unknown);
    else expect(watch.lost).toContain("too old resource version");
  });
});
