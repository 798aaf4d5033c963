import type { Command } from 'commander';

/** Command lines that help shows, by the path of their command: each a sentence and a line that works. */
export const examples: Record<string, readonly [says: string, line: string][]> = {
  up: [
    ['A node with a pod to exec into, until Ctrl-C', 'wherry up --demo'],
    ['As a file describes it', 'wherry up --config node.yaml --detach'],
    [
      'A second node on the same machine, that lives on',
      'wherry up --data-dir /tmp/second --name second --detach',
    ],
  ],
  'service install': [
    ['A node that starts with the machine', 'sudo wherry service install'],
    ['As a file describes it', 'sudo wherry service install --config /etc/wherry/node.yaml'],
  ],
  'store copy': [
    [
      'A node’s cluster goes on in an etcd',
      'sudo wherry store copy --data-dir /var/lib/wherry --etcd-servers http://127.0.0.1:2379',
    ],
  ],
  envtest: [
    ['Its path, for KUBEBUILDER_ASSETS', 'wherry envtest'],
    ['In a folder of the project', 'wherry envtest --out bin/envtest'],
  ],
  get: [
    ['Pods with their addresses', 'wherry get pods -o wide'],
    ['One field of one object', "wherry get pod web -o jsonpath='{.status.podIP}'"],
    ['What a secret says', "wherry get secret db -o go-template='{{.data.password | base64decode}}'"],
  ],
  describe: [['All of a pod, and what happened to it', 'wherry describe pod web']],
  'cluster-info dump': [
    ['Of every namespace, into a folder', 'wherry cluster-info dump -A --output-directory=./state'],
  ],
  apply: [
    ['What a folder holds', 'wherry apply -f ./manifests'],
    ['What a kustomization makes', 'wherry apply -k ./overlays/production'],
    [
      'And delete what it no longer holds, of what is app=web',
      'wherry apply --server-side=false --prune -l app=web -f ./manifests',
    ],
  ],
  kustomize: [['What the folder of an overlay makes', 'wherry kustomize overlays/production']],
  diff: [
    ['What a folder would change', 'wherry diff -f ./manifests'],
    ['In colours', 'KUBECTL_EXTERNAL_DIFF="colordiff -N -u" wherry diff -f pod.yaml'],
  ],
  'create configmap': [['Of a folder of files', 'wherry create configmap settings --from-file=./settings']],
  'create deployment': [
    ['As YAML, and nothing else', 'wherry create deployment web --image=app --dry-run=client -o yaml'],
  ],
  'create job': [['What a CronJob would make, now', 'wherry create job now --from=cronjob/tick']],
  'create service clusterip': [
    ['For the pods that are app=web', 'wherry create service clusterip web --tcp=80:8080'],
  ],
  'create ingress': [
    [
      'All below a host, with its own certificate',
      "wherry create ingress web --rule='example.com/*=web:80,tls=web-cert'",
    ],
  ],
  'create role': [
    [
      'Look at pods and their logs',
      'wherry create role reader --verb=get,list,watch --resource=pods,pods/log',
    ],
  ],
  'create rolebinding': [
    [
      'For a user and a service account',
      'wherry create rolebinding reader --role=reader --user=ann --serviceaccount=work:robot',
    ],
  ],
  'kuberc set': [
    [
      'A shorter name for a command',
      'wherry kuberc set --section aliases --name getn --command get --prependarg nodes --option output=wide',
    ],
    [
      'Who deletes is asked first',
      'wherry kuberc set --section defaults --command delete --option interactive=true',
    ],
  ],
  'create token': [['Good for an hour', 'wherry create token robot --duration=1h']],
  delete: [['What a file holds', 'wherry delete -f pod.yaml']],
  run: [['A shell in a pod that goes with it', 'wherry run shell --image busybox -it --rm -- sh']],
  wait: [
    ['Until a pod is Ready', 'wherry wait pod/web --for=condition=Ready'],
    ['Until what is labelled is gone', 'wherry wait pods -l app=web --for=delete --timeout=60s'],
  ],
  'rollout status': [
    ['Until the new pods are available', 'wherry rollout status deployment/web --timeout=5m'],
  ],
  'rollout undo': [['Back to what it was before the last change', 'wherry rollout undo deployment/web']],
  scale: [['Three pods', 'wherry scale deployment/web --replicas=3']],
  patch: [
    ['Another image', `wherry patch pod web -p '{"spec":{"containers":[{"name":"c","image":"app:2"}]}}'`],
  ],
  edit: [
    ['In the editor of EDITOR', 'wherry edit deployment/web'],
    ['In another one', 'KUBE_EDITOR=nano wherry edit service/web'],
  ],
  label: [['Set one, take another away', 'wherry label pod web tier=front old-']],
  annotate: [['Also where it has another value', "wherry annotate pod web note='of the team' --overwrite"]],
  'set image': [
    ['Of the container app', 'wherry set image deployment/web app=app:2'],
    ['Of all containers', "wherry set image deployment/web '*=app:2'"],
  ],
  'set env': [
    ['Set one, take another away', 'wherry set env deployment/web STAGE=test OLD-'],
    ['All keys of a secret', 'wherry set env deployment/web --from=secret/keys --prefix=APP_'],
    ['What there is', 'wherry set env deployment/web --list'],
  ],
  'set resources': [
    [
      'Of the container app',
      'wherry set resources deployment/web -c app --limits=memory=256Mi --requests=cpu=100m',
    ],
  ],
  'set serviceaccount': [['Of pods to come', 'wherry set serviceaccount deployment/web robot']],
  'set selector': [['Other pods behind a service', 'wherry set selector service/web app=web,stage=green']],
  'set subject': [
    ['One more user, and a group', 'wherry set subject rolebinding/reader --user=ann --group=devs'],
  ],
  expose: [
    ['At port 80, whatever the pods listen at', 'wherry expose deployment/web --port=80 --target-port=8080'],
  ],
  'auth can-i': [
    ['As somebody else', 'wherry auth can-i delete pods --as=ann'],
    ['All that may be done here', 'wherry auth can-i --list'],
  ],
  'auth reconcile': [
    ['Nothing but what the file says', 'wherry auth reconcile -f rbac.yaml --remove-extra-permissions'],
  ],
  'certificate approve': [['Of a kubelet that has just come', 'wherry certificate approve csr-sqgzp']],
  drain: [['Before work on a node', 'wherry drain worker --ignore-daemonsets --delete-emptydir-data']],
  taint: [
    ['For pods of one team alone', 'wherry taint nodes worker team=a:NoSchedule'],
    ['For all again', 'wherry taint nodes worker team-'],
  ],
  uncordon: [['After it', 'wherry uncordon worker']],
  events: [['What happened to a pod', 'wherry events --for pod/web']],
  explain: [
    ['What a field is for', 'wherry explain deployment.spec.strategy'],
    ['All fields of a type', 'wherry explain pod --recursive'],
    ['Why a pod is not Ready, and what took how long', 'wherry explain pod web'],
  ],
  'top nodes': [['Nodes, the busiest first', 'wherry top nodes --sort-by cpu']],
  'top pods': [
    ['What each container takes', 'wherry top pods --containers'],
    ['All pods of the cluster and their sum, the largest first', 'wherry top pods -A --sort-by memory --sum'],
  ],
  'config view': [['What one context needs, in one file', 'wherry config view --minify --flatten']],
  'config set-context': [['Another namespace', 'wherry config set-context --current --namespace=work']],
  'config set-credentials': [
    [
      'Credentials by a program',
      'wherry config set-credentials ann --exec-command=login --exec-api-version=client.authentication.k8s.io/v1',
    ],
  ],
  kubeconfig: [['The node as the current context', 'sudo wherry kubeconfig --merge']],
  'image pull': [
    ['As a user of the registry', 'wherry image pull --creds ann:secret registry.example.com/app'],
  ],
  'image push': [['Under another name', 'wherry image push app --as registry.example.com/app']],
  'image save': [['For docker', 'wherry image save app -o - | docker load']],
  'image prune': [['All that no container uses', 'wherry image prune --all']],
  down: [['End the node and remove everything of it', 'wherry down --purge']],
  status: [['Where the API server is, for a script', 'wherry status -o json']],
  doctor: [['What this machine lacks', 'wherry doctor']],
  exec: [
    ['A shell in a pod', 'wherry exec -it web -- sh'],
    ['Write a file from standard input', "echo hello | wherry exec -i web -- sh -c 'cat > /tmp/file'"],
  ],
  attach: [['Join the process of a pod; ctrl-p,ctrl-q leaves it running', 'wherry attach -it web']],
  debug: [
    [
      'A shell beside the container app, whose processes it sees',
      'wherry debug web -it --image=busybox --target=app -- sh',
    ],
    [
      'A copy of the pod with another command',
      'wherry debug web -it --copy-to=web-debug --container=app -- sh',
    ],
    ['On a node, whose files are below /host', 'wherry debug node/worker -it --image=busybox -- sh'],
  ],
  'port-forward': [["The pod's port 8080 on port 8000 of this machine", 'wherry port-forward web 8000:8080']],
  logs: [['The last ten lines, and what comes', 'wherry logs -f --tail 10 web']],
  sessions: [
    ['Who is in which pod, of every namespace, as it changes', 'wherry sessions -A -w'],
    ['Those too that have just ended, with their commands', 'wherry sessions --ended -o wide'],
  ],
  'sessions show': [['Every hop of a session', 'wherry sessions show 1f0c9a3e']],
  console: [
    ['In the browser of the desktop, on the cluster of a context', 'wherry console --open --context work'],
  ],
  proxy: [
    ['The API at a free port', 'wherry proxy --port=0'],
    [
      'With the files of a folder beside it',
      'wherry proxy --www=./site --www-prefix=/site/ --api-prefix=/api/',
    ],
  ],
  cp: [['A folder into a pod, and a file back', 'wherry cp ./site web:/srv/site']],
  'image load': [['Images that docker saved', 'docker save app | wherry image load -']],
  'image build': [['An image of a folder', 'wherry image build app --from ./rootfs --cmd /bin/app']],
  'image list': [['Names only', 'wherry image list -o name']],
  'cri ps': [['The containers of containerd', 'wherry cri ps -r /run/containerd/containerd.sock']],
  completion: [
    ['For this shell', 'source <(wherry completion bash)'],
    ['For every fish', 'wherry completion fish > ~/.config/fish/completions/wherry.fish'],
  ],
};

/** Puts the examples behind the help of their commands. */
export function addExamples(program: Command): void {
  visit(program, [], (command, path) => {
    const own = Object.hasOwn(examples, path) ? examples[path] : undefined;
    if (own) command.addHelpText('after', `\nExamples:\n${own.map(format).join('\n')}`);
  });
}

const format = ([says, line]: readonly [string, string]) => `  # ${says}\n  ${line}`;

function visit(command: Command, path: string[], see: (command: Command, path: string) => void): void {
  see(command, path.join(' '));
  for (const child of command.commands) visit(child, [...path, child.name()], see);
}
