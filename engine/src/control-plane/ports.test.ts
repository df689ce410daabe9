import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { drawFreePort, isPortFree } from "./ports.ts";

describe("drawFreePort", () => {
  it("stays below the ephemeral port range", async () => {
    const port = await drawFreePort();
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(30_000);
  });

  it("picks another port when one is in use", async () => {
    const taken = await drawFreePort();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(taken, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    expect(await isPortFree(taken)).toBe(false);
    const draws = [taken, taken];
    expect(await drawFreePort((from, to) => draws.pop() ?? Math.floor((from + to) / 2))).not.toBe(taken);
  });
});
