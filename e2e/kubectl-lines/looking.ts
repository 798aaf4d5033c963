import { lines, type Topic } from './lines.ts';

/** What shows the state of a cluster; needs what {@link rollouts} leaves. */
export const looking: Topic = lines(
  ['kubectl get all', /deployment.apps\/web[\s\S]*replicaset.apps\/web-/],
  ['kubectl get pods -A -o wide --show-labels', /app=web/],
  ['kubectl get pods -l "app in (web,other),app!=none" -L app', /APP\nweb-/],
  ['kubectl get pods --field-selector=status.phase=Running,spec.nodeName!=none -o name', /pod\/web-/],
  [
    'kubectl get pods --sort-by=.metadata.creationTimestamp -o jsonpath="{range .items[*]}{.metadata.name}{\'\\n\'}{end}"',
    /^web-\w+-\w+$/m,
  ],
  ['kubectl get deploy/web svc/exposed -o yaml', /kind: List/],
  ['kubectl get deployments.v1.apps web -o template --template={{.spec.replicas}}', /^2$/],
  [
    'kubectl get events --sort-by=.lastTimestamp --field-selector=reason=ScalingReplicaSet',
    /Scaled up replica set/,
  ],
  ['kubectl events --for deployment/web --types=Normal', /ScalingReplicaSet/, 26],
  ['kubectl get --raw /version', /"gitVersion"/],
  ['kubectl get --raw "/readyz?verbose"', /readyz check passed/],
  ['kubectl get --raw /apis/apps/v1/namespaces/default/deployments/web/scale', /"kind":"Scale"/],
  ['kubectl version -o json', /serverVersion/],
  ['kubectl api-versions', /^apps\/v1$[\s\S]*^v1$/m],
  [
    'kubectl api-resources --api-group=apps --namespaced=true --verbs=list,get -o name',
    /^statefulsets.apps$/m,
  ],
  ['kubectl cluster-info', /control plane.* is running at/],
  ['kubectl cluster-info dump --namespaces default -o json | head -c 100', /"kind"/],
  ['kubectl explain deployment.spec.strategy.rollingUpdate', /maxSurge/],
  ['kubectl explain hpa.spec.metrics --api-version=autoscaling/v2 --recursive', /averageUtilization/],
  ['kubectl describe quota small', /configmaps +\d+ +20/],
  ['kubectl describe service exposed', /Session Affinity: +ClientIP/],
  ['kubectl describe role reader', /pods +\[\] +\[\] +\[get list/],
  ['kubectl rollout status deployment/web --timeout=60s', /successfully rolled out/],
  ['kubectl logs deployment/web --tail=1 --timestamps', /^\d{4}-\S+ up$/m],
  [
    'for i in $(seq 60); do kubectl logs -l app=web --prefix --since=1h 2>/dev/null && break; sleep 1; done',
    /\[pod\/web-\S+\/web\] up/,
  ],
  ['kubectl auth can-i list pods --as=system:serviceaccount:default:robot || true', /^(yes|no)$/m],
  ['kubectl auth can-i --list', /^\*\.\* /m],
  ['kubectl auth whoami', /wherry-admin/, 27],
  ['for i in $(seq 60); do kubectl top node 2>/dev/null && break; sleep 1; done', /^e2e +\d+m /m],
  [
    'for i in $(seq 60); do kubectl top pod --containers 2>/dev/null && break; sleep 1; done',
    /^web-\S+ +web +\d+m /m,
  ],
);
