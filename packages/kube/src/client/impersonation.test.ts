import { describe, expect, it } from "vitest";
import { impersonating, impersonationHeaders, type Requests } from "./impersonation.ts";
import type { ApiRequest } from "./transport.ts";

const ada = { user: "ada@example.com", groups: ["butler:users", "butler:team:payments:admin"] };

describe("impersonation", () => {
  it("is sent in headers, one per group", () => {
    expect(impersonationHeaders(undefined)).toEqual({});
    expect(impersonationHeaders(ada)).toEqual({ "Impersonate-User": ada.user, "Impersonate-Group": ada.groups });
    expect(impersonationHeaders({ user: "ada@example.com", groups: [] })).toEqual({ "Impersonate-User": ada.user });
  });

  it.each(["", "a b", "ada@example.com\r\nImpersonate-Group: system:masters", "ädä@example.com"])(
    "rejects the name %j",
    (name) => {
      expect(() => impersonationHeaders({ user: name, groups: [] })).toThrow(
        "cannot impersonate a name with spaces or non-ASCII characters",
      );
      expect(() => impersonationHeaders({ user: ada.user, groups: [name] })).toThrow(
        "cannot impersonate a name with spaces or non-ASCII characters",
      );
    },
  );

  it("is part of every request, and cannot be overridden", async () => {
    const seen: ApiRequest[] = [];
    const transport: Requests = {
      json: <T>(call: ApiRequest) => Promise.resolve(seen.push(call) as T),
      stream: (call) => Promise.reject(new Error(String(seen.push(call)))),
    };
    const asAda = impersonating(transport, ada);
    const other = { user: "root@example.com", groups: ["system:masters"] };
    await asAda.json({ method: "GET", path: "/", action: "read", impersonate: other });
    await expect(asAda.stream({ method: "GET", path: "/", action: "watch" })).rejects.toThrow("2");
    expect(seen.map(({ impersonate }) => impersonate)).toEqual([ada, ada]);
  });
});
