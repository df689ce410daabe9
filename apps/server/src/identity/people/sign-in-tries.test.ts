import type { User } from "@butler/api";
import { FakeClock } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { networkOf } from "../../http/rate-limit.ts";
import { AddressGuard } from "./address-guard.ts";
import { KnownDevices } from "./known-devices.ts";
import { SignInTries } from "./sign-in-tries.ts";

const user = (uid: string, password: string): User =>
  ({ metadata: { name: "ada", uid }, spec: {}, status: { passwordSecretRef: { name: password } } }) as User;
const ada = user("u-1", "p-1");
const key = new Uint8Array(32).fill(7);

describe("a known device", () => {
  const clock = new FakeClock();
  const devices = new KnownDevices({ key, clock, publicUrl: "" });
  const cookieOf = async (from = devices, request: { isSecure?: boolean } = {}) =>
    (await from.cookieFor(ada, request)).split(";")[0] ?? "";

  it("is recognised for its account and password only, on every replica with the same key, for half a year", async () => {
    const cookie = await cookieOf();
    const headers = { cookie };
    const id = await devices.idOf(ada, { headers });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await new KnownDevices({ key, clock, publicUrl: "" }).idOf(ada, { headers })).toBe(id);
    expect(await devices.idOf(user("u-2", "p-1"), { headers })).toBeUndefined();
    expect(await devices.idOf(user("u-1", "p-2"), { headers })).toBeUndefined();
    const other = new KnownDevices({ key: new Uint8Array(32).fill(8), clock, publicUrl: "" });
    expect(await other.idOf(ada, { headers })).toBeUndefined();
    expect(await devices.idOf(ada, { headers: { cookie: `${cookie}x` } })).toBeUndefined();
    expect(await devices.idOf(ada, { headers: {} })).toBeUndefined();
    clock.advance(180 * 24 * 3_600_000 + 1_000);
    expect(await devices.idOf(ada, { headers })).toBeUndefined();
  });

  it("has a cookie that pages cannot read, and over TLS no other host can set", async () => {
    expect(await devices.cookieFor(ada, {})).toMatch(/^butler_device=.*; Path=\/api\/auth; HttpOnly; SameSite=Strict$/);
    expect(await devices.cookieFor(ada, { isSecure: true })).toMatch(
      /^__Host-butler_device=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const cookie = await cookieOf();
    expect(await devices.idOf(ada, { headers: { cookie }, isSecure: true })).toBeUndefined();
  });
});

describe("failures of an account from one place", () => {
  it("count each, apart from other places, and are forgotten with time or the right password", () => {
    const clock = new FakeClock();
    const tries = new SignInTries(clock);
    for (let count = 0; count < 6; count++) tries.count("p-1 192.0.2.1");
    expect(tries.of("p-1 192.0.2.1")).toEqual({ failures: 6, sinceMs: 0 });
    expect(tries.of("p-1 192.0.2.2").failures).toBe(0);
    clock.advance(31 * 60_000);
    expect(tries.of("p-1 192.0.2.1").failures).toBe(4);
    tries.forget("p-1 192.0.2.1");
    expect(tries.of("p-1 192.0.2.1").failures).toBe(0);
  });
});

describe("the network of an address", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:0DB8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8::/64"],
    ["no address", "no address"],
  ])("%s is %s", (address, network) => expect(networkOf(address)).toBe(network));

  it("counts once for throttling, however many addresses of it are used", () => {
    const guard = new AddressGuard(new FakeClock());
    for (let at = 0; at < 20; at++) guard.noteFailure(`2001:db8:1:2::${at.toString(16)}`);
    expect(() => guard.requireOpen("2001:db8:1:2::ffff")).toThrow("too many failed sign-ins");
    guard.requireOpen("2001:db8:1:3::1");
  });
});
