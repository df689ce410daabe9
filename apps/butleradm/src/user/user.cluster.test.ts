import { readFile } from "node:fs/promises";
import { hashInvitationToken } from "@butler/administration";
import { Team, User } from "@butler/api";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { useHarness } from "../testing/harness.ts";

const harness = useHarness("butleradm-user");
const at = "--console-url https://butler.example.com";
const user = (name: string): Promise<User> => harness.cluster.client.get(User, { name });
const tokenIn = (stdout: string): string =>
  /^https:\/\/butler\.example\.com\/invite\/([\w-]{43})\n$/.exec(stdout)?.[1] ?? "";

describe("butleradm user", () => {
  it("requires the URL of the console before it creates an account", async () => {
    expect((await harness.run("user list")).stderr).toContain("No accounts found");
    const lost = await harness.run("user invite ada@example.com");
    expect(lost.code).not.toBe(0);
    expect(lost.stderr).toContain("Pass --console-url");
    expect((await harness.run("user list -o name")).stdout).toBe("");
    expect((await harness.run("user invite ada@example.com --console-url nowhere")).code).not.toBe(0);
    expect((await harness.run("user invite nobody")).code).toBe(2);
  });

  it("prints the invitation link once, and stores only its hash", async () => {
    const dry = await harness.run(`user invite ada@example.com --platform-role admin ${at} --dry-run`);
    expect((parse(dry.stdout) as User).spec).toMatchObject({ email: "ada@example.com", platformRole: "admin" });
    expect((await harness.run("user list -o name")).stdout).toBe("");
    const invited = await harness.run(`user invite Ada@Example.com --platform-role admin ${at}`);
    expect(invited.code).toBe(0);
    const token = tokenIn(invited.stdout);
    expect(token).not.toBe("");
    expect(invited.stderr).not.toContain(token);
    const made = await user("ada-example-com");
    expect(made.status?.inviteTokenHash).toBe(hashInvitationToken(token));
    expect(Date.parse(made.status?.inviteExpiresAt ?? "")).toBeGreaterThan(Date.now());
    const again = await harness.run(`user invite ADA@example.com ${at}`);
    expect(again.code).not.toBe(0);
    expect(again.stderr).toContain("Print a new link with: butleradm user reset ada-example-com");
  });

  it("uses the public URL of butler-server", async () => {
    const container = { name: "butler", image: "butler", args: ["server", "--public-url=https://butler.example.com/"] };
    const labels = { app: "butler-server" };
    await harness.create(
      builtinKinds.Deployment,
      { name: "butler-server", namespace: "butler-system" },
      {
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container] } },
        },
      },
    );
    const invited = await harness.run("user invite bob@example.com --name bob");
    expect(tokenIn(invited.stdout)).not.toBe("");
  });

  it("lists and shows accounts without credentials", async () => {
    await harness.create(
      Team,
      { name: "payments" },
      { spec: { access: { users: [{ name: "bob@example.com", role: "operator" }] } } },
    );
    const { stdout } = await harness.run("user list");
    expect(stdout).toMatch(/^bob +bob@example\.com +Pending +password +- +never /m);
    const shown = (await harness.run("user get BOB@example.com")).stdout;
    expect(shown).toMatch(/^Teams: +payments \(operator\)$/m);
    const hash = (await user("bob")).status?.inviteTokenHash ?? "?";
    for (const line of ["user list -o json", "user get bob -o yaml", "user list -o wide"]) {
      expect((await harness.run(line)).stdout).not.toContain(hash);
    }
    expect((await harness.run("user get nobody")).stderr).toContain("account nobody not found");
  });

  it("prints a new link, and invalidates the old one", async () => {
    const before = (await user("bob")).status?.inviteTokenHash;
    const reset = await harness.run("user reset bob@example.com");
    const hash = (await user("bob")).status?.inviteTokenHash;
    expect(hash).toBe(hashInvitationToken(tokenIn(reset.stdout)));
    expect(hash).not.toBe(before);
    const spec = { email: "sso@example.com", authType: "sso", ssoProvider: "company" };
    await harness.create(User, { name: "sso" }, { spec });
    expect((await harness.run("user reset sso")).stderr).toContain("sso signs in through company");
  });

  it("disables and enables accounts, except the last administrator", async () => {
    for (const line of ["user disable ada-example-com", "user set-platform-role ada-example-com none"]) {
      const refused = await harness.run(line);
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toContain("is the last platform administrator");
    }
    expect((await harness.run("user delete ada-example-com --yes")).stderr).toContain("last platform administrator");
    expect((await harness.run("user set-platform-role bob admin --dry-run")).code).toBe(0);
    expect((await user("bob")).spec.platformRole).toBeUndefined();
    expect((await harness.run("user set-platform-role bob admin")).stderr).toContain("changed from none to admin");
    expect((await harness.run("user disable ada@example.com")).code).toBe(0);
    expect((await user("ada-example-com")).spec.disabled).toBe(true);
    expect((await harness.run("user disable ada@example.com")).stderr).toContain("already");
    expect((await harness.run("user reset ada@example.com")).stderr).toContain("The account is disabled");
    expect((await harness.run("user enable ada@example.com")).code).toBe(0);
    expect((await user("ada-example-com")).spec.disabled).toBe(false);
    expect((await harness.run("user set-platform-role bob king")).code).toBe(2);
  });

  it("creates no account without permission to store the invitation", async () => {
    const { ServiceAccount, ClusterRole, ClusterRoleBinding } = builtinKinds;
    const key = { name: "helper", namespace: "butler-system" };
    await harness.create(ServiceAccount, key, {});
    const resources = { apiGroups: [User.group], resources: ["users"], verbs: ["get", "list", "create"] };
    await harness.create(ClusterRole, { name: "helper" }, { rules: [resources] });
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "helper" };
    const subjects = [{ kind: "ServiceAccount", ...key }];
    await harness.create(ClusterRoleBinding, { name: "helper" }, { roleRef, subjects });
    const wish = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata: key, spec: {} };
    const issued: DynamicObject = await harness.cluster.client.create(ServiceAccount, wish, { subresource: "token" });
    const { token } = issued["status"] as { token: string };
    const config = parse(await readFile(harness.cluster.controlPlane.kubeconfigPath, "utf8")) as {
      users: { name: string; user: object }[];
    };
    const users = config.users.map(({ name }) => ({ name, user: { token } }));
    const kubeconfig = await harness.write("helper.yaml", stringify({ ...config, users }));
    expect((await harness.run("user list -o name", { kubeconfig })).stdout).toContain("user/bob");
    const lost = await harness.run("user invite carol@example.com", { kubeconfig });
    expect(lost.stderr).toContain("Pass --console-url");
    const refused = await harness.run(`user invite carol@example.com ${at}`, { kubeconfig });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("you don't have permission to store invitations");
    expect((await harness.run("user list -o name")).stdout).not.toContain("carol");
  });

  it("deletes accounts, and reports the teams that still reference them", async () => {
    expect((await harness.run("user delete bob")).code).toBe(2);
    const deleted = await harness.run("user delete bob --yes");
    expect(deleted.stderr).toContain("The account bob was deleted.");
    expect(deleted.stderr).toContain("Teams still reference bob@example.com: payments.");
    expect((await harness.run("user list -o name")).stdout).toBe("user/ada-example-com\nuser/sso\n");
  });
});
