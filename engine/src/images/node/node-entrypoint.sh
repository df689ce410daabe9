#!/bin/sh
# Process 1 of a butler-node: a machine that is a pod. It brings up containerd, loads the images that came along, runs
# the bootstrap script (a real `kubeadm join`) once, and keeps the kubelet running from then on.
#
# The pod is not privileged: it has no devices of its host and only the capabilities that a node needs, of which
# CAP_SYS_ADMIN makes the mounts below possible.
#
# The container's own file system is lost when the container restarts; /run, /etc/kubernetes, /etc/cni/net.d,
# /var/lib/cni, /var/lib/kubelet and /var/lib/containerd are expected to be volumes that outlive it.
set -u

bootstrap_script=${BUTLER_BOOTSTRAP_SCRIPT:-/etc/butler/bootstrap/bootstrap.sh}
sentinel=/run/cluster-api/bootstrap-success.complete
attempt_mark=/run/butler/bootstrap-attempted
bootstrap_log=/run/butler/bootstrap.log
images=/var/lib/butler/images
loaded_marks=/var/lib/containerd/butler-loaded
containerd_socket=/run/containerd/containerd.sock

say() {
  echo "butler-node: $*"
}

# Ends the machine with a reason that Kubernetes shows in the pod's status.
give_up() {
  say "$*"
  { echo "$*" >/dev/termination-log; } 2>/dev/null
  exit 1
}

# On cgroup v2 a container may see the whole machine's groups. The nested kubelet must see only its own, or it
# would take over the groups of the kubelet outside. The script starts itself again, still as process 1.
enter_own_cgroup_namespace() {
  [ -e /sys/fs/cgroup/cgroup.controllers ] || return 0
  [ -z "${BUTLER_NODE_OWN_CGROUPS:-}" ] || return 0
  export BUTLER_NODE_OWN_CGROUPS=1
  exec unshare --cgroup -- "$0" "$@"
}

# The container runtime mounts these read-only in pods that are not privileged.
make_writable() {
  mount -o remount,bind,rw "$1" 2>/dev/null || say "cannot make $1 writable"
}

# A group on cgroup v2 has either processes or controllers for its children, so the processes move into a group beside
# the one that the kubelet will make.
prepare_cgroups() {
  if [ ! -e /sys/fs/cgroup/cgroup.controllers ]; then
    for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/*/; do make_writable "${hierarchy%/}"; done
    return 0
  fi
  umount /sys/fs/cgroup && mount -t cgroup2 cgroup2 /sys/fs/cgroup || give_up "cannot mount cgroups"
  mkdir -p /sys/fs/cgroup/butler-node
  while read -r pid; do
    # A process that ended meanwhile cannot be moved.
    { echo "$pid" >/sys/fs/cgroup/butler-node/cgroup.procs; } 2>/dev/null || true
  done </sys/fs/cgroup/cgroup.procs
  for controller in $(cat /sys/fs/cgroup/cgroup.controllers); do
    { echo "+$controller" >/sys/fs/cgroup/cgroup.subtree_control; } 2>/dev/null || say "cannot enable the cgroup controller $controller"
  done
}

prepare_kernel() {
  # Volumes that pods mount must be seen by the kubelet, and the other way round.
  mount --make-rshared / || give_up "cannot share mounts; does this pod have the capability SYS_ADMIN?"
  make_writable /proc/sys
  for setting in net/ipv4/ip_forward net/ipv6/conf/all/forwarding \
    net/bridge/bridge-nf-call-iptables net/bridge/bridge-nf-call-ip6tables; do
    # Absent where the machine below has not loaded the module behind it.
    [ -e "/proc/sys/$setting" ] || continue
    { echo 1 >"/proc/sys/$setting"; } 2>/dev/null || say "cannot enable $setting"
  done
  # The kubelet reads kernel messages and exits if it cannot. Those of the host are not for its tenants.
  [ -e /dev/kmsg ] || ln -s /dev/null /dev/kmsg
}

# A volume hides the image's files at its path.
prepare_folders() {
  # Watched by the kubelet, which logs an error every second while it is absent.
  mkdir -p /run/butler /etc/kubernetes/manifests
}

# The identity of the machine stays the same for as long as its volumes do.
prepare_machine_id() {
  [ -s /run/butler/machine-id ] || tr -d - </proc/sys/kernel/random/uuid >/run/butler/machine-id
  cp /run/butler/machine-id /etc/machine-id
}

write_containerd_config() {
  restrict=false
  # As low as any pod requests; the parentheses start a subshell, which exits with its new score.
  (echo -999 >/proc/self/oom_score_adj) 2>/dev/null || restrict=true
  mkdir -p /etc/containerd
  sed -e "s|@SANDBOX_IMAGE@|$BUTLER_SANDBOX_IMAGE|" -e "s|@RESTRICT_OOM_SCORE_ADJ@|$restrict|" \
    /etc/butler/containerd.toml >/etc/containerd/config.toml
}

# keep_running <name> <command>...: restarts the command one second after each exit.
keep_running() {
  name=$1
  shift
  while :; do
    "$@"
    say "$name exited with status $?"
    sleep 1
  done
}

start_containerd() {
  # A leftover from before a restart would make containerd appear ready.
  rm -f "$containerd_socket"
  keep_running containerd containerd --config /etc/containerd/config.toml --log-level warn &
  tries=0
  until ctr version >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || give_up "containerd does not answer after 30 seconds"
    sleep 0.1
  done
}

# Loads the archives of one directory, unless this machine has done so before a restart of its container.
load_images() {
  mkdir -p "$loaded_marks"
  for archive in "$images/$1"/*.tar; do
    [ -e "$archive" ] || continue
    mark=$loaded_marks/$(basename "$archive")
    [ ! -e "$mark" ] || continue
    if ctr --namespace k8s.io images import --local "$archive" >/dev/null; then
      touch "$mark"
    else
      say "cannot load $archive; the image must be pulled from a registry"
    fi
  done
}

kubelet_is_configured() {
  [ -s /var/lib/kubelet/config.yaml ] && [ -s /var/lib/kubelet/kubeadm-flags.env ] || return 1
  [ -s /etc/kubernetes/kubelet.conf ] || [ -s /etc/kubernetes/bootstrap-kubelet.conf ]
}

# Flags that depend on the machine, independent of its cluster's configuration: there is no systemd in here to manage
# cgroups, and swap and the cgroup version are those of the host. The disk is the host's, too: however full it is, the
# included images must be kept, because no registry may have them.
machine_flags() {
  echo "--cgroup-driver=cgroupfs --fail-swap-on=false --image-gc-high-threshold=100"
  echo "--eviction-hard=memory.available<100Mi,nodefs.available<1%,imagefs.available<1%"
  [ ! -e /sys/fs/cgroup/cgroup.controllers ] || return 0
  # Only newer kubelets reject cgroup v1, and only they support the flag.
  kubelet --help 2>&1 | grep -q -- --fail-cgroupv1 && echo "--fail-cgroupv1=false"
}

# kubeadm writes the kubelet's configuration and then waits for the kubelet; there is no service manager to start it.
run_kubelet() {
  until kubelet_is_configured; do sleep 0.2; done
  KUBELET_KUBEADM_ARGS=
  . /var/lib/kubelet/kubeadm-flags.env
  # Flags of the machine's provider: its size and its provider ID.
  KUBELET_EXTRA_ARGS=
  [ ! -r /etc/butler/bootstrap/kubelet.env ] || . /etc/butler/bootstrap/kubelet.env
  set -f
  # One word per flag.
  kubelet --config=/var/lib/kubelet/config.yaml --kubeconfig=/etc/kubernetes/kubelet.conf \
    --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf $(machine_flags) \
    $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
  status=$?
  set +f
  return "$status"
}

# The remains of a failed join attempt would block the next one. The kubelet must not run yet: it would use them.
clean_up_failed_attempt() {
  [ -e "$attempt_mark" ] && [ ! -e "$sentinel" ] || return 0
  say "the last join attempt failed; cleaning up"
  kubeadm reset --force >/dev/null 2>&1 || say "kubeadm reset failed"
}

bootstrap() {
  if [ -e "$sentinel" ]; then
    say "already joined its cluster"
    return 0
  fi
  if [ ! -e "$bootstrap_script" ]; then
    say "has no bootstrap script at $bootstrap_script; it can still be joined manually"
    return 0
  fi
  mkdir -p "$(dirname "$sentinel")"
  touch "$attempt_mark"
  true >"$bootstrap_log"
  tail -n +1 -f "$bootstrap_log" &
  follower=$!
  /bin/sh "$bootstrap_script" >>"$bootstrap_log" 2>&1
  status=$?
  # Time to print the last lines.
  (sleep 1 && kill "$follower") &
  [ "$status" -eq 0 ] || give_up "the bootstrap script failed with status $status: $(tail -n 10 "$bootstrap_log")"
  touch "$sentinel"
}

main() {
  prepare_cgroups
  prepare_kernel
  prepare_folders
  prepare_machine_id
  write_containerd_config
  start_containerd
  clean_up_failed_attempt
  load_images before-kubelet
  keep_running kubelet run_kubelet &
  bootstrap
  load_images after-kubelet
  say "node is up"
}

enter_own_cgroup_namespace "$@"
# The container stops with process 1, which has to handle the stop signal. A shell runs traps only between commands or
# while it waits, so a child does all the work.
trap 'say "stopping"; exit 0' TERM INT
main &
main_process=$!
wait "$main_process" || exit 1
# The children of that child are ours now; wait reaps them.
while :; do
  sleep 3600 &
  wait $!
done
