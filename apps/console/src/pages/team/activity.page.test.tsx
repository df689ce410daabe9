// @vitest-environment happy-dom
import { auditEntry, listTeamAudit } from "@butler/contract";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { exampleOf } from "../../testing/example-of.ts";
import { closeConsoles, openConsole } from "../../testing/open-console.tsx";
import { teamAnswers } from "../../testing/team-examples.ts";

closeConsoles();

describe("activity", () => {
  const entry = (id: string) => exampleOf(auditEntry, { id, requestId: `request-${id}`, user: `${id}@example.com` });

  it("searches from the URL, shows older records and record details", async () => {
    const user = userEvent.setup();
    const answer = ({ query }: { readonly query: Readonly<Record<string, string>> }) =>
      query["cursor"] === undefined ? { entries: [entry("ada")], nextCursor: "next" } : { entries: [entry("bob")] };
    const { sent, router } = openConsole({
      address: "/t/payments/activity?outcome=failure",
      answers: [...teamAnswers("admin"), { route: listTeamAudit, answer }],
    });
    await user.click(await screen.findByRole("button", { name: "Show older records" }));
    await user.click(await screen.findByText("bob@example.com"));
    expect(await screen.findByText("request-bob")).toBeTruthy();
    await user.keyboard("{Escape}");
    await user.type(screen.getByLabelText("Keywords"), "shop{Enter}");
    await waitFor(() => expect(router.state.location.search).toEqual({ q: "shop", outcome: "failure" }));
    await waitFor(() =>
      expect(sent.filter(({ route }) => route === listTeamAudit.id).map(({ query }) => query)).toEqual([
        { success: "false", limit: "100" },
        { success: "false", limit: "100", cursor: "next" },
        { search: "shop", success: "false", limit: "100" },
      ]),
    );
  });

  it("is not requested without permission", async () => {
    const answers = [...teamAnswers("operator"), { route: listTeamAudit, answer: () => ({ entries: [] }) }];
    const { sent } = openConsole({ address: "/t/payments/activity", answers });
    expect(await screen.findByText("Permission denied")).toBeTruthy();
    expect(sent.some(({ route }) => route === listTeamAudit.id)).toBe(false);
    expect(screen.queryByRole("link", { name: "Activity" })).toBeNull();
  });
});
