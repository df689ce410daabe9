// @vitest-environment happy-dom
import {
  changePassword,
  endCliLogin,
  endOtherSessions,
  endOwnSession,
  listCliLogins,
  listOwnSessions,
} from "@butler/contract";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, it } from "vitest";
import { AnsweredProblem, closeConsoles, openConsole } from "../../testing/open-console.tsx";
import { teamAnswers } from "../../testing/team-examples.ts";

closeConsoles();

const moments = {
  createdAt: "2026-06-01T12:00:00Z",
  usedAt: "2026-06-01T13:00:00Z",
  expiresAt: "2026-06-08T12:00:00Z",
};
const session = { method: "password", sourceAddress: "192.0.2.7", ...moments };
const current = {
  ...session,
  id: "a".repeat(32),
  isCurrent: true,
  userAgent: "Mozilla/5.0 (X11; Linux) Firefox/130.0",
};
const other = { ...session, id: "b".repeat(32), isCurrent: false, userAgent: "<b>bold</b>" };
const sessions = { route: listOwnSessions, answer: () => ({ sessions: [current, other], total: 2 }) };

it("ends one session, and all others after confirmation", async () => {
  const user = userEvent.setup();
  const ended = { ended: 1 };
  const answers = [
    ...teamAnswers("viewer"),
    sessions,
    { route: endOwnSession, answer: () => ended },
    { route: endOtherSessions, answer: () => ended },
  ];
  const { sent } = openConsole({ address: "/account", answers });
  expect(await screen.findByText("Firefox on Linux")).toBeTruthy();
  expect(screen.getAllByRole("button", { name: /^End session in/ })).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "End session in <b>bold</b>" }));
  expect(await screen.findByText("Session ended")).toBeTruthy();
  expect(sent.find(({ route }) => route === endOwnSession.id)?.path).toBe(`/api/auth/sessions/${other.id}`);
  await user.click(screen.getByRole("button", { name: "End all other sessions…" }));
  await user.click(await screen.findByRole("button", { name: "End sessions" }));
  expect(await screen.findByText("1 session ended")).toBeTruthy();
});

it("ends a CLI session", async () => {
  const user = userEvent.setup();
  const login = {
    id: "login-1",
    clientName: "butlerctl on laptop",
    sourceAddress: "192.0.2.7",
    isCurrent: false,
    createdAt: moments.createdAt,
    lastUsedAt: moments.usedAt,
    expiresAt: moments.expiresAt,
  };
  const left = [login];
  const answers = [
    ...teamAnswers("viewer"),
    { route: listCliLogins, answer: () => ({ logins: left }) },
    { route: endCliLogin, answer: () => void left.pop() },
  ];
  openConsole({ address: "/account/command-lines", answers });
  await user.click(await screen.findByRole("button", { name: "Sign out butlerctl on laptop" }));
  expect(await screen.findByText("No CLI sessions")).toBeTruthy();
});

it("changes the password, and keeps the input when the server rejects it", async () => {
  const user = userEvent.setup();
  let tries = 0;
  const answer = () => {
    tries++;
    if (tries === 1) throw new AnsweredProblem("FORBIDDEN", "that is not your password");
    return { ended: 1 };
  };
  const { sent } = openConsole({
    address: "/account/password",
    answers: [...teamAnswers("viewer"), sessions, { route: changePassword, answer }],
  });
  await user.type(await screen.findByLabelText("Current password"), "the old one");
  await user.type(screen.getByLabelText("New password"), "correct horse battery 7");
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Change password" });
  expect(button.disabled).toBe(true);
  await user.type(screen.getByLabelText("Confirm password"), "correct horse battery 7");
  await user.click(button);
  expect(await screen.findByText(/That is not your password/)).toBeTruthy();
  await user.click(button);
  expect(await screen.findByText("Password changed")).toBeTruthy();
  expect(sent.at(-2)?.body ?? sent.at(-1)?.body).toEqual({
    currentPassword: "the old one",
    newPassword: "correct horse battery 7",
  });
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("New password").value).toBe(""));
});
