import { describe, expect, it } from "vitest";
import { packageFolders, renderNotices } from "./notices.ts";

describe("packageFolders", () => {
  it.each([
    [["node_modules/yaml/dist/a.js", "node_modules/yaml/dist/b.js"], ["node_modules/yaml"]],
    [["node_modules/@scope/name/a.js"], ["node_modules/@scope/name"]],
    [["node_modules/a/node_modules/@s/b/c/d.js"], ["node_modules/a/node_modules/@s/b"]],
    [["packages/std/src/json.ts"], []],
    [["../elsewhere/node_modules/a/b.js"], ["../elsewhere/node_modules/a"]],
  ])("finds the packages of %j", (inputs, folders) => {
    expect(packageFolders(inputs)).toEqual(folders);
  });
});

describe("renderNotices", () => {
  it("lists each text once with all packages it covers, and names the license of packages without a text", () => {
    const shared = { version: "1.0.0", license: "MIT", text: "Do what you like." };
    const notices = renderNotices([
      { name: "a", ...shared },
      { name: "b", version: "2.0.0", license: "ISC", text: "" },
      { name: "c", ...shared },
    ]);
    expect(notices).toContain("a 1.0.0 (MIT)\nc 1.0.0 (MIT)\n\nDo what you like.\n");
    expect(notices.split("Do what you like.")).toHaveLength(2);
    expect(notices).toContain("b 2.0.0 (ISC)\n\nLicence: ISC\n");
  });
});
