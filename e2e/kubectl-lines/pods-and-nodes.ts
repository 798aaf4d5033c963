import { images, lines, sleep, type Topic } from './lines.ts';

/** Single pods, the node and its certificates; needs what {@link rollouts} leaves. */
export const podsAndNodes: Topic = lines(
  [
    `kubectl run one --image=${images[0]} --labels=app=one --env=A=1 --port=80 -- ${sleep}`,
    /pod\/one created/,
  ],
  ['kubectl wait --for=condition=Ready pod/one --timeout=60s', /condition met/],
  [
    `kubectl run -i --rm quick --restart=Never --image=${images[0]} -- sh -c 'sleep 1; echo said'`,
    /said[\s\S]*deleted/,
  ],
  ['echo in | kubectl exec -i one -- sh -c "cat > /tmp/file; env"', /^A=1$/m],
  ['kubectl cp one:/tmp/file copied && cat copied', /^in$/m],
  [
    `kubectl debug one --image=${images[0]} --target=one -c look --profile=general -- sh -c 'echo looked; sleep 1000'`,
    /Targeting container "one"|^$/,
    27,
  ],
  [
    'for i in $(seq 60); do kubectl logs one -c look 2>/dev/null | grep looked && break; sleep 0.5; done',
    /looked/,
    27,
  ],
  [
    `kubectl debug one --copy-to=one-copy --set-image=*=${images[1]} --share-processes --quiet --profile=general`,
    /^$/,
    27,
  ],
  ['kubectl wait --for=condition=Ready pod/one-copy --timeout=60s', /condition met/, 23],
  [
    `kubectl debug node/e2e --image=${images[0]} --profile=general -- ls /host`,
    /Creating debugging pod node-debugger-e2e-\w+/,
    27,
  ],
  ['kubectl expose pod one --port=80 --name=one', /service\/one exposed/],
  ['kubectl delete pod one one-copy --now --ignore-not-found', /pod "one" deleted/],
  ['kubectl cordon e2e', /node\/e2e cordoned/],
  ['kubectl get node e2e', /Ready,SchedulingDisabled/],
  ['kubectl uncordon e2e', /node\/e2e uncordoned/],
  ['kubectl label node e2e disk=fast', /labeled/],
  ['kubectl taint nodes e2e team=a:NoSchedule', /node\/e2e tainted/],
  ['kubectl taint nodes e2e team=b:NoSchedule --overwrite', /node\/e2e modified/],
  ['kubectl taint nodes e2e team:NoSchedule-', /node\/e2e untainted/],
  ['kubectl delete hpa web --ignore-not-found; kubectl scale deployment web --replicas=1', /web scaled/],
  [
    'kubectl delete jobs --all; kubectl drain e2e --ignore-daemonsets --delete-emptydir-data --force --grace-period=1 --timeout=60s',
    /evicting pod default\/web-[\s\S]*node\/e2e (drained|evicted)/,
  ],
  ['kubectl uncordon e2e', /uncordoned/],
  ['kubectl wait --for=condition=Available deployment/web --timeout=60s', /condition met/],
  [
    `openssl req -new -newkey rsa:2048 -nodes -subj /CN=jane -keyout jane.key -out jane.csr 2>/dev/null
for name in jane joe; do echo '{"apiVersion":"certificates.k8s.io/v1","kind":"CertificateSigningRequest","metadata":{"name":"'$name'"},"spec":{"request":"'$(base64 -w0 jane.csr)'","signerName":"kubernetes.io/kube-apiserver-client","usages":["client auth"]}}'; done | kubectl apply -f -`,
    /jane created[\s\S]*joe created/,
  ],
  ['kubectl certificate approve jane', /jane approved/],
  ['kubectl certificate deny joe', /joe denied/],
  [
    'for i in $(seq 60); do kubectl get csr | grep Issued && break; sleep 0.5; done; kubectl get csr',
    /jane .* Approved,Issued[\s\S]*joe .* Denied/,
  ],
  [
    'kubectl get csr jane -o jsonpath={.status.certificate} | base64 -d | openssl x509 -noout -subject',
    /CN = jane/,
  ],
  ['kubectl delete deployment web --cascade=orphan', /deleted/],
  ['kubectl delete rs,svc,cm,secret -l app=web --wait=false', /replicaset.apps "web-/],
  ['kubectl delete ns shop --timeout=60s', /namespace "shop" deleted/],
);
