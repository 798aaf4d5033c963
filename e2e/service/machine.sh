# A machine that systemd starts, of this machine's own files: namespaces, control groups and a root of its own, whose changes lie in
# memory.  machine.sh FOLDER REPOSITORY runs it. FOLDER/data becomes its /var/lib/wherry.
set -eu
folder=$1 repository=$2
group=wherry-systemd-$$

# Every hierarchy's root, whichever versions are mounted.
hierarchies() {
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then echo /sys/fs/cgroup; return; fi
  for hierarchy in /sys/fs/cgroup/*; do [ ! -e "$hierarchy/cgroup.procs" ] || [ -L "$hierarchy" ] || echo "$hierarchy"; done
}
make_groups() {
  for hierarchy in $(hierarchies); do
    mkdir "$hierarchy/$group"
    for file in cpuset.cpus cpuset.mems; do
      # Of version 1: a new one is empty, and takes no process.
      [ ! -e "$hierarchy/$file" ] || cat "$hierarchy/$file" >"$hierarchy/$group/$file"
    done
  done
}
remove_groups() {
  for hierarchy in $(hierarchies); do
    # Who was killed may take a moment to be gone.
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      [ -d "$hierarchy/$group" ] || break
      find "$hierarchy/$group" -depth -type d -exec rmdir {} \; 2>/dev/null || true
      [ ! -d "$hierarchy/$group" ] || sleep 0.2
    done
  done
}

# The first process of a boot: moves into the groups, then becomes the root of what it sees of them.
boot='
set -eu
root=$1 repository=$2 data=$3
shift 3
for group in "$@"; do echo 0 >"$group/cgroup.procs"; done
exec unshare --cgroup sh -euc "$inside" inside "$root" "$repository" "$data"'
inside='
cd "$1"
mount --rbind "$2" ".$2"
mkdir -p var/lib/wherry
mount --bind "$3" var/lib/wherry
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs dev
for device in null zero full random urandom tty fuse; do
  [ ! -e "/dev/$device" ] || { : >"dev/$device"; mount --bind "/dev/$device" "dev/$device"; }
done
mkdir dev/pts dev/shm dev/mqueue
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
mount -t tmpfs tmpfs dev/shm
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then mount -t cgroup2 cgroup2 sys/fs/cgroup
else
  mount -t tmpfs tmpfs sys/fs/cgroup
  while IFS=: read -r _ controllers _; do
    case $controllers in
      "") mkdir sys/fs/cgroup/unified && mount -t cgroup2 cgroup2 sys/fs/cgroup/unified ;;
      name=*) mkdir "sys/fs/cgroup/${controllers#name=}" && mount -t cgroup -o "none,$controllers" cgroup "sys/fs/cgroup/${controllers#name=}" ;;
      *) mkdir "sys/fs/cgroup/$controllers" && mount -t cgroup -o "$controllers" cgroup "sys/fs/cgroup/$controllers" ;;
    esac
  done </proc/self/cgroup
fi
hostname booted
ip link set lo up
ip link add eth0 type veth peer name outside
ip link set outside up
ip address add 198.51.100.2/24 dev eth0
ip link set eth0 up
ip route add default via 198.51.100.1
pivot_root . .
umount -l .
cd /
exec env -i container=wherry-test /lib/systemd/systemd --unit=multi-user.target'
export inside

mount --make-rprivate /
mount -t tmpfs tmpfs "$folder/memory"
mkdir "$folder/memory/upper" "$folder/memory/work" "$folder/memory/root"
root=$folder/memory/root
mount -t overlay -o "lowerdir=/,upperdir=$folder/memory/upper,workdir=$folder/memory/work" overlay "$root"
# What this machine starts is its own affair: nothing but the journal is started here.
rm -rf "$root/etc/systemd/system" "$root/lib/systemd/system/sysinit.target.wants" "$root/lib/systemd/system/multi-user.target.wants" \
  "$root/lib/systemd/system/timers.target.wants" "$root/lib/systemd/system-generators" "$root/var/log/journal" "$root/var/lib/wherry"
mkdir "$root/etc/systemd/system" "$root/var/log/journal"
# One that is empty would have every unit enabled that is installed.
rm -f "$root/etc/machine-id" && tr -d - </proc/sys/kernel/random/uuid >"$root/etc/machine-id"
booted=
end_all() {
  [ -z "$booted" ] || kill -KILL "$booted" 2>/dev/null || true
  remove_groups
}
trap end_all EXIT
trap 'exit 0' TERM
make_groups
# shellcheck disable=SC2046 # a list of paths
setpriv --pdeathsig KILL unshare --pid --mount --net --uts --ipc --fork --kill-child \
  sh -c "$boot" boot "$root" "$repository" "$folder/data" $(hierarchies | sed "s|\$|/$group|") &
booted=$!
wait "$booted"
