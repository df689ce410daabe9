import { requireKind, type Shape } from "./scaffold.ts";

/** A controller that syncs one ConfigMap with each object of an existing kind. */
export const controllerShape: Shape = {
  name: "controller",
  summary: "a controller of an existing kind in controllers/tenancy",
  plan: (names, repository) => {
    requireKind(names, repository);
    const { kebab, camel, pascal } = names;
    const folder = `controllers/tenancy/src/${kebab}`;
    const list = "controllers/tenancy/src/platform-controllers.ts";
    return {
      files: {
        [`${folder}/index.ts`]: `
/** The controller of ${pascal}. */
export { ${camel}Controller } from "./controller.ts";
`,
        [`${folder}/controller.ts`]: `
import { labels, managedByButler, ${pascal} } from "@butler/api";
import { defineController } from "@butler/controller";
import { builtinKinds } from "@butler/resource";
import { observe } from "./observe.ts";
import { type Observed, plan } from "./plan.ts";

/** Syncs a ConfigMap with the spec of each ${pascal}. */
export const ${camel}Controller = defineController<typeof ${pascal}, Observed>({
  name: "${kebab}",
  primary: ${pascal},
  owns: [{ kind: builtinKinds.ConfigMap, scope: { labelSelector: \`\${labels.managedBy}=\${managedByButler}\` } }],
  observe,
  plan,
  perform: {},
});
`,
        [`${folder}/observe.ts`]: `
import type { ${pascal} } from "@butler/api";
import type { ObserveContext } from "@butler/controller";
import { builtinKinds } from "@butler/resource";
import { configMapKey, type Observed } from "./plan.ts";

/** Reads the input of the plan. */
export function observe({ primary, read }: ObserveContext<typeof ${pascal}, object>): Observed {
  return { ${camel}: primary, configMap: read.get(builtinKinds.ConfigMap, configMapKey(primary)) };
}
`,
        [`${folder}/plan.ts`]: `
import { labels, managedByButler, namespaces, type ${pascal} } from "@butler/api";
import { covers, holds, lacks, type Plan } from "@butler/controller";
import { type DynamicObject, isBeingDeleted, type ObjectKey } from "@butler/resource";

/** The input of the plan. */
export interface Observed {
  readonly ${camel}: ${pascal};
  /** The ConfigMap with its spec; undefined while it does not exist. */
  readonly configMap: DynamicObject | undefined;
}

/** Plans the ConfigMap, which is garbage-collected with its owner. */
export function plan({ ${camel}, configMap }: Observed): Plan {
  if (isBeingDeleted(${camel})) return { finalizer: "none" };
  const data = { "spec.json": JSON.stringify(${camel}.spec) };
  const key = configMapKey(${camel});
  const desired: DynamicObject = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...key, labels: { [labels.managedBy]: managedByButler } },
    data,
  };
  return {
    finalizer: "none",
    apply: [desired],
    conditions: [
      covers(configMap?.["data"], data)
        ? holds("Ready", "Synced", \`ConfigMap \${key.name} is up to date\`)
        : lacks("Ready", "Syncing", \`waiting for ConfigMap \${key.name}\`),
    ],
  };
}

/** The ConfigMap of an object. */
export function configMapKey({ metadata }: ${pascal}): ObjectKey {
  return { name: \`\${metadata.name}-${kebab}\`, namespace: metadata.namespace ?? namespaces.system };
}
`,
        [`${folder}/plan.test.ts`]: `
import { ${pascal} } from "@butler/api";
import type { Plan } from "@butler/controller";
import { type DynamicObject, mergeConditions, parseObject } from "@butler/resource";
import { settleDeletion, settleToFixedPoint } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { type Observed, plan } from "./plan.ts";

const now = new Date("2026-01-01T00:00:00Z");
const ${camel} = parseObject(${pascal}, ${pascal}.example);

function settle(observed: Observed, { apply = [], conditions = [] }: Plan): Observed {
  const [configMap = observed.configMap] = apply as readonly DynamicObject[];
  const { ${camel}: before } = observed;
  const merged = mergeConditions({ current: before.status?.conditions, stated: conditions, generation: 1, now });
  return { ${camel}: { ...before, status: { ...before.status, conditions: merged } }, configMap };
}

const trialOf = (observed: Observed) => ({ plan, observed, now, settle });

describe("the plan of ${pascal}", () => {
  it("reaches a steady state with a ConfigMap and Ready=True", () => {
    const { observed } = settleToFixedPoint(trialOf({ ${camel}, configMap: undefined }));
    expect(observed.configMap?.["data"]).toEqual({ "spec.json": JSON.stringify(${camel}.spec) });
    expect(observed.${camel}.status?.conditions).toMatchObject([{ type: "Ready", status: "True" }]);
  });

  it("is not Ready while the ConfigMap differs", () => {
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" }, data: { "spec.json": "{}" } };
    expect(plan({ ${camel}, configMap }).conditions).toMatchObject([{ type: "Ready", status: "False" }]);
  });

  it("completes a deletion without creating anything", () => {
    const deleted = { ...${camel}, metadata: { ...${camel}.metadata, deletionTimestamp: now.toISOString() } };
    expect(settleDeletion(trialOf({ ${camel}: deleted, configMap: undefined })).configMap).toBeUndefined();
  });
});
`,
        [`${folder}/${kebab}.cluster.test.ts`]: `
import { ${pascal} } from "@butler/api";
import type { Interceptor } from "@butler/controller";
import { builtinKinds, parseObject } from "@butler/resource";
import { aTestCluster, crashAfterEverySideEffect, eventually, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runController } from "../shared/testing/run-controller.ts";
import { TenancyHarness } from "../shared/testing/tenancy-harness.ts";
import { ${camel}Controller } from "./controller.ts";
import { configMapKey } from "./plan.ts";

const { ConfigMap } = builtinKinds;
const sample = parseObject(${pascal}, ${pascal}.example);
const key = { name: sample.metadata.name, namespace: sample.metadata.namespace };
const expected = { "spec.json": JSON.stringify(sample.spec) };

let cluster: TestCluster;
let harness: TenancyHarness;

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [${pascal}] });
  await cluster.createNamespace(configMapKey(sample).namespace ?? "");
  harness = new TenancyHarness(cluster, [${pascal}]);
});
afterEach(() => harness?.tidy());
afterAll(() => cluster?.stop());

const dataOf = async (): Promise<unknown> => (await cluster.client.find(ConfigMap, configMapKey(sample)))?.["data"];

describe("the controller of ${pascal}", () => {
  it("syncs and repairs the ConfigMap with its own permissions alone", async () => {
    const limited = await harness.asController(${camel}Controller);
    const { runtime, written, stop } = await runController(limited, ${camel}Controller, { ports: {} });
    harness.later(() => harness.tidyAway(ConfigMap, configMapKey(sample)));
    harness.later(() => stop());
    await harness.create(${pascal}, sample);
    await harness.ready(${pascal}, key, "Synced");
    await eventually(() => runtime.isIdle);
    const before = written.length;
    runtime.wake(key);
    await eventually(() => runtime.isIdle);
    expect(written.slice(before)).toEqual([]);
    await harness.merge(ConfigMap, configMapKey(sample), { data: { "spec.json": "changed" } });
    await eventually(async () => JSON.stringify(await dataOf()) === JSON.stringify(expected), { what: "the repair" });
  });

  it("resumes after a crash at each side effect", async () => {
    const report = await crashAfterEverySideEffect(async () => {
      await harness.create(${pascal}, sample);
      const start = async (intercept?: Interceptor) => {
        const traits = intercept === undefined ? {} : { intercept };
        const { runtime, kill } = await runController(cluster.client, ${camel}Controller, { ports: {}, ...traits });
        return { isSettled: () => runtime.isIdle, stop: kill };
      };
      return {
        start,
        snapshot: dataOf,
        tearDown: async () => {
          await harness.tidyAway(${pascal}, key);
          await harness.tidyAway(ConfigMap, configMapKey(sample));
        },
      };
    });
    expect(report.sideEffects.map(({ verb }) => verb)).toEqual(["apply", "status", "status"]);
    expect(report.endState).toEqual(expected);
  });
});
`,
      },
      edits: [
        { type: "import", path: list, line: `import { ${camel}Controller } from "./${kebab}/index.ts";` },
        {
          type: "entry",
          path: list,
          from: "export const platformControllers = [",
          to: "\n] as const;",
          line: `  ${camel}Controller,`,
        },
        {
          type: "entry",
          path: list,
          from: "  return [",
          to: "\n  ];",
          line: `    new ControllerRuntime(${camel}Controller, { ...common, ports: {} }),`,
        },
      ],
      nextSteps: [
        `Replace the ConfigMap in ${folder}/plan.ts with what the controller manages`,
        "Run npm run generate to update the permissions in the chart",
        `Run npm test -- ${folder}`,
      ],
    };
  },
};
