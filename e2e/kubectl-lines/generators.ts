import { images, lines, sleep, type Topic } from './lines.ts';

/** `kubectl create` for every kind that it knows words for. */
export const generators: Topic = lines(
  ['kubectl create namespace shop', /namespace\/shop created/],
  [
    'kubectl create configmap settings --from-literal=a=1 --from-file=hosts=/etc/hosts',
    /configmap\/settings created/,
  ],
  ['kubectl get configmap settings -o jsonpath={.data.hosts}', /localhost/],
  [
    'printf "A=1\\nB=2\\n" > env; kubectl create configmap from-env --from-env-file=env',
    /configmap\/from-env created/,
  ],
  ['kubectl create secret generic key --from-literal=word=hush --type=charts/key', /secret\/key created/],
  [
    'kubectl create secret docker-registry pull --docker-server=r.example.com --docker-username=u --docker-password=p',
    /secret\/pull created/,
  ],
  ['kubectl get secret pull -o jsonpath={.type}', /^kubernetes\.io\/dockerconfigjson$/],
  [
    'openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=shop -keyout tls.key -out tls.crt 2>/dev/null; kubectl create secret tls cert --cert=tls.crt --key=tls.key',
    /secret\/cert created/,
  ],
  ['kubectl create serviceaccount robot', /serviceaccount\/robot created/],
  ['kubectl create token robot --duration=20m', /^[\w-]+\.[\w-]+\.[\w-]+\s*$/, 24],
  [
    'kubectl create role reader --verb=get,list --resource=pods,pods/log',
    /role.rbac.authorization.k8s.io\/reader created/,
  ],
  ['kubectl create rolebinding reader --role=reader --serviceaccount=default:robot', /reader created/],
  [
    'kubectl create clusterrole sees-nodes --verb=get --resource=nodes --resource-name=e2e',
    /sees-nodes created/,
  ],
  ['kubectl create clusterrole readyz --verb=get --non-resource-url=/readyz', /readyz created/],
  [
    'kubectl create clusterrolebinding sees-nodes --clusterrole=sees-nodes --user=jane --group=people',
    /sees-nodes created/,
  ],
  [
    'kubectl create quota small --hard=configmaps=20,count/ingresses.networking.k8s.io=2',
    /resourcequota\/small created/,
  ],
  [
    'kubectl create priorityclass high --value=1000 --preemption-policy=Never --description=first',
    /priorityclass.scheduling.k8s.io\/high created/,
    21,
  ],
  [
    'kubectl create ingress web --class=none "--rule=web.example.com/shop*=web:80,tls=cert" --annotation a=b',
    /ingress.networking.k8s.io\/web created/,
  ],
  ['kubectl describe ingress web', /web\.example\.com\s+\/shop +web:80/],
  ['kubectl create service clusterip inner --tcp=80:8080', /service\/inner created/],
  ['kubectl create service clusterip headless --clusterip=None --tcp=80', /service\/headless created/],
  ['kubectl create service nodeport outer --tcp=80', /service\/outer created/],
  ['kubectl create service loadbalancer balanced --tcp=443:8443', /service\/balanced created/],
  ['kubectl create service externalname alias --external-name=www.example.com', /service\/alias created/],
  [
    'kubectl get services --sort-by=.spec.type -o custom-columns=N:.metadata.name,T:.spec.type --no-headers',
    /ClusterIP[\s\S]*alias +ExternalName[\s\S]*balanced +LoadBalancer[\s\S]*outer +NodePort/,
  ],
  [`kubectl create job sum --image=${images[0]} -- sh -c 'echo $((6*7))'`, /job.batch\/sum created/],
  ['kubectl wait --for=condition=complete job/sum --timeout=60s', /job.batch\/sum condition met/],
  ['kubectl logs job/sum', /^42$/m],
  [
    `kubectl create cronjob nightly --image=${images[0]} --schedule="0 4 * * *" -- true`,
    /cronjob.batch\/nightly created/,
    21,
  ],
  ['kubectl create job tonight --from=cronjob/nightly', /job.batch\/tonight created/, 21],
  [
    `kubectl create deployment web --image=${images[0]} --replicas=2 --port=8080 -- ${sleep}`,
    /deployment.apps\/web created/,
  ],
  [
    'kubectl create poddisruptionbudget web --selector=app=web --max-unavailable=2',
    /poddisruptionbudget.policy\/web created/,
    21,
  ],
  [
    `kubectl create deployment dry --image=a --image=b --dry-run=client -o yaml`,
    /image: a\n[\s\S]*image: b\n/,
  ],
  ['kubectl create configmap dry --dry-run=server -o name', /^configmap\/dry$/m],
  [
    `echo '{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"made-"}}]}' | kubectl create -f -`,
    /configmap\/made-\w{5} created/,
  ],
);
