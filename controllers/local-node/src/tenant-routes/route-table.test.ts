import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kernelRoutes } from "./route-table.ts";

const execute = promisify(execFile);
const namespace = `butler-routes-${process.pid}`;
const ip = (...args: string[]) => execute("ip", args, { env: { PATH: "/usr/sbin:/sbin:/usr/bin:/bin" } });

describe.runIf(process.platform === "linux" && process.getuid?.() === 0)("the kernel's routes", () => {
  const routes = kernelRoutes(namespace);

  beforeAll(async () => {
    await ip("netns", "add", namespace);
    await ip("-netns", namespace, "link", "add", "bridge0", "type", "bridge");
    await ip("-netns", namespace, "address", "add", "10.0.0.1/24", "dev", "bridge0");
    await ip("-netns", namespace, "link", "set", "bridge0", "up");
  });
  afterAll(() => ip("netns", "delete", namespace));

  it("are added, changed and removed without touching routes of others", async () => {
    expect(await routes.list()).toEqual([]);
    const network = "10.1.0.8/29";
    await routes.set({ network, gateways: ["10.0.0.5"] });
    expect(await routes.list()).toEqual([{ network, gateways: ["10.0.0.5"] }]);
    await routes.set({ network, gateways: ["10.0.0.5", "10.0.0.6"] });
    await routes.set({ network: "10.1.0.1/32", gateways: ["10.0.0.7"] });
    expect(await routes.list()).toEqual(
      expect.arrayContaining([
        { network, gateways: ["10.0.0.5", "10.0.0.6"] },
        { network: "10.1.0.1/32", gateways: ["10.0.0.7"] },
      ]),
    );
    await routes.remove(network);
    await routes.remove(network);
    expect(await routes.list()).toEqual([{ network: "10.1.0.1/32", gateways: ["10.0.0.7"] }]);
    const { stdout } = await ip("-netns", namespace, "route");
    expect(stdout).toContain("10.0.0.0/24 dev bridge0");
  });

  it("report errors", async () => {
    const nowhere = { network: "10.2.0.0/24", gateways: ["192.0.2.1"] };
    await expect(routes.set(nowhere)).rejects.toThrow(/ip -netns .* route replace 10\.2\.0\.0\/24/);
  });
});
