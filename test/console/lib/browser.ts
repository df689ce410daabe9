import { type Browser, chromium, type Page } from "playwright-core";
import { ensureChromium } from "./chromium.ts";

/** Starts a headless browser. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await ensureChromium(), args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

/** Complaints of a page: errors, refused requests and policy violations. */
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

/** Transferred bytes of the scripts that a page fetched. */
export function scriptBytesOf(page: Page): () => Promise<number> {
  const sizes = new Map<string, Promise<number>>();
  page.on("requestfinished", (request) => {
    // Preloaded scripts are reported twice.
    if (request.resourceType() !== "script" || sizes.has(request.url())) return;
    sizes.set(
      request.url(),
      request.sizes().then((found) => found.responseBodySize),
    );
  });
  return async () => (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0);
}

/** Hosts that a page sent requests to. */
export function hostsOf(page: Page): Set<string> {
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  return hosts;
}
