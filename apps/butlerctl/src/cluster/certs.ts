import { formatAge, type ObjectView, type Style, type Terminal } from "@butler/cli-kit";
import type { CertificateHealth, ControlPlaneCertificate } from "@butler/diagnosis/certificates";
import type { Command } from "commander";
import { withRowsOptions } from "../rows-command.ts";
import { everySoOften, type RowsOptions, showRows } from "../show-rows.ts";
import { clusterCommand, type ClusterOptions } from "./arguments.ts";
import { certificateSource } from "./certificate-source.ts";
import { onCluster } from "./on-cluster.ts";

interface CertsOptions extends ClusterOptions, RowsOptions {}

const intervalMs = 2_000;

/** `butlerctl cluster certs`. */
export function certsCommand(terminal: Terminal): Command {
  const command = clusterCommand("certs", "List a control plane's certificates, soonest to expire first", [
    "butlerctl cluster certs blue",
    "butlerctl cluster certs blue -o wide",
    "butlerctl cluster certs blue -o json",
  ]);
  return withRowsOptions(command).action(
    onCluster<CertsOptions>(terminal, async (session, cluster, options) => {
      const source = certificateSource(session, cluster, () => terminal.clock.now());
      await showRows(terminal, options, {
        view: certificateView(() => terminal.clock.now()),
        read: async () => {
          const { certificates, isRotating } = await source.read();
          if (isRotating) terminal.say(`Certificate rotation for ${cluster.metadata.name} is in progress.`);
          return certificates;
        },
        idOf: ({ secretName, secretKey }) => `${secretName}/${secretKey}`,
        changes: (signal) => everySoOften(terminal.clock, intervalMs, signal),
        nothing: `${cluster.metadata.name} has no certificates yet.`,
      });
    }),
  );
}

const styles: Readonly<Record<CertificateHealth, Style>> = {
  Healthy: "good",
  Warning: "busy",
  Critical: "bad",
  Expired: "bad",
};

/** How certificates are shown in lists. */
export function certificateView(now: () => Date): ObjectView<ControlPlaneCertificate> {
  return {
    nameOf: ({ secretName, secretKey }) => `secret/${secretName}/${secretKey}`,
    columns: [
      { title: "SUBJECT", value: ({ subject }) => subject },
      { title: "COMPONENT", value: ({ category }) => category },
      { title: "EXPIRES", value: ({ notAfter }) => notAfter.slice(0, 10) },
      { title: "REMAINING", value: ({ notAfter }) => leftText(notAfter, now()) },
      { title: "HEALTH", value: ({ healthStatus }) => healthStatus, style: ({ healthStatus }) => styles[healthStatus] },
      { title: "CA", value: ({ isCA }) => (isCA ? "yes" : "-"), isWide: true },
      { title: "SECRET", value: ({ secretName }) => secretName, isWide: true },
      { title: "KEY", value: ({ secretKey }) => secretKey, isWide: true },
      {
        title: "NAMES",
        value: ({ dnsNames, ipAddresses }) => [...dnsNames, ...ipAddresses].join(",") || "-",
        isWide: true,
      },
    ],
  };
}

/** How long a certificate still lasts. */
export function leftText(notAfter: string, now: Date): string {
  const leftMs = Date.parse(notAfter) - now.getTime();
  return leftMs < 0 ? `expired ${formatAge(-leftMs)} ago` : formatAge(leftMs);
}
