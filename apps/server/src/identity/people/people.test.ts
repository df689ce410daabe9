import { FakeClock } from "@butler/testkit";
import { afterAll, describe, expect, it } from "vitest";
import { AddressGuard } from "./address-guard.ts";
import { PasswordHasher } from "./password-hasher.ts";

describe("the password hasher", () => {
  const hasher = new PasswordHasher(4);
  afterAll(() => hasher.close());

  it("accepts the right password only", async () => {
    const hash = await hasher.hash("correct horse battery");
    expect(hash).toMatch(/^\$2b\$04\$/);
    expect(await hasher.isRight("correct horse battery", hash)).toBe(true);
    expect(await hasher.isRight("correct horse batterz", hash)).toBe(false);
    expect(await hasher.isRight("correct horse battery", undefined)).toBe(false);
    await expect(hasher.isRight("x", "no hash")).resolves.toBe(false);
  });

  it("rejects requests when too many are waiting, and settles all on close", async () => {
    const busy = new PasswordHasher(4);
    const waiting = Array.from({ length: 64 }, () => busy.isRight("x", undefined));
    await expect(busy.isRight("x", undefined)).rejects.toThrow("too many concurrent");
    const ended = Promise.allSettled(waiting);
    await busy.close();
    for (const { status } of await ended) expect(["rejected", "fulfilled"]).toContain(status);
  });
});

describe("an address with failed sign-ins", () => {
  it("has to wait longer each time, and recovers with time only", () => {
    const clock = new FakeClock();
    const guard = new AddressGuard(clock);
    for (let failure = 0; failure < 19; failure++) guard.noteFailure("192.0.2.1");
    guard.requireOpen("192.0.2.1");
    guard.noteFailure("192.0.2.1");
    expect(() => guard.requireOpen("192.0.2.1")).toThrow("too many failed sign-ins");
    guard.requireOpen("192.0.2.2");
    clock.advance(1_000);
    guard.requireOpen("192.0.2.1");
    guard.noteFailure("192.0.2.1");
    clock.advance(1_999);
    expect(() => guard.requireOpen("192.0.2.1")).toThrow("too many failed sign-ins");
    // After ten minutes, enough failures have expired to allow two more.
    clock.advance(600_001);
    for (let failure = 0; failure < 2; failure++) guard.noteFailure("192.0.2.1");
    guard.requireOpen("192.0.2.1");
    for (let failure = 0; failure < 2; failure++) guard.noteFailure("192.0.2.1");
    expect(() => guard.requireOpen("192.0.2.1")).toThrow("too many failed sign-ins");
  });
});
