// @vitest-environment happy-dom
import {
  addMember,
  changeMember,
  createEnvironment,
  deleteEnvironment,
  listGroups,
  listMembers,
  removeGroup,
  removeMember,
  updateEnvironment,
  updateTeam,
} from "@butler/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { AnsweredProblem, closeConsoles, openConsole } from "../../testing/open-console.tsx";
import { exampleAdmin, exampleCluster, exampleTeam, teamAnswers } from "../../testing/team-examples.ts";

closeConsoles();

const ada = exampleAdmin;
const eve = {
  email: "eve@example.com",
  name: "<img src=x onerror=alert(1)>",
  role: "operator",
  source: "elevated",
  directRole: "operator",
  groupRole: "viewer",
  groupName: "devs",
  canRemove: true,
};
const members = { route: listMembers, answer: () => ({ members: [ada, eve], total: 2, groups: [] }) };
const clusters = [
  {
    channel: "clusters" as const,
    team: "payments",
    items: [exampleCluster("a", { environment: "dev", owner: "ada@example.com" })],
  },
];

describe("members", () => {
  it("adds a member after rejecting an invalid email address", async () => {
    const user = userEvent.setup();
    const answers = [
      ...teamAnswers("admin"),
      members,
      {
        route: addMember,
        answer: () => ({ member: { ...ada, email: "bob@example.com", role: "operator" }, retainsAccess: false }),
      },
    ];
    const { sent } = openConsole({ address: "/t/payments/members", answers });
    await user.click(await screen.findByRole("button", { name: "Add member" }));
    const dialog = within(screen.getByRole("dialog"));
    await user.type(dialog.getByLabelText("Email address"), "bob");
    await user.selectOptions(dialog.getByLabelText("Role"), "operator");
    await user.click(dialog.getByRole("button", { name: "Add" }));
    expect(dialog.getByText("Must be a valid email address.")).toBeTruthy();
    await user.type(dialog.getByLabelText("Email address"), "@example.com");
    await user.click(dialog.getByRole("button", { name: "Add" }));
    expect(await screen.findByText("bob@example.com is now Operator")).toBeTruthy();
    expect(sent.filter(({ route }) => route === addMember.id).map(({ body }) => body)).toEqual([
      { email: "bob@example.com", role: "operator" },
    ]);
    expect(sent.filter(({ route }) => route === listMembers.id)).toHaveLength(2);
  });

  it("shows the remaining group role before removal, and shows a rejection in the dialog", async () => {
    const user = userEvent.setup();
    const refuse = () => {
      throw new AnsweredProblem("CONFLICT", "the last admin stays");
    };
    const answers = [...teamAnswers("admin"), members, { route: removeMember, answer: refuse }];
    openConsole({ address: "/t/payments/members", answers });
    await user.click(await screen.findByRole("button", { name: "Change eve@example.com" }));
    await user.click(await screen.findByRole("menuitem", { name: /Remove direct role/ }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText(/group devs still grants the Viewer role/)).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Remove" }));
    expect(await dialog.findByText(/The last admin stays/)).toBeTruthy();
    expect(document.querySelector("img")).toBeNull();
  });

  it("changes roles immediately, but asks for confirmation before users revoke their own admin role", async () => {
    const user = userEvent.setup();
    const answers = [
      ...teamAnswers("admin"),
      members,
      { route: changeMember, answer: () => ({ member: { ...eve, role: "admin" }, retainsAccess: true }) },
    ];
    const { sent } = openConsole({ address: "/t/payments/members", answers });
    await user.click(await screen.findByRole("button", { name: "Change eve@example.com" }));
    await user.click(await screen.findByRole("menuitem", { name: /^Admin/ }));
    await waitFor(() => expect(sent.some(({ route }) => route === changeMember.id)).toBe(true));
    await user.click(screen.getByRole("button", { name: "Change ada@example.com" }));
    await user.click(await screen.findByRole("menuitem", { name: /^Viewer/ }));
    expect(await screen.findByText("Change your role to Viewer?")).toBeTruthy();
    expect(sent.filter(({ route }) => route === changeMember.id)).toHaveLength(1);
  });

  it("adds a direct role for a member through a group", async () => {
    const user = userEvent.setup();
    const { directRole: _none, ...bob } = { ...eve, email: "bob@example.com", source: "group", role: "viewer" };
    const { sent } = openConsole({
      address: "/t/payments/members",
      answers: [
        ...teamAnswers("admin"),
        { route: listMembers, answer: () => ({ members: [bob], total: 1, groups: [] }) },
        { route: addMember, answer: () => ({ member: { ...bob, role: "operator" }, retainsAccess: true }) },
      ],
    });
    await user.click(await screen.findByRole("button", { name: "Change bob@example.com" }));
    expect((await screen.findByRole("menuitem", { name: /Remove/ })).getAttribute("aria-disabled")).toBe("true");
    await user.click(screen.getByRole("menuitem", { name: /^Operator/ }));
    expect(await screen.findByText("bob@example.com is now Operator")).toBeTruthy();
    expect(sent.find(({ route }) => route === addMember.id)?.body).toEqual({
      email: "bob@example.com",
      role: "operator",
    });
  });

  it("offers viewers no actions, and shows the required role", async () => {
    openConsole({ address: "/t/payments/members?q=eve", answers: [...teamAnswers("viewer"), members] });
    expect(await screen.findByText("1 of 2")).toBeTruthy();
    expect(screen.getByText(/requires the team admin role/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Add member" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Change eve@example.com" })).toBeNull();
  });

  it("sends the identity provider of the removed group", async () => {
    const user = userEvent.setup();
    const group = { name: "devs", role: "viewer", identityProvider: "okta" };
    const answers = [
      ...teamAnswers("admin"),
      { route: listGroups, answer: () => ({ groups: [group], total: 1 }) },
      { route: removeGroup, answer: () => ({ groups: [], total: 0 }) },
    ];
    const { sent } = openConsole({ address: "/t/payments/members/groups", answers });
    await user.click(await screen.findByRole("button", { name: "Change devs" }));
    await user.click(await screen.findByRole("menuitem", { name: /Remove group/ }));
    await user.click(await screen.findByRole("button", { name: "Remove group" }));
    expect(await screen.findByText("Group removed")).toBeTruthy();
    expect(sent.find(({ route }) => route === removeGroup.id)?.query).toEqual({ idp: "okta" });
  });
});

describe("environments", () => {
  it("are created after client-side validation", async () => {
    const user = userEvent.setup();
    const answers = [
      ...teamAnswers("admin"),
      { route: createEnvironment, answer: () => ({ name: "qa", clusterCount: 0 }) },
    ];
    const { sent, router } = openConsole({ address: "/t/payments/environments?open=make", answers, live: clusters });
    const dialog = within(await screen.findByRole("dialog"));
    await user.type(dialog.getByLabelText("Name"), "dev");
    await user.click(dialog.getByRole("button", { name: "Create environment" }));
    expect(dialog.getByText("An environment with this name already exists.")).toBeTruthy();
    await user.clear(dialog.getByLabelText("Name"));
    await user.type(dialog.getByLabelText("Name"), "qa");
    await user.type(dialog.getByLabelText("Cluster limit"), "2");
    await user.click(dialog.getByRole("button", { name: "Add user" }));
    await user.type(dialog.getByRole("textbox", { name: "Email" }), "bob@example.com");
    await user.click(dialog.getByRole("button", { name: "Create environment" }));
    expect(await screen.findByText("Environment qa created")).toBeTruthy();
    expect(sent.find(({ route }) => route === createEnvironment.id)?.body).toEqual({
      name: "qa",
      limits: { maxClusters: 2 },
      access: { users: [{ name: "bob@example.com", role: "operator" }] },
    });
    await waitFor(() => expect(router.state.location.search).toEqual({}));
  });

  it("send only changes", async () => {
    const user = userEvent.setup();
    const answers = [
      ...teamAnswers("admin"),
      { route: updateEnvironment, answer: () => ({ name: "dev", clusterCount: 1 }) },
    ];
    const { sent } = openConsole({ address: "/t/payments/environments?edit=dev", answers, live: clusters });
    const dialog = within(await screen.findByRole("dialog"));
    await user.clear(dialog.getByLabelText("Cluster limit"));
    await user.click(dialog.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(sent.find(({ route }) => route === updateEnvironment.id)?.body).toEqual({
        limits: { maxClustersPerMember: 1 },
      }),
    );
  });

  it("are deleted only if empty and the name is typed", async () => {
    const user = userEvent.setup();
    const answers = [...teamAnswers("admin"), { route: deleteEnvironment, answer: () => ({ message: "gone" }) }];
    const { sent } = openConsole({ address: "/t/payments/environments", answers, live: clusters });
    expect((await screen.findByRole<HTMLButtonElement>("button", { name: "Delete dev" })).disabled).toBe(true);
    await user.click(screen.getByRole("button", { name: "Delete prod" }));
    const dialog = within(screen.getByRole("dialog"));
    const sure = dialog.getByRole<HTMLButtonElement>("button", { name: "Delete environment" });
    expect(sure.disabled).toBe(true);
    await user.type(dialog.getByLabelText("Type prod to confirm"), "prod");
    await user.click(sure);
    expect(await screen.findByText("Environment prod deleted")).toBeTruthy();
    expect(sent.find(({ route }) => route === deleteEnvironment.id)?.path).toBe(
      "/api/teams/payments/environments/prod",
    );
  });
});

describe("the team", () => {
  it("shows an overview", async () => {
    const news = {
      channel: "notifications" as const,
      team: "payments",
      items: [{ id: "1", title: "a is ready", message: "", severity: "success", timestamp: "2026-06-01T12:00:00Z" }],
    };
    openConsole({ address: "/t/payments", answers: teamAnswers("viewer"), live: [...clusters, news] });
    expect(await screen.findByRole("heading", { name: "Payments" })).toBeTruthy();
    expect(await screen.findByText("2, 40%")).toBeTruthy();
    expect(screen.getByText("1 of 3 clusters")).toBeTruthy();
    expect(screen.getAllByText("a is ready").length).toBeGreaterThan(0);
  });

  it("shows usage by environment and member", async () => {
    openConsole({ address: "/t/payments/usage", answers: teamAnswers("viewer"), live: clusters });
    const environments = within(await screen.findByRole("grid", { name: "Usage by environment" }));
    expect(environments.getByText("1 of 3")).toBeTruthy();
    const owners = within(screen.getByRole("grid", { name: "Usage by member" }));
    expect(owners.getByText("ada@example.com")).toBeTruthy();
    expect(owners.getByText("1 of 1")).toBeTruthy();
  });

  it("saves settings with the resourceVersion that was read", async () => {
    const user = userEvent.setup();
    const answers = [
      ...teamAnswers("admin"),
      { route: updateTeam, answer: () => ({ ...exampleTeam, displayName: "Pay" }) },
    ];
    const { sent } = openConsole({ address: "/t/payments/settings", answers });
    const name = await screen.findByLabelText("Display name");
    await user.clear(name);
    await user.type(name, "Pay");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Settings saved")).toBeTruthy();
    expect(sent.find(({ route }) => route === updateTeam.id)?.body).toEqual({
      displayName: "Pay",
      resourceVersion: "7",
    });
  });
});
