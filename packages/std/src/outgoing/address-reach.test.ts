import { formatIpAddress } from "../ip-address.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWithin, type Reach, reachOf, widerOf } from "./address-reach.ts";

describe("the reach of an address", () => {
  it.each<[string, Reach]>([
    ["127.0.0.1", "loopback"],
    ["127.255.1.2", "loopback"],
    ["::1", "loopback"],
    ["[::1]", "loopback"],
    ["::ffff:127.0.0.1", "loopback"],
    ["64:ff9b::127.0.0.1", "loopback"],
    ["2002:7f00:1::", "loopback"],
    ["10.1.2.3", "private"],
    ["172.31.0.1", "private"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "private"],
    ["fd12::1", "private"],
    ["::ffff:10.0.0.1", "private"],
    ["64:ff9b::a00:1", "private"],
    ["169.254.169.254", "forbidden"],
    ["::ffff:169.254.169.254", "forbidden"],
    ["64:ff9b::169.254.169.254", "forbidden"],
    ["2002:a9fe:a9fe::1", "forbidden"],
    ["fe80::1", "forbidden"],
    ["fd00:ec2::254", "forbidden"],
    ["100.100.100.200", "forbidden"],
    ["0.0.0.0", "forbidden"],
    ["::", "forbidden"],
    ["255.255.255.255", "forbidden"],
    ["224.0.0.1", "forbidden"],
    ["64:ff9b:1::1", "forbidden"],
    ["172.32.0.1", "public"],
    ["8.8.8.8", "public"],
    ["2606:4700::1111", "public"],
    ["64:ff9b::8.8.8.8", "public"],
    ["charts.example.com", "forbidden"],
    ["", "forbidden"],
  ])("of %s is %s", (address, reach) => expect(reachOf(address)).toBe(reach));

  it("is the same for IPv4 however it is carried", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 0xffff_ffffn), (value) => {
        const plain = formatIpAddress({ family: 4, value });
        const reach = reachOf(plain);
        expect(reachOf(`::ffff:${plain}`)).toBe(reach);
        expect(reachOf(`64:ff9b::${plain}`)).toBe(reach);
      }),
    );
  });

  it("never lets a wider one send to a narrower one", () => {
    const all: readonly Reach[] = ["forbidden", "loopback", "private", "public"];
    const allowed = all.map((floor) => all.filter((reach) => isWithin(reach, floor)));
    expect(allowed).toEqual([
      ["loopback", "private", "public"],
      ["loopback", "private", "public"],
      ["private", "public"],
      ["public"],
    ]);
    expect(widerOf("loopback", "private")).toBe("private");
  });
});
