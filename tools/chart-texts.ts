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
{{- if .Values.steward.defaultDataStore.enabled }}
2. The DataStore "{{ .Values.steward.defaultDataStore.name }}", where control planes keep their state. Steward is making it:

     kubectl wait datastore/{{ .Values.steward.defaultDataStore.name }} --for=create --timeout=60s
     kubectl wait datastore/{{ .Values.steward.defaultDataStore.name }} --for=condition=Ready --timeout=300s
{{- else }}
2. A DataStore named "{{ .Values.steward.defaultDataStore.name }}", where control planes keep their state:

     kubectl explain datastore.spec
{{- end }}
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

## The default DataStore

Control planes keep their state in a DataStore. Unless \`steward.defaultDataStore.enabled\` is false, the Steward process
that leads makes one: an etcd in the release's namespace, its keys, and the DataStore \`default\` that leads to it. It needs
a default StorageClass, or one named in the values. On a laptop one small member is enough:

\`\`\`sh
helm upgrade --install butler deploy/charts/butler --namespace butler-system --create-namespace --wait \\
  --set steward.defaultDataStore.members=1 --set steward.defaultDataStore.storage.size=2Gi \\
  --set-json 'steward.defaultDataStore.resources={"requests":{"cpu":"100m","memory":"128Mi"}}'
kubectl wait datastore/default --for=create --timeout=60s
kubectl wait datastore/default --for=condition=Ready --timeout=300s
\`\`\`

- What is there is kept. Keys are made where there are none, and never in place of others: when an authority's Secret is
  lost while something signed with it is left, Steward says so in its log and waits for the Secret to be put back.
- Image and resources follow the values. Members and volumes stay what they were; Steward's log says when values differ.
- What somebody has changed stays changed: an object with such a change is not brought up to date until it is undone.
- The DataStore itself is only ever made. One of that name that leads elsewhere is left alone, and gets no etcd.
- Steward looks each time it starts to lead, so what was deleted comes back then, unless \`enabled\` is false.

## Webhooks

The chart brings the ValidatingWebhookConfigurations and MutatingWebhookConfigurations \`butler-steward\` and
\`butler-controller\` without webhooks in them. The processes put the webhooks in, with the certificate that they made
themselves, as soon as they can answer; from then on the API server refuses what it cannot ask about.

- Before the first process of a first installation answers, nothing is judged.
- An upgrade says nothing about webhooks, so Helm leaves them as they are, certificates included: with server-side apply
  because the fields are the processes' own, and with Helm 3 because neither the old nor the new manifest has them.
- What is changed, emptied or deleted by somebody else is put right within seconds, by any process of the role.
- While processes of two versions are there, those that started last decide. Every process also states its own again each
  ten minutes.

## Uninstall

\`\`\`sh
helm uninstall butler --namespace butler-system --wait
\`\`\`

Everything that is Butler's own goes, in the whole cluster: processes, permissions, Services, webhooks and their
certificates. What stays is what people and their tenants depend on:

- the kinds (CustomResourceDefinitions), and every object of them, such as Teams, TenantClusters and DataStores;
- the namespaces of teams and tenants with what is in them: tenants' control planes go on running;
- the release's namespace, with the default DataStore's etcd, volumes and keys, with the Leases by which several
  processes of a role took turns, and with what the server keeps there: sessions, passwords and its own keys;
- the namespace butler-terminals, empty.

Installing again picks everything up. To part with all of it for good, delete the TenantClusters, Teams and DataStores
before you uninstall, as nobody is left to tidy up afterwards; then delete the namespace and the kinds:

\`\`\`sh
kubectl delete namespace butler-system
kubectl get crd -o name | grep -E 'butlerlabs.dev|/(stewardcontrolplane|localcluster|localmachine)' | xargs kubectl delete
\`\`\`

## Logs

Processes write one JSON object per line. \`logLevel\` is the least that they write: \`debug\`, \`info\`, \`warn\` or
\`error\`. It is the flag \`--log-level\` of every \`butler ROLE\`.

## What is not in it

Cluster API, with its kubeadm bootstrap provider. \`npm start\` brings it along. Until it is there, teams, people and pools
work, and tenant clusters wait; Butler notices it within about a minute.

## Values

| Value | Default | What it is |
| --- | --- | --- |
${rows.join("\n")}
`;
}

function inCell(words: string): string {
  return words.replaceAll("|", "\\|");
}
