#!/bin/bash
# The pod network of machines that are pods, run by a DaemonSet in their cluster: a bridge on each node for its own
# pods, and a route to each other node's pods. All machines of a cluster must reach each other directly.
# The programs are those of the node, so that no image is needed for it.
set -u -o pipefail

own_node=${NODE_NAME:?the name of this node}
conf=/etc/cni/net.d/10-butler.conflist
chain=BUTLER-POD-MASQ
# Identifies the routes created by this script.
route_protocol=77
declare -A pod_ranges addresses

say() {
  echo "butler-network: $*"
}

# The plug-ins read the file at any moment, so it is replaced atomically.
write_plugin_configuration() {
  local text
  text='{"cniVersion":"1.0.0","name":"butler","plugins":[{"type":"bridge","bridge":"butler","isDefaultGateway":true,
"ipMasq":false,"hairpinMode":true,"ipam":{"type":"host-local","ranges":[[{"subnet":"'$1'"}]],"dataDir":"/var/lib/cni/networks"}},
{"type":"portmap","capabilities":{"portMappings":true}}]}'
  [ "$(cat "$conf" 2>/dev/null)" != "$text" ] || return 0
  echo "$text" >"$conf.new" && mv "$conf.new" "$conf" && say "pods of this node use addresses from $1"
}

route_to_others() {
  local name range wanted=" "
  for name in "${!pod_ranges[@]}"; do
    [ "$name" != "$own_node" ] || continue
    range=${pod_ranges[$name]}
    wanted+="$range "
    ip route replace "$range" via "${addresses[$name]}" proto "$route_protocol" ||
      say "cannot reach the pods of $name: ${addresses[$name]} is not a neighbour of this node"
  done
  ip route show proto "$route_protocol" | while read -r range _; do
    [[ $wanted == *" $range "* ]] || ip route del "$range" proto "$route_protocol"
  done
}

# Pods keep their addresses among each other and take the node's towards everything else. One transaction.
masquerade_to_outside() {
  local range
  {
    echo "*nat"
    echo ":$chain - [0:0]"
    for range in "${pod_ranges[@]}"; do echo "-A $chain -d $range -j RETURN"; done
    echo "-A $chain -d 224.0.0.0/4 -j RETURN"
    echo "-A $chain -j MASQUERADE"
    echo "COMMIT"
  } | iptables-restore --wait --noflush || return
  local own=${pod_ranges[$own_node]}
  iptables --wait -t nat -C POSTROUTING -s "$own" -j "$chain" 2>/dev/null ||
    iptables --wait -t nat -A POSTROUTING -s "$own" -j "$chain"
}

synchronize() {
  [ -n "${pod_ranges[$own_node]:-}" ] || return 0
  route_to_others
  masquerade_to_outside || say "cannot set up network address translation"
  write_plugin_configuration "${pod_ranges[$own_node]}"
}

take_note() {
  local type=$1 name=$2 range=${3:-} address=${4:-}
  if [ "$type" = DELETED ] || [ -z "$range" ] || [ -z "$address" ]; then
    unset "pod_ranges[$name]" "addresses[$name]"
  else
    pod_ranges[$name]=$range
    addresses[$name]=$address
  fi
}

template='{.type} {.object.metadata.name} {.object.spec.podCIDR} {.object.status.addresses[?(@.type=="InternalIP")].address}{"\n"}'

follow_nodes() {
  local line
  pod_ranges=() addresses=()
  while read -r line; do
    # shellcheck disable=SC2086 # words are meant
    take_note $line
    # Changes that arrive together are applied together.
    while read -r -t 0.2 line; do
      # shellcheck disable=SC2086
      take_note $line
    done
    synchronize
  done < <(exec kubectl get nodes --watch --output-watch-events -o "jsonpath=$template")
}

trap 'exit 0' TERM INT
while :; do
  follow_nodes &
  wait $!
  say "the watch on nodes ended; restarting"
  sleep 1 &
  wait $!
done
