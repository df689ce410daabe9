import { describe, expect, it } from "vitest";
import { straighten } from "./straight-imports.ts";

describe("straighten", () => {
  it("resolves each value to the file that defines it, and drops types", () => {
    const source = 'import { type Clock, sleep, NotFound as Missing } from "@butler/std";\n';
    const straight = straighten(source);
    expect(straight).toMatch(/import \{ sleep as sleep \} from ".*\/packages\/std\/src\/clock\.ts";/);
    expect(straight).toMatch(/import \{ NotFound as Missing \} from ".*\/packages\/std\/src\/errors\.ts";/);
    expect(straight).not.toContain("Clock");
  });

  it("follows indexes that re-export under other names, and paths below packages", () => {
    expect(straighten('import { KubeConfig } from "@butler/kube";')).toContain('from "@butler/kube"');
    expect(straighten('import { ApiClient } from "@butler/kube/direct";')).toMatch(
      /packages\/kube\/src\/client\/client\.ts/,
    );
    expect(straighten('import {\n  printable,\n  shortened,\n} from "@butler/cli-kit";')).toMatch(
      /std\/src\/printable\.ts.*cli-kit\/src\/printable\.ts/s,
    );
  });

  it.each([
    'import { Command } from "commander";',
    'import { a } from "./a.ts";',
    'import { LocalEngine } from "@butler/engine";',
  ])("does not change %s", (source) => {
    expect(straighten(source)).toBe(source);
  });
});
