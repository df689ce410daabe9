// @vitest-environment happy-dom
import { approveDevice, denyDevice, getMe, showDevice } from "@butler/contract";
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { closeConsoles, openConsole } from "../../testing/open-console.tsx";

closeConsoles();

const request = {
  clientName: "laptop",
  sourceAddress: "198.51.100.7",
  requestedAt: "2026-06-01T12:00:00Z",
  expiresAt: "2026-06-01T12:10:00Z",
  state: "pending",
  grants: ["payments: operator"],
};
const me = { email: "ada@example.com", name: "Ada", teams: [], isPlatformAdmin: false };

function openDevicePage(search: string) {
  return openConsole({
    address: `/auth/device${search}`,
    answers: [
      { route: getMe, answer: () => me },
      { route: showDevice, answer: () => request },
      { route: approveDevice, answer: () => ({ ...request, state: "approved" }) },
      { route: denyDevice, answer: () => ({ ...request, state: "denied" }) },
    ],
  });
}

describe("the page that authorizes a CLI", () => {
  it("does not approve a code from a link before the user typed the code", async () => {
    const { sent } = openDevicePage("?user_code=BCDF-GHJK");
    await screen.findByText("198.51.100.7");
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
    // Nor does the page show the code to copy.
    expect(screen.queryByText("BCDF-GHJK")).toBeNull();
    await userEvent.type(screen.getByLabelText(/^Code/), "bcdfghjk");
    await userEvent.click(screen.getByRole("button", { name: "Continue" }));
    await userEvent.click(await screen.findByRole("button", { name: "Approve" }));
    await screen.findByText("CLI signed in");
    expect(sent.find(({ route }) => route === approveDevice.id)?.body).toEqual({ user_code: "BCDFGHJK" });
  });

  it("denies a code from a link with one click", async () => {
    const { sent } = openDevicePage("?user_code=BCDF-GHJK");
    await userEvent.click(await screen.findByRole("button", { name: "Deny" }));
    await screen.findByText("Sign-in request denied");
    expect(sent.find(({ route }) => route === denyDevice.id)?.body).toEqual({ user_code: "BCDF-GHJK" });
  });

  it("asks for the code without a link", async () => {
    const { sent } = openDevicePage("");
    await userEvent.type(await screen.findByLabelText(/^Code/), "BCDF-GHJK");
    await userEvent.click(screen.getByRole("button", { name: "Continue" }));
    await screen.findByRole("button", { name: "Approve" });
    expect(sent.find(({ route }) => route === showDevice.id)?.query).toEqual({ user_code: "BCDF-GHJK" });
  });
});
