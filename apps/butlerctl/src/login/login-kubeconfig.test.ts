import { expect, it } from "vitest";
import { parse } from "yaml";
import { mergeKubeconfig } from "../cluster/kubeconfig-file.ts";
import { loginEntries, loginKubeconfig, withoutLogin } from "./login-kubeconfig.ts";

const login = {
  server: "https://butler.example.com",
  email: "ada@example.com",
  accessToken: "secret-access",
  expiresAt: "2026-01-01T00:00:00Z",
  refreshToken: "secret-refresh",
  refreshExpiresAt: "2026-01-08T00:00:00Z",
  kubernetes: { server: "https://10.0.0.1:6443", certificateAuthority: "pem", token: "secret-token" },
};
const other = `apiVersion: v1
kind: Config
# mine
clusters:
  - name: lab
    cluster: { server: https://lab }
users: [{ name: lab, user: { token: x } }]
contexts:
  - name: lab
    context: { cluster: lab, user: lab }
current-context: lab
`;
const merge = (existing: string) =>
  mergeKubeconfig(existing, { added: loginKubeconfig(login), names: loginEntries, isCurrent: true });

it("a kubeconfig gets tokens from butlerctl and contains none", () => {
  const text = loginKubeconfig(login);
  expect(text).not.toContain("secret");
  expect(parse(text)).toMatchObject({
    users: [{ user: { exec: { command: "butlerctl", args: ["credential", "--server", login.server] } } }],
  });
});

it("signing out removes exactly what the sign-in added", () => {
  const merged = merge(other);
  expect(parse(merged)).toMatchObject({ "current-context": "butler" });
  const left = withoutLogin(merged, login.server) ?? "";
  const { "current-context": current, ...rest } = parse(left) as Record<string, unknown>;
  const { "current-context": _lab, ...before } = parse(other) as Record<string, unknown>;
  expect(rest).toEqual(before);
  expect(current).toBe("");
  expect(left).toContain("# mine");
});

it.each([
  ["of another server", merge(other), "https://elsewhere"],
  ["that the user created", other.replaceAll("lab", "butler"), login.server],
])("keeps a context %s", (_which, text, server) => expect(withoutLogin(text, server)).toBeUndefined());
