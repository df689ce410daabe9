import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@butler/std";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LoginStore, type StoredLogin } from "./login-file.ts";
import { serverUrl } from "./server.ts";

const aLogin = (server: string, accessToken = "one"): StoredLogin => ({
  server,
  email: "ada@example.com",
  accessToken,
  expiresAt: "2026-01-01T00:00:00Z",
  refreshToken: "two",
  refreshExpiresAt: "2026-01-08T00:00:00Z",
  kubernetes: { server: "https://10.0.0.1:6443", certificateAuthority: "pem", token: "three" },
});

let directory: string;
let store: LoginStore;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "butler-logins-"));
  const environment = { BUTLER_CONFIG_DIR: join(directory, "config") };
  store = new LoginStore({ environment, clock: systemClock, signal: new AbortController().signal });
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe("stored sign-ins", () => {
  it("are stored by server, and the most recent one is the default", async () => {
    expect(await store.find()).toBeUndefined();
    await store.save(aLogin("https://a"));
    await store.save(aLogin("https://b"));
    await store.save(aLogin("https://b", "newer"));
    expect((await store.find())?.accessToken).toBe("newer");
    expect((await store.find("https://a"))?.server).toBe("https://a");
    await store.forget("https://b");
    expect([await store.find(), await store.find("https://b")]).toEqual([undefined, undefined]);
    expect(await store.find("https://a")).toBeDefined();
  });

  it("are readable by their owner only", async () => {
    await store.save(aLogin("https://a"));
    expect((await stat(store.file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(directory, "config"))).mode & 0o777).toBe(0o700);
  });

  it("are not overwritten when the file has unexpected content", async () => {
    await store.save(aLogin("https://a"));
    await writeFile(store.file, "{}");
    await expect(store.save(aLogin("https://b"))).rejects.toThrow("unexpected content");
  });

  it("are changed by one process at a time", async () => {
    let inside = 0;
    const work = () =>
      store.exclusively(async () => {
        expect(++inside).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        inside--;
      });
    await Promise.all([work(), work(), work(), store.exclusively(() => Promise.reject(new Error("x"))).catch(() => 0)]);
    expect(inside).toBe(0);
  });
});

describe("the address of a server", () => {
  it.each([
    ["https://butler.example.com/", "https://butler.example.com"],
    ["https://example.com:8443/butler/", "https://example.com:8443/butler"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["http://[::1]:8080", "http://[::1]:8080"],
  ])("%s is stored as %s", (text, expected) => expect(serverUrl(text)).toBe(expected));

  it.each(["http://butler.example.com", "http://127.0.0.1.evil.example", "butler.example.com", "file:///etc/passwd"])(
    "%s is refused",
    (text) => expect(() => serverUrl(text)).toThrow(),
  );
});
