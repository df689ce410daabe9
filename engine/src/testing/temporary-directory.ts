import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * A directory of the running test; it is removed when the test ends, successfully or not. Concurrent tests pass their
 * own context.
 */
export async function temporaryDirectory(
  atEnd: (remove: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "engine-test-"));
  atEnd(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}
