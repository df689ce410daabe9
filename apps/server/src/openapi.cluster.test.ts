import { allRoutes, createClient, deleteCluster, deleteTeam, signOut } from "@butler/contract";
import { type Logger, silentLogger } from "@butler/telemetry";
import { eventually, isSoak, shortOrLong } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureSchemathesis, runSchemathesis } from "./testing/schemathesis.ts";
import { bindPlatform, bindTeam } from "./testing/served.ts";
import {
  addCluster,
  addPerson,
  addTeam,
  type SessionHeaders,
  startServerForTests,
  type ServerForTests,
} from "./testing/server-for-tests.ts";

const seed = Number(process.env["BUTLER_TEST_SEED"] || 20_260_601);
const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
  "negative_data_rejection",
  "missing_required_header",
  "unsupported_method",
  "allow_header_conformance",
  "ignored_auth",
];

/** Existing objects. */
const known = {
  namespace: ["payments"],
  name: ["shop"],
  team: ["payments"],
  email: ["viewer@example.com"],
  environment: ["dev"],
  user: ["viewer"],
};

/** Routes that would delete what all other tests need: the session, the team, the cluster. They have a test below. */
const leftOut = [signOut.id, deleteTeam.id, deleteCluster.id];

let whole: ServerForTests;
let python: string;
let sessions: Readonly<Record<"root" | "operator", SessionHeaders>>;
const failures: object[] = [];
const logger: Logger = { ...silentLogger, error: (message, fields) => void failures.push({ message, ...fields }) };

beforeAll(async () => {
  python = await ensureSchemathesis();
  whole = await startServerForTests({ logger });
  for (const team of ["payments", "leaving"]) {
    await addTeam(whole, team);
    await bindTeam(whole.cluster, team);
  }
  await bindPlatform(whole.cluster);
  await addCluster(whole, { name: "shop", namespace: "payments" });
  await addCluster(whole, { name: "gone", namespace: "leaving" });
  await addPerson(whole, "root", { platformRole: "admin" });
  for (const name of ["operator", "viewer"]) await addPerson(whole, name);
  // Before the tests that guess passwords, because those throttle this source address.
  sessions = { root: await whole.signIn("root@example.com"), operator: await whole.signIn("operator@example.com") };
  await eventually(() => whole.server.state.clusters.size === 2 && whole.server.state.teams.size === 2);
}, 400_000);

afterAll(() => whole?.stop());

describe("every route of the contract", () => {
  it.each(allRoutes.map((route) => [route.id, route] as const))("%s is served", (_id, { method, path, aliases }) => {
    for (const at of [path, ...aliases]) {
      const url = at.replaceAll(/\{(\w+)\}/g, ":$1");
      expect(whole.server.app.hasRoute({ method, url }), at).toBe(true);
    }
  });
});

describe("responses match the OpenAPI document", () => {
  // Operators first: administrators may revoke the roles of all others.
  it.each([
    { name: "operator", phases: ["examples", "fuzzing"], maxExamples: shortOrLong(1, 20) },
    { name: "root", phases: ["examples", "fuzzing"], maxExamples: shortOrLong(2, 20) },
    { name: "root", phases: ["coverage"], maxExamples: 3 },
  ] as const)(
    "to $name: $phases",
    async ({ name, phases, maxExamples }) => {
      console.info(`schemathesis as ${name} with seed ${seed}`);
      const result = await runSchemathesis({
        python,
        url: whole.server.url,
        headers: { ...sessions[name] },
        seed,
        maxExamples,
        phases,
        isShort: !isSoak(),
        checks,
        excludedOperations: leftOut,
        known,
      });
      expect(result.isGood, result.output).toBe(true);
      expect(failures).toEqual([]);
    },
    900_000,
  );

  it("for the excluded routes", async () => {
    const client = createClient({ baseUrl: whole.server.url, headers: () => ({ ...sessions.root }) });
    // The server validates its responses against the contract, and fails on a mismatch.
    await client.call(deleteCluster, { params: { name: "gone", namespace: "leaving" } });
    await eventually(() => whole.server.state.clusters.get({ name: "gone", namespace: "leaving" }) === undefined);
    await client.call(deleteTeam, { params: { team: "leaving" } });
    await client.call(signOut, {});
    await expect(client.call(deleteTeam, { params: { team: "payments" } })).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
    });
    expect(failures).toEqual([]);
  });
});
