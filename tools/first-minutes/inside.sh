#!/bin/bash
# What a newcomer types on a fresh Debian, as README.md and the tutorial say it. Runs as the first process of namespaces of
# its own; tools/first-minutes.ts gives:  inside.sh PACKAGES README_COMMANDS_FILE
set -uo pipefail
packages=$1 commands=$2
failed=0

say() { printf '\n== %s\n' "$*"; }
fail() { say "FAILED: $*"; failed=1; }
# Runs one line at a terminal, as somebody does who types "exit" after it. Its code goes by a file: script(1) may tell another.
typed() {
  rm -f /root/code
  script -qfc "$1
echo \$? >/root/code" /dev/null < <(sleep 3; echo exit; sleep 1)
  [ "$(cat /root/code)" = 0 ]
}

say "apt-get install $packages"
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 # a list of names
apt-get update -qq && apt-get install --yes -qq $packages >/root/apt.log 2>&1 || { tail /root/apt.log; exit 1; }
node --version

say "git clone"
git clone -q /wherry.git /root/wherry || exit 1
cd /root/wherry || exit 1

say "npm start"
mkfifo /root/keys
script -qefc 'npm start' /root/start.record </root/keys >/root/start.log 2>&1 &
start=$!
exec 3>/root/keys
until grep -aq 'Ctrl-C ends' /root/start.log; do
  kill -0 "$start" 2>/dev/null || { tail -n 30 /root/start.log; exit 1; }
  sleep 1
done
sed -n '/kubeconfig:/,$p' /root/start.log

while IFS= read -r command; do
  say "$command"
  case $command in
    export\ *) eval "$command" ;;
    *) typed "$command" || fail "$command" ;;
  esac
done <"$commands"
kubectl exec demo -- wget -qO- http://web | grep -q '^hello from web-' || fail "the demo's deployment does not answer by its service's name"

say "Ctrl-C"
printf '\003' >&3
wait "$start"
exec 3>&-
sed -n '/Ctrl-C ends/,$p' /root/start.log
left=$(for process in /proc/[0-9]*; do
  line=$(tr '\0' ' ' <"$process/cmdline") 2>/dev/null
  case $line in */var/lib/wherry/* | *bin/wherry.cjs*) echo "${process#/proc/} $line" ;; esac
done)
[ -z "$left" ] || fail "what is left: $left"
npx wherry down --purge || fail "wherry down --purge"

say "the commands of the tutorial"
node_modules/.bin/node --test --test-name-pattern=tutorial e2e/documented-commands.long.test.ts || fail "the tutorial"
exit $failed
