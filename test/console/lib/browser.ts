import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { Unavailable } from "@butler/std";
import { type Browser, chromium, type Page } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Finds Chromium, or installs Debian's. */
async function findChromium(): Promise<string> {
  const named = process.env["BUTLER_CHROMIUM"];
  const found = [...(named === undefined ? [] : [named]), ...places].find((path) => existsSync(path));
  if (found !== undefined) return found;
  try {
    await promisify(execFile)("apt-get", ["install", "-y", "--no-install-recommends", "chromium"]);
  } catch (error) {
    throw new Unavailable("there is no Chromium, and it cannot be installed", {
      cause: error,
      hint: "Install Chromium, or name it in BUTLER_CHROMIUM.",
    });
  }
  return "/usr/bin/chromium";
}

/** Starts a browser without a window. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

/** What a page has complained about: errors, refused requests and broken policies. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    const isExpected = /status of (?:401|403|404|409|422)|ERR_(?:CONNECTION|EMPTY|SOCKET)|WebSocket connection to/.test(
      message.text(),
    );
    if (message.type() === "error" && !isExpected) complaints.push(`console: ${message.text()}`);
  });
  return complaints;
}

/** Bytes of scripts that a page has fetched, as they came over the wire. */
export function scriptBytesOf(page: Page): () => Promise<number> {
  const sizes = new Map<string, Promise<number>>();
  page.on("requestfinished", (request) => {
    // What is fetched ahead and then used is told twice.
    if (request.resourceType() !== "script" || sizes.has(request.url())) return;
    sizes.set(
      request.url(),
      request.sizes().then((found) => found.responseBodySize),
    );
  });
  return async () => (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0);
}

/** Hosts that a page has asked for anything. */
export function hostsOf(page: Page): ReadonlySet<string> {
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  return hosts;
}
