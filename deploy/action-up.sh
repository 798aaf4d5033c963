#!/usr/bin/env bash
# What action.yml does once wherry is installed: brings a node up and leaves its kubeconfig to the steps that follow.
set -euo pipefail

data_dir=${DATA_DIR:-/var/lib/wherry}
words=(up --detach --data-dir "$data_dir")
[ -z "${CONFIG:-}" ] || words+=(--config "$CONFIG")
while IFS= read -r image; do
  [ -z "$image" ] || words+=(--image "$image")
done <<<"${IMAGES:-}"
while IFS= read -r manifest; do
  [ -z "$manifest" ] || words+=(--manifests "$manifest")
done <<<"${MANIFESTS:-}"

root=()
[ "$(id -u)" = 0 ] || root=(sudo env "PATH=$PATH")
"${root[@]}" wherry "${words[@]}"

kubeconfig=$(mktemp)
"${root[@]}" wherry kubeconfig --data-dir "$data_dir" >"$kubeconfig"
echo "KUBECONFIG=$kubeconfig" >>"$GITHUB_ENV"
echo "kubeconfig=$kubeconfig" >>"$GITHUB_OUTPUT"
