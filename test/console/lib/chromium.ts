import { existsSync } from "node:fs";
import { systemPackages } from "@butler/engine";
import { Unavailable } from "@butler/std";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Finds Chromium, or installs the package of the distribution. */
export async function ensureChromium(): Promise<string> {
  const named = process.env["BUTLER_CHROMIUM"];
  const found = [...(named === undefined ? [] : [named]), ...places].find((path) => existsSync(path));
  if (found !== undefined) return found;
  const packages = systemPackages();
  const obstacle = await packages.findObstacle();
  if (obstacle !== undefined) {
    throw new Unavailable(`Chromium is not installed, and ${obstacle}`, {
      hint: "Install Chromium, or set BUTLER_CHROMIUM to its path.",
    });
  }
  await packages.install(["chromium"]);
  return "/usr/bin/chromium";
}
