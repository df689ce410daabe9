import { FakeClock } from "@butler/testkit";
import { afterAll, describe, expect, it } from "vitest";
import { isAddressAllowed, requireAllowedUrl } from "@butler/administration/issuers";
import { AddressGuard } from "./address-guard.ts";
import { PasswordHasher } from "./password-hasher.ts";

describe("the thread for passwords", () => {
  const hasher = new PasswordHasher(4);
  afterAll(() => hasher.close());

  it("knows a password again, and no other", async () => {
    const hash = await hasher.hash("correct horse battery");
    expect(hash).toMatch(/^\$2b\$04\$/);
    expect(await hasher.isRight("correct horse battery", hash)).toBe(true);
    expect(await hasher.isRight("correct horse batterz", hash)).toBe(false);
    expect(await hasher.isRight("correct horse battery", undefined)).toBe(false);
    await expect(hasher.isRight("x", "no hash")).resolves.toBe(false);
  });

  it("turns away whoever comes when too many wait, and ends for those who do", async () => {
    const busy = new PasswordHasher(4);
    const waiting = Array.from({ length: 64 }, () => busy.isRight("x", undefined));
    await expect(busy.isRight("x", undefined)).rejects.toThrow("too many people");
    const ended = Promise.allSettled(waiting);
    await busy.close();
    for (const { status } of await ended) expect(["rejected", "fulfilled"]).toContain(status);
  });
});

describe("an address from which sign-ins fail", () => {
  it("has to wait longer each time, and is forgiven by time alone", () => {
    const clock = new FakeClock();
    const guard = new AddressGuard(clock);
    for (let failure = 0; failure < 19; failure++) guard.noteFailure("192.0.2.1");
    guard.requireOpen("192.0.2.1");
    guard.noteFailure("192.0.2.1");
    expect(() => guard.requireOpen("192.0.2.1")).toThrow("too many sign-ins");
    guard.requireOpen("192.0.2.2");
    clock.advance(1_000);
    guard.requireOpen("192.0.2.1");
    guard.noteFailure("192.0.2.1");
    clock.advance(1_999);
    expect(() => guard.requireOpen("192.0.2.1")).toThrow("too many sign-ins");
    // Two failures in ten minutes make up for five that are forgotten.
    clock.advance(600_001);
    for (let failure = 0; failure < 2; failure++) guard.noteFailure("192.0.2.1");
    guard.requireOpen("192.0.2.1");
    for (let failure = 0; failure < 2; failure++) guard.noteFailure("192.0.2.1");
    expect(() => guard.requireOpen("192.0.2.1")).toThrow("too many sign-ins");
  });
});

describe("where the server lets itself be sent", () => {
  it.each([
    ["192.0.2.1", true],
    ["10.1.2.3", true],
    ["169.254.169.254", false],
    ["::ffff:169.254.169.254", false],
    ["::ffff:a9fe:a9fe", false],
    ["fe80::1", false],
    ["fd00:ec2::254", false],
    ["0.0.0.0", false],
    ["::", false],
    ["::127.0.0.1", false],
    ["64:ff9b::a9fe:a9fe", false],
    ["2002:a9fe:a9fe::1", false],
    ["127.0.0.1", false],
    ["::1", false],
    ["2001:db8::1", true],
    ["no address", false],
  ])("%s: %s", (address, expected) => expect(isAddressAllowed(address)).toBe(expected));

  it.each([
    "http://login.example.com",
    "https://169.254.169.254/latest",
    "https://2852039166/",
    "https://[fe80::1]/",
    "https://127.1/",
    "https://user:secret@login.example.com/",
    "file:///etc/passwd",
  ])("not to %s", (address) => {
    expect(() => requireAllowedUrl(new URL(address))).toThrow(/only https|not asked/);
  });

  it("to this machine only when that is allowed, and never to link-local addresses", () => {
    requireAllowedUrl(new URL("https://login.example.com/realm"));
    requireAllowedUrl(new URL("http://127.0.0.1:8080"), { allowLoopback: true });
    expect(() => requireAllowedUrl(new URL("http://169.254.169.254"), { allowLoopback: true })).toThrow("not asked");
  });
});
