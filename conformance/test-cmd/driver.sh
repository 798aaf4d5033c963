#!/usr/bin/env bash
# Runs functions of Kubernetes' test/cmd as its own scripts set them up: driver.sh FOLDER LIMIT FUNCTION...
#
# It stands in a copy of Kubernetes' tree whose _output/bin has the programs. What each function says goes to
# FOLDER/FUNCTION.log, and how each ended to FOLDER/ended: a line of its name, its exit code and its seconds. A function
# that takes longer than LIMIT seconds is ended. `bare-lines` is what runTests says between its functions.
set -o errexit -o nounset -o pipefail
folder=$1 limit=$2
shift 2
wanted=("$@")

make() { :; }
# What stands behind the functions of the script that starts the servers runs everything at once.
sed '/^# Run it if:/,$d' hack/make-rules/test-cmd.sh >hack/make-rules/test-cmd-functions.sh
source hack/make-rules/test-cmd-functions.sh
kube::etcd::start() { :; }
kube::etcd::cleanup() { :; }

setup
run_kube_apiserver
run_kube_controller_manager
create_node
export SUPPORTED_RESOURCES=("*")

eval "upstream_$(declare -f record_command)"

# unmet ARGUMENTS...: tells FOLDER/unmet where in the scripts an expectation stands, and what it wants.
unmet() {
  local depth=0 script line
  until [[ ${BASH_SOURCE[depth + 1]} == */test/cmd/* ]]; do depth=$((depth + 1)); done
  script=${BASH_SOURCE[depth + 1]} line=${BASH_LINENO[depth]}
  # A condition is no expectation.
  ! sed -n "${line}p" "$script" | grep -qE '^ *if ' || return 1
  printf '%s\t%s:%s\t%s\n' "$function" "$(basename "$script")" "$line" "${*: -1}" | head -1 >>"$folder/unmet"
}

# A function goes on behind what it does not find as expected, so that all of that is told.
for name in $(declare -F | grep -oE 'kube::test::(if_has_(not_)?string|if_empty_string|object_assert|get_object_jsonpath_assert|describe_.*_assert|version::diff_assert)$'); do
  eval "upstream_$(declare -f "$name")"
  eval "$name() { upstream_$name \"\$@\" || unmet \"\$@\"; }"
done

# Where it can't go on is told as well. What errexit says of itself is upstream's.
eval "upstream_$(declare -f kube::log::errexit)"
kube::log::errexit() {
  if [[ $- == *e* && ${BASH_SOURCE[1]} == */test/cmd/* && -n ${function-} ]]; then
    printf '%s\t%s:%s\tit goes on\n' "$function" "$(basename "${BASH_SOURCE[1]}")" "${BASH_LINENO[0]}" >>"$folder/unmet"
  fi
  upstream_kube::log::errexit
}

# ended NAME COMMAND...: runs it within its time, in a process group of its own.
ended() {
  local name=$1 started=$SECONDS code=0 group watchdog
  shift
  set -m
  ("$@") >"$folder/$name.log" 2>&1 </dev/null &
  group=$!
  set +m
  (
    exec >/dev/null 2>&1
    sleep "$limit"
    kill -KILL -- "-$group"
  ) &
  watchdog=$!
  wait "$group" || code=$?
  pkill -P "$watchdog" || true
  kill "$watchdog" 2>/dev/null || true
  wait "$watchdog" 2>/dev/null || true
  # What it left running ends with it.
  kill -KILL -- "-$group" 2>/dev/null || true
  echo "$name $code $((SECONDS - started))" | tee -a "$folder/ended"
}

recorded() {
  foundError=
  function=$1
  upstream_record_command "$1"
  [ -z "$foundError" ]
}

# Stands in for upstream's: in the first turn it runs all that is wanted, where upstream would run the first function.
record_command() {
  local name
  [ "$1" = run_wanted_tests ] || return 0
  for name in "${wanted[@]}"; do
    [ "$name" = bare-lines ] || ended "$name" recorded "$name"
  done
}

bare_lines() {
  function=bare-lines
  unset WHAT
  runTests
}

# The scripts' variables come from runTests; the name of what it is to run is made up.
WHAT=wanted runTests
for name in "${wanted[@]}"; do
  [ "$name" != bare-lines ] || ended bare-lines bare_lines
done
