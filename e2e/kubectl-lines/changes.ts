import { lines, type Topic } from './lines.ts';

const configMap = (value: string, name = 'applied') =>
  `echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}","labels":{"set":"one"}},"data":{"k":"${value}"}}'`;

/** Labels, patches and all roads by which an object is replaced or applied; needs what {@link rollouts} leaves. */
export const changes: Topic = [
  ...lines(
    ['kubectl label configmap settings tier=one', /labeled/],
    ['kubectl label configmap settings tier=two --overwrite', /labeled/],
    ['kubectl label configmaps --all round=1', /labeled/],
    ['kubectl label configmap settings tier-', /unlabeled|labeled/],
    ['kubectl annotate configmap settings note="some words"', /annotated/],
    [
      `kubectl patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"web","tty":true}]}}}}'`,
      /patched/,
    ],
    [`kubectl patch configmap settings --type=merge -p '{"data":{"a":null,"c":"3"}}'`, /patched/],
    [
      `kubectl patch configmap settings --type=json -p '[{"op":"test","path":"/data/c","value":"3"},{"op":"replace","path":"/data/c","value":"4"}]'`,
      /patched/,
    ],
    [
      'kubectl get configmap settings -o go-template="{{range \\$k, \\$v := .data}}{{\\$k}} {{end}}"',
      /^c hosts /,
    ],
    [
      `kubectl patch deployment web --subresource=scale --type=merge -p '{"spec":{"replicas":2}}'`,
      /patched/,
      24,
    ],
    ['kubectl scale deployment web --replicas=2', /web scaled/],
    [`${configMap('1')} | kubectl apply -f -`, /configmap\/applied created/],
    [`${configMap('2')} | kubectl diff -f - || test $? = 1`, /^\+ +k: "2"$/m],
    [`${configMap('2')} | kubectl apply -f - -o jsonpath={.data.k}`, /^2$/],
    ['kubectl apply view-last-applied configmap/applied', /k: "2"/],
    [`${configMap('3')} | kubectl apply set-last-applied -f -`, /configured/],
    [`${configMap('4')} | kubectl replace -f -`, /replaced/],
    [`${configMap('5')} | kubectl replace --force -f -`, /deleted[\s\S]*replaced/],
    [`${configMap('6', 'other')} | kubectl apply -f -`, /other created/],
    [
      `${configMap('7')} | kubectl apply --prune -l set=one --prune-allowlist=core/v1/ConfigMap -f -`,
      /configmap\/other pruned/,
      26,
    ],
    [
      `${configMap('8', 'ssa')} | kubectl apply --server-side --field-manager=one -f -`,
      /ssa serverside-applied/,
    ],
    [
      `${configMap('9', 'ssa')} | kubectl apply --server-side --field-manager=two -f - 2>&1 || true`,
      /conflict with "one"/,
    ],
    [
      `${configMap('9', 'ssa')} | kubectl apply --server-side --field-manager=two --force-conflicts -f -`,
      /serverside-applied/,
    ],
    [
      `printf '#!/bin/sh\\nsed -i "s/k: .9.$/k: x/" $1\\n' > editor; chmod +x editor; EDITOR=./editor kubectl edit configmap ssa`,
      /ssa edited/,
    ],
    [
      `mkdir -p base && ${configMap('11', 'built')} > base/map.json && printf 'resources: [map.json]\\nnamePrefix: k-\\nconfigMapGenerator: [{name: gen, literals: [a=b]}]\\n' > base/kustomization.yaml; kubectl kustomize base`,
      /name: k-built/,
    ],
    ['kubectl apply -k base', /k-built created/],
    ['kubectl get -k base -o name', /configmap\/k-gen-\w{10}/],
    ['kubectl delete -k base', /k-built" deleted/],
    [
      `kubectl create role reader --verb=get,list,watch --resource=pods -n default --dry-run=client -o yaml | kubectl auth reconcile -f -`,
      /reader reconciled/,
    ],
    ['kubectl set subject rolebinding reader --user=joe', /subjects updated/],
  ),
];
