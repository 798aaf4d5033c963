import { images, lines, type Topic } from './lines.ts';

/** What rolls a workload out, over and back; needs the deployment of {@link generators}. */
export const rollouts: Topic = lines(
  ['kubectl rollout status deployment/web --timeout=60s', /successfully rolled out/],
  [`kubectl set image deployment/web web=${images[1]}`, /deployment.apps\/web image updated/],
  ['kubectl annotate deployment/web kubernetes.io/change-cause="second image"', /web annotated/],
  ['kubectl rollout status deployment/web --timeout=60s', /successfully rolled out/],
  ['kubectl rollout history deployment/web', /^2 +second image/m],
  ['kubectl rollout history deployment/web --revision=2', /Image:\s+docker.io\/library\/web:2/],
  ['kubectl rollout pause deployment/web', /web paused/],
  ['kubectl set env deployment/web STAGE=test', /web env updated/],
  ['kubectl set env deployment/web --list', /STAGE=test/],
  ['kubectl set env deployment/web --from=configmap/from-env', /web env updated/],
  [
    'kubectl set resources deployment/web -c=web --requests=cpu=10m,memory=8Mi --limits=memory=64Mi',
    /resource requirements updated/,
  ],
  ['kubectl set serviceaccount deployment/web robot', /serviceaccount updated/],
  ['kubectl get deployment web -o jsonpath={.spec.paused}', /^true$/],
  ['kubectl rollout resume deployment/web', /web resumed/],
  ['kubectl rollout status deployment/web --timeout=60s', /successfully rolled out/],
  ['kubectl exec deployment/web -- sh -c "echo \\$A \\$STAGE"', /^1 test$/m],
  ['kubectl rollout undo deployment/web --to-revision=1', /web rolled back/],
  ['kubectl rollout restart deployment/web', /web restarted/],
  ['kubectl rollout status deployment/web --timeout=60s', /successfully rolled out/],
  ['kubectl scale --current-replicas=2 --replicas=3 deployment/web', /web scaled/],
  ['kubectl wait deployment/web --for=jsonpath={.status.readyReplicas}=3 --timeout=60s', /condition met/, 23],
  [
    'kubectl expose deployment web --port=80 --target-port=8080 --name=exposed --session-affinity=ClientIP',
    /service\/exposed exposed/,
  ],
  ['kubectl set selector service inner tier=none', /selector updated/],
  // Never more than there are: a pod that starts beside the next lines would have said nothing yet.
  ['kubectl autoscale deployment web --min=2 --max=3 --cpu-percent=80', /web autoscaled/],
  ['kubectl get hpa web', /Deployment\/web .* 2 +3 /],
  ['kubectl describe deployment web', /NewReplicaSet:\s+web-\w+ \(3\/3 replicas created\)/],
);
