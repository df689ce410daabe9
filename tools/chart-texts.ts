import type { ChartValue } from "./chart-values.ts";

/** Named templates that the others use. */
export function chartHelpers(origin: string): string {
  return `{{- /* ${origin} */ -}}
{{- define "butler.image" -}}
{{- if .Values.image.digest -}}
{{ printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- else -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default (printf "v%s" .Chart.AppVersion)) }}
{{- end -}}
{{- end -}}
`;
}

/** What Helm says after an installation. */
export const chartNotes = `Butler {{ .Chart.AppVersion }} is installed in the namespace {{ .Release.Namespace }}.

Watch its processes become ready:

  kubectl --namespace {{ .Release.Namespace }} wait deployments --all --for=condition=Available --timeout=120s

What tenants need next:

1. Cluster API, with its kubeadm bootstrap provider. Butler notices it by itself.
2. A DataStore named "{{ .Values.steward.defaultDataStore }}", where control planes keep their state:

     kubectl explain datastore.spec
{{- if .Values.sniGateway.enabled }}

3. The address of the SNI gateway in DNS, for the names of tenants' control planes:

     kubectl --namespace {{ .Release.Namespace }} get service butler-sni-gateway
{{- end }}

Then make a Team and a TenantCluster:

  kubectl explain team.spec
  kubectl explain tenantcluster.spec
{{- if not .Values.crds.install }}

Butler's kinds are not part of this release (crds.install is false): keep them in step with it yourself.
{{- end }}
`;

/** The page about the chart. */
export function chartReadme({ origin, values }: { origin: string; values: readonly ChartValue[] }): string {
  const rows = values.map(
    ({ path, fallback, doc }) => `| \`${path}\` | \`${inCell(JSON.stringify(fallback))}\` | ${inCell(doc)} |`,
  );
  return `<!-- ${origin} -->

# The Butler chart

Butler's kinds, its controllers with their webhooks, Steward, the SNI gateway and, if asked for, the local provider. A
laptop, continuous integration and production install this same chart; only values differ.

## Install and upgrade

With Helm 4:

\`\`\`sh
helm upgrade --install butler deploy/charts/butler --namespace butler-system --create-namespace --wait
\`\`\`

The same command with other values, or from a newer checkout, upgrades: kinds are brought up to date before the processes
that need them. Values that are misspelt or of another type are refused before anything is changed. Names of objects are
fixed, so a cluster has one Butler.

With Helm 3 the namespace has to be there first, and must not be part of the release:

\`\`\`sh
kubectl create namespace butler-system
kubectl label namespace butler-system pod-security.kubernetes.io/enforce=restricted
helm upgrade --install butler deploy/charts/butler --namespace butler-system --set namespace.create=false --wait
\`\`\`

For production, start from these values:

\`\`\`yaml
controller: { replicas: 2 }
steward: { replicas: 2 }
sniGateway: { replicas: 2 }
priorityClassName: system-cluster-critical
\`\`\`

## Uninstall

\`\`\`sh
helm uninstall butler --namespace butler-system --wait
kubectl delete validatingwebhookconfigurations,mutatingwebhookconfigurations butler-steward butler-controller --ignore-not-found
\`\`\`

The second command is needed because the processes write these configurations themselves, with a certificate that no chart
could know; as long as they are there and nobody answers, the API server takes no change of Butler's objects. The namespace,
the kinds and every object of them stay. Tenants' control planes go on running. Installing again picks everything up.

## What is not in it

Cluster API, and a DataStore for control planes. \`npm start\` brings both along.

## Values

| Value | Default | What it is |
| --- | --- | --- |
${rows.join("\n")}
`;
}

function inCell(words: string): string {
  return words.replaceAll("|", "\\|");
}
