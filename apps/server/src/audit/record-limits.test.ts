import { MetricsRegistry } from "@butler/telemetry";
import { FakeClock } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { RecordLimits } from "./record-limits.ts";

const limits = () => {
  const [clock, metrics] = [new FakeClock(), new MetricsRegistry()];
  return { clock, metrics, limits: new RecordLimits({ clock, metrics }) };
};
const countOf = (test: () => boolean, times: number): number =>
  Array.from({ length: times }, test).filter(Boolean).length;

describe("records of requests that change nothing", () => {
  it("are limited by address, where a network of IPv6 counts as one", () => {
    const { limits: own, clock } = limits();
    expect(countOf(() => own.admitsFailure("sign-in", "192.0.2.1"), 1_000)).toBe(30);
    expect(own.admitsFailure("sign-in", "192.0.2.2")).toBe(true);
    let at = 0;
    expect(countOf(() => own.admitsFailure("sign-in", `2001:db8::${(at += 1).toString(16)}`), 1_000)).toBe(30);
    clock.advance(300_000);
    expect(countOf(() => own.admitsFailure("sign-in", "192.0.2.1"), 10)).toBe(1);
  });

  it("are less than a megabyte per day, from however many addresses", () => {
    const { limits: own, clock } = limits();
    let [admitted, at] = [0, 0];
    for (let minute = 0; minute < 24 * 60; minute++) {
      admitted += countOf(() => own.admitsFailure("sign-in", `10.${at >> 16}.${(at >> 8) & 255}.${at++ & 255}`), 20);
      clock.advance(60_000);
    }
    expect(admitted * 600).toBeLessThan(1024 * 1024);
  });

  it("are limited by user, and counted beyond", async () => {
    const { limits: own, metrics } = limits();
    expect(countOf(() => own.admitsRefusal("scale", "eve@example.com"), 1_000)).toBe(300);
    expect(own.admitsRefusal("scale", "ada@example.com")).toBe(true);
    own.countAnonymous("sign-out");
    const text = await metrics.text();
    expect(text).toContain('butler_audit_unrecorded_total{action="scale",reason="limit"} 700');
    expect(text).toContain('butler_audit_unrecorded_total{action="sign-out",reason="no-session"} 1');
  });
});
