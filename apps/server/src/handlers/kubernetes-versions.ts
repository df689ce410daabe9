import { defaultKubernetesVersion, parseKubernetesVersion, supportedMinors, type Team } from "@butler/api";
import type { kubernetesVersions } from "@butler/contract";
import type { z } from "zod";

/** The versions that clusters of a team can have, by the rules that admission has for them; of any team when none is named. */
export function versionsFor(team: Team | undefined): z.output<typeof kubernetesVersions> {
  const { resourceLimits, clusterDefaults } = team?.spec ?? {};
  const allowed = (resourceLimits?.allowedKubernetesVersions ?? []).map((text) => text.trim().replace(/^v/, ""));
  const preset = clusterDefaults?.kubernetesVersion || defaultKubernetesVersion;
  const { oldest, newest } = supportedMinors;
  const all = Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index);
  return {
    defaultVersion: parseKubernetesVersion(preset)?.text ?? preset,
    minors: all.flatMap((minor) => {
      const versions = allowed.flatMap((text) => {
        const version = parseKubernetesVersion(text);
        return version?.major === 1 && version.minor === minor ? [version.text] : [];
      });
      const isWhole = allowed.length === 0 || allowed.includes(`1.${minor}`);
      if (!isWhole && versions.length === 0) return [];
      return [{ minor: `v1.${minor}`, versions: isWhole ? [] : versions }];
    }),
  };
}
