import { describe, expect, it } from "vitest";
import { isAddressAllowed, requireAllowedUrl } from "./outgoing.ts";

describe("outgoing connections of the server", () => {
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
  ])("are not made to %s", (address) => {
    expect(() => requireAllowedUrl(new URL(address))).toThrow(/must use https|does not connect to this address/);
  });

  it("are made to loopback only if allowed, and never to link-local addresses", () => {
    requireAllowedUrl(new URL("https://login.example.com/realm"));
    requireAllowedUrl(new URL("http://127.0.0.1:8080"), { allowLoopback: true });
    expect(() => requireAllowedUrl(new URL("http://169.254.169.254"), { allowLoopback: true })).toThrow(
      "does not connect to this address",
    );
  });
});
