import { createAuthority, readCertificate } from "@butler/pki";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { preparePki } from "./pki.ts";

const further = {
  "kube-controller-manager": { commonName: "system:kube-controller-manager", usages: ["client"] },
  kubelet: { commonName: "system:node:a", organizations: ["system:nodes"], usages: ["client"] },
} as const;

async function contentsOf(directory: string): Promise<Record<string, string>> {
  const names = await readdir(directory);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name), "utf8")] as const)),
  );
}

/** The files that differ. */
function changes(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(after).filter((name) => after[name] !== before[name]);
}

describe("preparePki", () => {
  it("changes nothing on the second call", async () => {
    const directory = await temporaryDirectory();
    const first = await preparePki(directory, { further });
    const before = await contentsOf(directory);
    expect(await preparePki(directory, { further })).toEqual(first);
    expect(changes(before, await contentsOf(directory))).toEqual([]);
    expect(readCertificate(first.controllerManager.cert).usages).toEqual(["client"]);
  });

  it("reissues only certificates whose purpose has changed", async () => {
    const directory = await temporaryDirectory();
    await preparePki(directory, { further, apiServerAddresses: ["192.0.2.1"] });
    const before = await contentsOf(directory);
    const kubelet = { ...further.kubelet, commonName: "system:node:b" };
    await preparePki(directory, { further: { ...further, kubelet }, apiServerAddresses: ["192.0.2.2"] });
    const changed = changes(before, await contentsOf(directory));
    expect(changed.toSorted()).toEqual(["kube-apiserver.crt", "kube-apiserver.key", "kubelet.crt", "kubelet.key"]);
  });

  it("replaces certificates that are damaged or signed by a CA that no longer exists", async () => {
    const directory = await temporaryDirectory();
    await preparePki(directory);
    const other = await createAuthority("butler-etcd-ca");
    await writeFile(join(directory, "admin.key"), "rubbish");
    await writeFile(join(directory, "etcd-ca.crt"), other.cert);
    await writeFile(join(directory, "etcd-ca.key"), other.key);
    const before = await contentsOf(directory);
    await preparePki(directory);
    const changed = changes(before, await contentsOf(directory)).filter((name) => name.endsWith(".crt"));
    expect(changed.toSorted()).toEqual(["admin.crt", "etcd-client.crt", "etcd.crt"]);
  });
});
