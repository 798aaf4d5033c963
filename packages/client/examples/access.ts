import { accessFrom, type ClusterAccess, KubeClient, parseKubeconfig } from '@wherry/client';

// A kubeconfig need not be a file: here the cluster is behind a proxy, below a path, and a plugin logs in.
const kubeconfig = parseKubeconfig(
  `
apiVersion: v1
kind: Config
current-context: work
contexts: [{ name: work, context: { cluster: rancher, user: me, namespace: shop } }]
clusters:
- name: rancher
  cluster: { server: 'https://rancher.example/k8s/clusters/c-1', proxy-url: 'socks5://127.0.0.1:1080' }
users:
- name: me
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      interactiveMode: Never
      command: sh
      args:
      - -c
      - |
        cat <<END
        { "kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1",
          "status": { "token": "secret" } }
        END
`,
  'inline',
);
const access: ClusterAccess = accessFrom(kubeconfig, { impersonate: { user: 'jane', groups: ['dev'] } });
const client = new KubeClient({ access, requestTimeoutMs: 5_000 });
console.log(client.access.server.href, 'through', access.proxy?.href);
console.log(access.namespace, access.headers());

// Nothing has run yet: the plugin is asked by the first request, or by hand.
console.log(await access.credentials?.current());

// Prints:
// https://rancher.example/k8s/clusters/c-1 through socks5://127.0.0.1:1080
// shop { 'impersonate-user': 'jane', 'impersonate-group': [ 'dev' ] }
// { token: 'secret' }
