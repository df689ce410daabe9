import { describe, expect, it } from "vitest";
import { findChecksum } from "./checksum-file.ts";

const [one, two] = ["1".repeat(64), "a".repeat(64)];

describe("findChecksum", () => {
  it.each([
    ["a bare sum", one, "kubectl", one],
    ["a bare sum with a line end", `${one}\n`, "kubectl", one],
    ["capital digits", two.toUpperCase(), "kubectl", two],
    ["a list", `${one}  etcd-a.tar.gz\n${two}  etcd-b.tar.gz\n`, "etcd-b.tar.gz", two],
    ["binary marks", `${one} *etcd-a.tar.gz\n`, "etcd-a.tar.gz", one],
    ["names with a path", `${one}  ./release/etcd-a.tar.gz\r\n`, "etcd-a.tar.gz", one],
    ["another file's sum", `${one}  etcd-a.tar.gz\n`, "etcd-b.tar.gz", undefined],
    ["a name that only ends alike", `${one}  my-etcd.tar.gz\n`, "etcd.tar.gz", undefined],
    ["several bare sums", `${one}\n${two}\n`, "kubectl", undefined],
    ["a page instead of a sum", "<html>404</html>", "kubectl", undefined],
    ["nothing", "", "kubectl", undefined],
  ])("reads %s", (_what, text, fileName, expected) => {
    expect(findChecksum(text, fileName)).toBe(expected);
  });
});
