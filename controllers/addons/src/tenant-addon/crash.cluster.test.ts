import type { Interceptor } from "@butler/controller";
import { TenantAddon } from "@butler/api";
import {
  crashAfterEverySideEffect,
  type CrashScenario,
  type RunningController,
  startAfterChange,
} from "@butler/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AddonHarness, home } from "../testing/addon-harness.ts";

let harness: AddonHarness;
const key = { name: "web", namespace: home };

beforeAll(async () => {
  harness = await AddonHarness.start();
});
afterAll(() => harness?.stop());

/** What there is of the add-on, on both sides. */
async function look() {
  const addon = await harness.client.find(TenantAddon, key);
  const { status } = addon ?? {};
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return {
    phase: status?.phase,
    ready: `${ready?.status} ${ready?.reason}`,
    installedVersion: status?.installedVersion,
    isRolledBack: status?.rolledBackTo !== undefined,
    greeting: await harness.greeting("web"),
    // The number of revisions may differ, because interrupted work is repeated. The deployed version may not.
    running: (await harness.revisions("web")).filter((text) => text.includes("deployed")).map((text) => text.slice(-5)),
  };
}

type EndState = Awaited<ReturnType<typeof look>>;

interface Scenario {
  readonly change?: () => Promise<unknown>;
  readonly before: (state: EndState) => boolean;
  readonly after: (state: EndState) => boolean;
}

function crashScenarioOf({ change, before, after }: Scenario) {
  return async (): Promise<CrashScenario> => {
    await harness.makeCluster();
    await harness.createAddon("web", { values: { greeting: "one" } });
    let isEnd = change === undefined ? after : before;
    const start = async (intercept?: Interceptor): Promise<RunningController> => {
      const running = await harness.run(intercept === undefined ? {} : { intercept });
      return { isSettled: async () => isEnd(await look()) && running.isIdle(), stop: running.end };
    };
    const changing = async (): Promise<void> => {
      await change?.();
      isEnd = after;
    };
    return {
      start: startAfterChange(start, change === undefined ? undefined : changing),
      snapshot: look,
      tearDown: () => harness.tidy(),
    };
  };
}

const isInstalled = ({ ready, installedVersion }: EndState): boolean =>
  ready === "True Installed" && installedVersion === "1.0.0";
const did = (sideEffects: readonly { verb: string; target: string }[]): string[] =>
  sideEffects.flatMap(({ verb, target }) => (verb === "perform" ? [target] : []));

const timeout = 400_000;

it("a crash at any point of an installation leads to the same result", { timeout }, async () => {
  const { sideEffects, endState } = await crashAfterEverySideEffect(
    crashScenarioOf({ before: isInstalled, after: isInstalled }),
  );
  expect(did(sideEffects)).toEqual(["startJob"]);
  expect(endState).toMatchObject({ phase: "Installed", greeting: "one", running: ["1.0.0"] });
});

it("a crash at any point of an upgrade leads to the same result", { timeout }, async () => {
  const change = () => harness.changeAddon("web", { version: "1.1.0", values: { greeting: "two" } });
  const after = ({ ready, installedVersion }: EndState): boolean =>
    ready === "True Installed" && installedVersion === "1.1.0";
  const { sideEffects, endState } = await crashAfterEverySideEffect(
    crashScenarioOf({ change, before: isInstalled, after }),
  );
  expect(did(sideEffects)).toEqual(["startJob"]);
  expect(endState).toMatchObject({ phase: "Installed", greeting: "two", running: ["1.1.0"] });
});

it("a crash at any point of a failed upgrade leads to a rollback", { timeout }, async () => {
  const change = () => harness.changeAddon("web", { version: "1.1.0", values: { greeting: "two", breaks: true } });
  const after = ({ phase, ready }: EndState): boolean => phase === "Installed" && ready === "False UpgradeFailed";
  const { sideEffects, endState } = await crashAfterEverySideEffect(
    crashScenarioOf({ change, before: isInstalled, after }),
  );
  expect(did(sideEffects)).toEqual(["startJob", "startJob"]);
  expect(endState).toMatchObject({ isRolledBack: true, greeting: "one", running: ["1.0.0"] });
});

it("a crash at any point of an uninstall leaves nothing behind", { timeout }, async () => {
  const change = () => harness.client.delete(TenantAddon, key);
  const after = ({ phase, running }: EndState): boolean => phase === undefined && running.length === 0;
  const { sideEffects, endState } = await crashAfterEverySideEffect(
    crashScenarioOf({ change, before: isInstalled, after }),
  );
  expect(did(sideEffects)).toEqual(["startJob"]);
  expect(endState).toMatchObject({ phase: undefined, greeting: undefined, running: [] });
});
