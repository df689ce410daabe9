// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  Button,
  CommandPalette,
  DataTable,
  Dialog,
  ErrorState,
  Menu,
  TextField,
  ToastProvider,
  useToast,
} from "./index.ts";

afterEach(cleanup);

const rows = Array.from({ length: 5_000 }, (_none, index) => ({ name: `node-${index}` }));
const columns = [
  {
    id: "name",
    header: "Name",
    sortBy: (row: { name: string }) => row.name,
    cell: (row: { name: string }) => row.name,
  },
];

describe("DataTable", () => {
  it("renders few of thousands of rows, and moves and opens by keyboard", () => {
    vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
    vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(900);
    const opened: string[] = [];
    render(
      <DataTable
        label="Nodes"
        rows={rows}
        columns={columns}
        rowKey={({ name }) => name}
        sorting={{ column: "name", isDescending: true }}
        onSort={() => undefined}
        onOpen={({ name }) => opened.push(name)}
      />,
    );
    const grid = screen.getByRole("grid", { name: "Nodes" });
    expect(grid.getAttribute("aria-rowcount")).toBe("5001");
    const shown = screen.getAllByRole("row");
    expect(shown.length).toBeGreaterThan(10);
    expect(shown.length).toBeLessThan(60);
    expect(shown[1]?.textContent).toBe("node-4999");
    expect(screen.getByRole("columnheader").getAttribute("aria-sort")).toBe("descending");
    for (const key of ["j", "ArrowDown", "Enter"]) fireEvent.keyDown(grid, { key });
    expect(opened).toEqual(["node-4998"]);
    vi.restoreAllMocks();
  });

  it("shows the empty state without rows", () => {
    render(<DataTable label="Nodes" rows={[]} columns={columns} rowKey={({ name }) => name} empty={<p>None</p>} />);
    expect(screen.getByText("None")).toBeTruthy();
    expect(screen.queryByRole("grid")).toBeNull();
  });
});

describe("fields", () => {
  it("associate label, hint and error with the field", () => {
    render(<TextField label="Name" hint="In lower case." error="Too long." defaultValue="x" />);
    const field = screen.getByLabelText("Name");
    expect(field.getAttribute("aria-invalid")).toBe("true");
    const described = field.getAttribute("aria-describedby")?.split(" ") ?? [];
    expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual(["▲Too long.", "In lower case."]);
  });
});

describe("overlays", () => {
  it("a dialog has a name, takes focus and closes on Escape", async () => {
    const onClose = vi.fn();
    render(
      <Dialog isOpen onClose={onClose} title="Delete shop">
        <input aria-label="Its name" />
      </Dialog>,
    );
    expect(screen.getByRole("dialog", { name: "Delete shop" }).contains(document.activeElement)).toBe(true);
    await userEvent.keyboard("{Escape}");
    expect(onClose).toHaveBeenCalledOnce();
  });

  it("a menu opens by keyboard; disabled items show why and do nothing", async () => {
    const onSelect = vi.fn();
    const items = [
      { id: "a", label: "Scale", onSelect },
      { id: "b", label: "Delete", onSelect, refusal: "Requires the team admin role." },
    ];
    render(<Menu trigger={<Button>More</Button>} groups={[{ items }]} />);
    screen.getByRole("button", { name: "More" }).focus();
    await userEvent.keyboard("{Enter}");
    const refused = screen.getByRole("menuitem", { name: /Delete.*Requires the team admin role/ });
    expect(refused.getAttribute("aria-disabled")).toBe("true");
    await userEvent.click(screen.getByRole("menuitem", { name: "Scale" }));
    expect(onSelect).toHaveBeenCalledOnce();
  });

  it("the palette works by keyboard alone", async () => {
    const chosen: string[] = [];
    const entries = ["Overview", "Clusters"].map((label) => ({
      id: label,
      label,
      group: "Go to",
      onSelect: () => chosen.push(label),
    }));
    const onClose = vi.fn();
    render(<CommandPalette isOpen onClose={onClose} entries={entries} />);
    await userEvent.keyboard("{ArrowDown}{Enter}");
    expect(chosen).toEqual(["Clusters"]);
    expect(onClose).toHaveBeenCalledOnce();
  });

  it("a failure toast stays until it is closed", async () => {
    function Speaker() {
      const toast = useToast();
      return <Button onClick={() => toast({ kind: "failed", title: "It failed" })}>Go</Button>;
    }
    render(
      <ToastProvider>
        <Speaker />
      </ToastProvider>,
    );
    await userEvent.click(screen.getByRole("button", { name: "Go" }));
    expect(screen.getByRole("status").textContent).toContain("It failed");
    await userEvent.click(screen.getByRole("button", { name: "Close" }));
    expect(screen.getByRole("status").textContent).toBe("");
  });
});

describe("ErrorState", () => {
  it("shows code, message, remedy and retry button, all as text", async () => {
    const onRetry = vi.fn();
    const detail = "<b>no</b>";
    render(<ErrorState title="Refused" detail={detail} code="REFUSED" hint="Ask." requestId="r1" onRetry={onRetry} />);
    const alert = screen.getByRole("alert");
    for (const text of ["Refused", detail, "Ask.", "REFUSED · r1"]) expect(alert.textContent).toContain(text);
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(onRetry).toHaveBeenCalledOnce();
  });
});
