import { getVersion } from "@butler/contract";
import { systemClock } from "@butler/std";
import { MetricsRegistry, silentLogger } from "@butler/telemetry";
import { afterEach, describe, expect, it } from "vitest";
import type { IncomingRequest } from "../ports.ts";
import { type AppOptions, buildApp } from "./app.ts";
import type { PipelineParts } from "./pipeline.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Sends a request from 127.0.0.1, and returns the response's HSTS header and the request as handlers see it. */
async function ask(options: Partial<AppOptions>, headers: Record<string, string>) {
  const unlimited = { burst: 1e6, perSecond: 1e6 };
  let seen: IncomingRequest | undefined;
  const app = buildApp({
    parts: { clock: systemClock, logger: silentLogger, requestTimeoutMs: 5_000 } as PipelineParts,
    handlers: [
      {
        route: getVersion,
        run: ({ request }) => {
          seen = request;
          return Promise.resolve({ version: "1", api: "v1" });
        },
      },
    ],
    metrics: new MetricsRegistry(),
    clock: systemClock,
    trustedProxies: [],
    rateLimits: { normal: unlimited, strict: unlimited },
    ...options,
  });
  closing.push(() => app.close());
  const answer = await app.inject({ method: "GET", url: getVersion.path, headers });
  return {
    hsts: answer.headers["strict-transport-security"],
    isSecure: seen?.isSecure,
    address: seen?.sourceAddress,
  };
}

const forwarded = { "x-forwarded-proto": "https", "x-forwarded-for": "198.51.100.7" };

describe("a request over TLS", () => {
  it.each<[string, Partial<AppOptions>, Record<string, string>, boolean, string]>([
    ["plain", {}, {}, false, "127.0.0.1"],
    ["forwarded by an unknown client", {}, forwarded, false, "127.0.0.1"],
    ["forwarded by another proxy", { trustedProxies: ["10.0.0.0/8"] }, forwarded, false, "127.0.0.1"],
    ["forwarded by a trusted proxy", { trustedProxies: ["127.0.0.0/8"] }, forwarded, true, "198.51.100.7"],
    [
      "through a trusted proxy without TLS",
      { trustedProxies: ["127.0.0.1"] },
      { "x-forwarded-proto": "http" },
      false,
      "127.0.0.1",
    ],
    [
      "at an https address, behind an unknown proxy",
      { publicUrl: "https://butler.example.com" },
      {},
      true,
      "127.0.0.1",
    ],
  ])("is recognised: %s", async (_what, options, headers, isSecure, address) => {
    const seen = await ask(options, headers);
    expect(seen).toEqual({ hsts: isSecure ? "max-age=31536000" : undefined, isSecure, address });
  });
});
