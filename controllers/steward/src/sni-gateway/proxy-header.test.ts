import { describe, expect, it } from "vitest";
import { proxyHeader } from "./proxy-header.ts";

const signature = "0d0a0d0a000d0a515549540a";
const from = (address: string) => ({ address, port: 0x1234 });
const to = (address: string) => ({ address, port: 6443 });

describe("the header of PROXY protocol", () => {
  it.each<[string, string, string, string]>([
    ["IPv4", "192.0.2.1", "198.51.100.7", "2111000cc0000201c63364071234192b"],
    ["IPv4 in IPv6 form", "::ffff:192.0.2.1", "::FFFF:198.51.100.7", "2111000cc0000201c63364071234192b"],
    [
      "IPv6",
      "2001:db8::1",
      "fe80::1%eth0",
      "2121002420010db8000000000000000000000001fe8000000000000000000000000000011234192b",
    ],
    ["a client that has disconnected", "", "198.51.100.7", "20000000"],
    ["two families", "192.0.2.1", "2001:db8::1", "20000000"],
  ])("names both ends: %s", (_name, source, destination, expected) => {
    expect(proxyHeader(from(source), to(destination)).toString("hex")).toBe(signature + expected);
  });
});
