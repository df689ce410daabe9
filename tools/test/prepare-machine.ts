import { installMissingPrograms, raiseInotifyLimit } from "@butler/engine";
import { canHostEngine } from "@butler/testkit";
import { describeError } from "@butler/std";
import { ensureChromium } from "../../test/console/lib/chromium.ts";

/**
 * Installs the system packages that tests need before any test starts: test files run in parallel, and some of them
 * (`butleradm local doctor`) report what is missing on the machine. A failure is printed; the tests that need the
 * package fail.
 */
export async function prepareMachine(): Promise<void> {
  const say = (sentence: string): void => console.error(`butler: ${sentence}`);
  const asRoot = [() => installMissingPrograms(say), () => raiseInotifyLimit(say)];
  const steps = [...(canHostEngine ? asRoot : []), ensureChromium];
  for (const step of steps) await step().catch((error: unknown) => say(describeError(error)));
}
