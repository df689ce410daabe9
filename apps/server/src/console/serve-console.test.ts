import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodingFor, serveConsole } from "./serve-console.ts";

let folder: string;
let app: FastifyInstance;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "butler-console-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<!doctype html><title>Butler</title>");
  await writeFile(join(folder, "assets", "index-CEEiAwss.js"), "export const text = 'hello';".repeat(100));
  await writeFile(join(folder, "assets", "font-Dx4kXJAl.woff2"), "font");
  app = Fastify();
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ code: "NOT_FOUND" }));
  app.get("/api/version", () => ({ version: "1" }));
  await serveConsole(app, folder);
});

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

describe("the console's files", () => {
  it.each(["/", "/sign-in", "/t/payments/clusters?q=a", "/auth/device?user_code=BCDF-GHJK", "/index.html"])(
    "serves the page at %s, uncached and with a strict policy",
    async (url) => {
      const answer = await app.inject({ url });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(answer.headers["cache-control"]).toBe("no-cache");
      expect(answer.headers["content-security-policy"]).toContain("default-src 'self'");
      expect(answer.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(answer.headers["content-security-policy"]).not.toContain("unsafe");
      expect(answer.body).toContain("<title>Butler</title>");
    },
  );

  it.each([
    ["https://butler.example.com", "same-origin"],
    ["http://10.0.0.1:30080", undefined],
  ])("sends pages at %s with the security headers for that origin", async (publicUrl, opener) => {
    const other = Fastify();
    await serveConsole(other, folder, publicUrl);
    const { headers } = await other.inject({ url: "/" });
    expect(headers["cross-origin-opener-policy"]).toBe(opener);
    await other.close();
  });

  it("serves hashed files as immutable and compressed", async () => {
    const answer = await app.inject({ url: "/assets/index-CEEiAwss.js", headers: { "accept-encoding": "gzip, br" } });
    expect(answer.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(answer.headers["content-encoding"]).toBe("br");
    expect(answer.rawPayload.length).toBeLessThan(200);
    const font = await app.inject({ url: "/assets/font-Dx4kXJAl.woff2", headers: { "accept-encoding": "br" } });
    expect(font.headers["content-encoding"]).toBeUndefined();
  });

  it("responds with 304 if nothing changed", async () => {
    const first = await app.inject({ url: "/" });
    const again = await app.inject({ url: "/", headers: { "if-none-match": String(first.headers["etag"]) } });
    expect(again.statusCode).toBe(304);
  });

  it.each(["/api", "/api/nothing", "/assets/old-AAAAAAAA.js", "/%E0%A4%A"])("serves nothing at %s", async (url) => {
    const answer = await app.inject({ url });
    expect([400, 404]).toContain(answer.statusCode);
    expect(answer.body).not.toContain("<title>");
  });

  it("does not serve files outside its folder", async () => {
    const answer = await app.inject({ url: "/..%2f..%2fetc%2fpasswd" });
    expect(answer.body).not.toContain("root:");
  });

  it("rejects a folder without a console", async () => {
    await expect(serveConsole(Fastify(), join(folder, "assets"))).rejects.toThrow(/failed to load the console/);
  });
});

describe("encodingFor", () => {
  it.each([
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["", undefined],
    [undefined, undefined],
  ])("%s gives %s", (accepted, wanted) => {
    expect(encodingFor(accepted)).toBe(wanted);
  });
});
