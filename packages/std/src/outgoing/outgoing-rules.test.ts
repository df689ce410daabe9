import { describe, expect, it } from "vitest";
import { isOutgoingAllowed } from "./outgoing-rules.ts";

const facts = {
  allowed: [],
  clusterNetworks: ["10.96.0.0/12", "10.244.0.0/16", "fd00:10:244::/56"],
};

describe("connections because of settings that others wrote", () => {
  // The result of name resolution: the forms that URLs allow are in outgoing-fetch.test.ts.
  it.each<[string, boolean]>([
    ["93.184.216.34", true],
    ["2606:4700::1111", true],
    ["192.168.10.20", true],
    ["10.1.2.3", true],
    ["fd12::1", true],
    ["127.0.0.1", false],
    ["127.8.8.8", false],
    ["::1", false],
    ["::ffff:127.0.0.1", false],
    ["::127.0.0.1", false],
    ["64:ff9b::127.0.0.1", false],
    ["2002:7f00:1::", false],
    ["0.0.0.0", false],
    ["::", false],
    ["169.254.169.254", false],
    ["::ffff:169.254.169.254", false],
    ["64:ff9b::a9fe:a9fe", false],
    ["2002:a9fe:a9fe::1", false],
    ["fd00:ec2::254", false],
    ["100.100.100.200", false],
    ["fe80::1", false],
    ["224.0.0.1", false],
    ["ff02::1", false],
    ["255.255.255.255", false],
    ["10.96.0.1", false],
    ["10.111.255.255", false],
    ["10.112.0.0", true],
    ["10.244.3.7", false],
    ["::ffff:10.244.3.7", false],
    ["64:ff9b::10.96.0.1", false],
    ["fd00:10:244::7", false],
    ["no address", false],
    ["", false],
  ])("to %s: %s", (address, isAllowed) =>
    expect(isOutgoingAllowed({ host: "charts.example.com", address }, facts)).toBe(isAllowed),
  );

  it.each<[string, string, readonly string[], boolean]>([
    ["charts.example.com", "127.0.0.1", ["127.0.0.0/8"], true],
    ["charts.example.com", "::ffff:127.0.0.1", ["127.0.0.1"], true],
    ["charts.example.com", "127.0.0.1", ["127.0.0.2"], false],
    ["registry.platform.svc", "10.96.7.7", ["registry.platform.svc"], true],
    ["REGISTRY.platform.svc.", "10.96.7.7", ["registry.platform.svc"], true],
    ["other.platform.svc", "10.96.7.7", ["registry.platform.svc"], false],
    ["git.platform.svc", "10.96.7.7", [".platform.svc"], true],
    ["platform.svc", "10.96.7.7", [".platform.svc"], false],
    ["evilplatform.svc", "10.96.7.7", [".platform.svc"], false],
    ["charts.example.com", "10.96.7.7", ["10.96.7.0/24"], true],
    // Instances' credentials are there; no operator means that.
    ["metadata.example.com", "169.254.169.254", ["169.254.0.0/16", "metadata.example.com"], false],
    ["charts.example.com", "0.0.0.0", ["0.0.0.0/0"], false],
  ])("to %s at %s, with exceptions %j: %s", (host, address, allowed, isAllowed) =>
    expect(isOutgoingAllowed({ host, address }, { ...facts, allowed })).toBe(isAllowed),
  );
});
