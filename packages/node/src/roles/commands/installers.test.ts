/** The command lines that installers write: what of them is refused, and that nothing else is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRoleLine } from '../../../test/role-line.ts';

type Role = 'apiserver' | 'controllers' | 'scheduler';

/** Flags by their names; a list stands for a flag that is given several times. */
type Line = Readonly<Record<string, string | readonly string[]>>;

const file = '/etc/kubernetes/file';

/** cmd/kubeadm/app/phases/controlplane/manifests.go of 1.36, for an IPv4 cluster with etcd beside it. */
const kubeadm: Record<Role, Line> = {
  apiserver: {
    ...{ 'advertise-address': '10.0.0.1', 'allow-privileged': 'true', 'authorization-mode': 'Node,RBAC' },
    ...{ 'client-ca-file': file, 'enable-admission-plugins': 'NodeRestriction' },
    ...{ 'enable-bootstrap-token-auth': 'true', 'etcd-cafile': file, 'etcd-certfile': file },
    ...{ 'etcd-keyfile': file, 'etcd-servers': 'https://127.0.0.1:2379' },
    ...{ 'kubelet-client-certificate': file, 'kubelet-client-key': file },
    'kubelet-preferred-address-types': 'InternalIP,ExternalIP,Hostname',
    ...{ 'proxy-client-cert-file': file, 'proxy-client-key-file': file },
    ...{ 'requestheader-allowed-names': 'front-proxy-client', 'requestheader-client-ca-file': file },
    'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
    ...{ 'requestheader-group-headers': 'X-Remote-Group', 'requestheader-username-headers': 'X-Remote-User' },
    ...{ 'secure-port': '6443', 'service-account-issuer': 'https://kubernetes.default.svc.cluster.local' },
    ...{ 'service-account-key-file': file, 'service-account-signing-key-file': file },
    ...{ 'service-cluster-ip-range': '10.96.0.0/12', 'tls-cert-file': file, 'tls-private-key-file': file },
  },
  controllers: {
    ...{ 'allocate-node-cidrs': 'true', 'authentication-kubeconfig': file, 'authorization-kubeconfig': file },
    ...{ 'bind-address': '127.0.0.1', 'client-ca-file': file, 'cluster-cidr': '10.244.0.0/16' },
    ...{ 'cluster-name': 'kubernetes', 'cluster-signing-cert-file': file, 'cluster-signing-key-file': file },
    ...{ controllers: '*,bootstrapsigner,tokencleaner', kubeconfig: file, 'leader-elect': 'true' },
    ...{
      'requestheader-client-ca-file': file,
      'root-ca-file': file,
      'service-cluster-ip-range': '10.96.0.0/12',
    },
    ...{ 'service-account-private-key-file': file, 'use-service-account-credentials': 'true' },
  },
  scheduler: {
    ...{ 'authentication-kubeconfig': file, 'authorization-kubeconfig': file },
    ...{ 'bind-address': '127.0.0.1', kubeconfig: file, 'leader-elect': 'true' },
  },
};

/** What else there is, by who writes it; those on kubeadm write what they change. */
const lines: Record<string, Partial<Record<Role, Line>>> = {
  kubeadm,
  kind: {
    apiserver: { ...kubeadm.apiserver, 'runtime-config': '' },
    controllers: { ...kubeadm.controllers, 'enable-hostpath-provisioner': 'true', 'bind-address': '::' },
    scheduler: { ...kubeadm.scheduler, 'bind-address': '::1' },
  },
  minikube: {
    apiserver: {
      ...kubeadm.apiserver,
      'enable-admission-plugins':
        'NamespaceLifecycle,LimitRanger,ServiceAccount,DefaultStorageClass,DefaultTolerationSeconds,NodeRestriction,MutatingAdmissionWebhook,ValidatingAdmissionWebhook,ResourceQuota',
    },
    controllers: { ...kubeadm.controllers, 'leader-elect': 'false' },
    scheduler: { ...kubeadm.scheduler, 'leader-elect': 'false' },
  },
  kubespray: {
    apiserver: {
      ...{ ...kubeadm.apiserver, 'apiserver-count': '3', 'endpoint-reconciler-type': 'lease' },
      ...{ 'default-not-ready-toleration-seconds': '300', 'default-unreachable-toleration-seconds': '300' },
      ...{ 'anonymous-auth': 'True', 'bind-address': '::', 'etcd-compaction-interval': '5m0s' },
      ...{ 'service-node-port-range': '30000-32767', profiling: 'False', 'request-timeout': '1m0s' },
      ...{ 'enable-aggregator-routing': 'False', 'service-account-lookup': 'True', 'event-ttl': '1h0m0s' },
      ...{ 'storage-backend': 'etcd3', 'tls-min-version': 'VersionTLS12' },
    },
    controllers: {
      ...{ ...kubeadm.controllers, 'node-monitor-grace-period': '40s', 'node-monitor-period': '5s' },
      ...{ 'allocate-node-cidrs': 'false', profiling: 'False', 'terminated-pod-gc-threshold': '12500' },
      ...{ 'bind-address': '::', 'leader-elect-lease-duration': '15s', 'leader-elect-renew-deadline': '10s' },
      ...{ 'configure-cloud-routes': 'false', 'tls-min-version': 'VersionTLS12' },
      ...{ 'flex-volume-plugin-dir': file, 'tls-cipher-suites': 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256' },
    },
    scheduler: { ...kubeadm.scheduler, 'bind-address': '::', config: file, profiling: 'False' },
  },
  k3s: {
    apiserver: {
      ...{
        ...kubeadm.apiserver,
        'anonymous-auth': 'false',
        'cert-dir': '/var/lib/rancher/k3s/server/tls/temporary',
      },
      ...{ 'api-audiences': 'https://kubernetes.default.svc.cluster.local,k3s', 'bind-address': '127.0.0.1' },
      ...{ 'kubelet-certificate-authority': file, profiling: 'false', 'storage-backend': 'etcd3' },
      ...{ 'egress-selector-config-file': file, 'service-node-port-range': '30000-32767' },
    },
    controllers: {
      ...{ 'allocate-node-cidrs': 'true', 'bind-address': '127.0.0.1', 'cluster-cidr': '10.42.0.0/16' },
      ...{ 'authentication-kubeconfig': file, 'authorization-kubeconfig': file, profiling: 'false' },
      ...{ 'cluster-signing-kube-apiserver-client-cert-file': file },
      ...{ 'cluster-signing-kube-apiserver-client-key-file': file },
      ...{
        'cluster-signing-kubelet-client-cert-file': file,
        'cluster-signing-kubelet-client-key-file': file,
      },
      ...{
        'cluster-signing-kubelet-serving-cert-file': file,
        'cluster-signing-kubelet-serving-key-file': file,
      },
      ...{
        'cluster-signing-legacy-unknown-cert-file': file,
        'cluster-signing-legacy-unknown-key-file': file,
      },
      ...{
        'configure-cloud-routes': 'false',
        controllers: '*,tokencleaner,-service,-route,-cloud-node-lifecycle',
      },
      ...{
        kubeconfig: file,
        'root-ca-file': file,
        'secure-port': '10257',
        'service-cluster-ip-range': '10.43.0.0/16',
      },
      ...{ 'service-account-private-key-file': file, 'use-service-account-credentials': 'true' },
      ...{ 'tls-cert-file': file, 'tls-private-key-file': file },
    },
    scheduler: {
      ...{ ...kubeadm.scheduler, profiling: 'false', 'secure-port': '10259' },
      ...{ 'tls-cert-file': file, 'tls-private-key-file': file },
    },
  },
  kOps: {
    apiserver: {
      ...{ ...kubeadm.apiserver, 'anonymous-auth': 'false', 'api-audiences': 'kubernetes.svc.default' },
      ...{ 'apiserver-count': '1', 'bind-address': '0.0.0.0', 'storage-backend': 'etcd3', v: '2' },
      ...{ 'etcd-servers-overrides': '/events#https://127.0.0.1:4002', 'secure-port': '443' },
      ...{ 'service-account-jwks-uri': 'https://api.internal.example.com/openid/v1/jwks' },
    },
    controllers: {
      ...{ 'allocate-node-cidrs': 'true', 'attach-detach-reconcile-sync-period': '1m0s' },
      ...{
        'authentication-kubeconfig': file,
        'authorization-kubeconfig': file,
        'cloud-provider': 'external',
      },
      ...{ 'cluster-cidr': '100.96.0.0/11', 'cluster-name': 'minimal.example.com', 'leader-elect': 'true' },
      ...{
        'cluster-signing-cert-file': file,
        'cluster-signing-key-file': file,
        'configure-cloud-routes': 'false',
      },
      ...{ 'flex-volume-plugin-dir': file, kubeconfig: file, 'root-ca-file': file, v: '2' },
      ...{ 'service-account-private-key-file': file, 'tls-cert-file': file, 'tls-private-key-file': file },
      'use-service-account-credentials': 'true',
    },
    scheduler: {
      ...{ 'authentication-kubeconfig': file, 'authorization-kubeconfig': file, config: file },
      ...{ 'leader-elect': 'true', 'tls-cert-file': file, 'tls-private-key-file': file, v: '2' },
    },
  },
  Talos: {
    apiserver: {
      ...{ ...kubeadm.apiserver, 'admission-control-config-file': file, 'anonymous-auth': 'false' },
      ...{ 'api-audiences': 'https://10.5.0.1:6443', 'audit-log-maxage': '30', 'audit-log-maxbackup': '10' },
      ...{
        'audit-log-maxsize': '100',
        'audit-log-path': file,
        'audit-policy-file': file,
        profiling: 'false',
      },
      ...{
        'authorization-config': file,
        'encryption-provider-config': file,
        'tls-min-version': 'VersionTLS12',
      },
      'tls-cipher-suites':
        'TLS_AES_128_GCM_SHA256,TLS_AES_256_GCM_SHA384,TLS_CHACHA20_POLY1305_SHA256,TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305,TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
    },
    controllers: {
      ...{ ...kubeadm.controllers, controllers: '*,tokencleaner', 'configure-cloud-routes': 'false' },
      ...{ profiling: 'false', 'tls-min-version': 'VersionTLS13' },
    },
    scheduler: { ...kubeadm.scheduler, config: file, profiling: 'false', 'tls-min-version': 'VersionTLS13' },
  },
  Gardener: {
    apiserver: {
      ...{
        ...kubeadm.apiserver,
        'enable-aggregator-routing': 'true',
        'external-hostname': 'api.example.com',
      },
      ...{ 'etcd-servers-overrides': '/events#https://etcd-events-client:2379', 'token-auth-file': file },
      ...{ 'egress-selector-config-file': file, 'tls-sni-cert-key': `${file},${file}:*.example.com` },
    },
    controllers: {
      ...{ kubeconfig: file, 'authentication-kubeconfig': file, 'authorization-kubeconfig': file },
      ...{
        'allocate-node-cidrs': 'true',
        'attach-detach-reconcile-sync-period': '1m0s',
        'node-cidr-mask-size': '24',
      },
      ...{
        'cluster-cidr': '100.64.0.0/16',
        'cluster-name': 'shoot--a--b',
        'cluster-signing-duration': '720h0m0s',
      },
      ...{ 'cluster-signing-kube-apiserver-client-cert-file': file },
      ...{ 'cluster-signing-kube-apiserver-client-key-file': file },
      ...{
        'cluster-signing-kubelet-client-cert-file': file,
        'cluster-signing-kubelet-client-key-file': file,
      },
      ...{
        'cluster-signing-kubelet-serving-cert-file': file,
        'cluster-signing-kubelet-serving-key-file': file,
      },
      ...{
        'cluster-signing-legacy-unknown-cert-file': file,
        'cluster-signing-legacy-unknown-key-file': file,
      },
      ...{ 'concurrent-deployment-syncs': '50', 'concurrent-replicaset-syncs': '50' },
      ...{
        'concurrent-statefulset-syncs': '15',
        'concurrent-endpoint-syncs': '15',
        'concurrent-gc-syncs': '30',
      },
      ...{ 'concurrent-service-endpoint-syncs': '15', 'concurrent-namespace-syncs': '30' },
      ...{ 'concurrent-resource-quota-syncs': '15', 'concurrent-serviceaccount-token-syncs': '15' },
      ...{ controllers: '*,bootstrapsigner,tokencleaner', 'leader-elect': 'true' },
      ...{ 'horizontal-pod-autoscaler-cpu-initialization-period': '5m0s' },
      ...{ 'horizontal-pod-autoscaler-downscale-stabilization': '5m0s' },
      ...{ 'horizontal-pod-autoscaler-initial-readiness-delay': '30s' },
      ...{ 'horizontal-pod-autoscaler-sync-period': '15s', 'horizontal-pod-autoscaler-tolerance': '0.1' },
      ...{
        'node-monitor-grace-period': '40s',
        profiling: 'false',
        'root-ca-file': file,
        'secure-port': '10257',
      },
      ...{ 'service-account-private-key-file': file, 'service-cluster-ip-range': '100.112.0.0/13', v: '2' },
      ...{ 'tls-cert-file': file, 'tls-private-key-file': file, 'use-service-account-credentials': 'true' },
      'tls-cipher-suites': 'TLS_AES_128_GCM_SHA256,TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
    },
    scheduler: {
      ...{ config: file, 'authentication-kubeconfig': file, 'authorization-kubeconfig': file, v: '2' },
      ...{
        'client-ca-file': file,
        'tls-cert-file': file,
        'tls-private-key-file': file,
        'secure-port': '10259',
      },
    },
  },
  HyperShift: {
    controllers: {
      ...{ 'openshift-config': file, kubeconfig: file, 'authentication-kubeconfig': file },
      ...{
        'authorization-kubeconfig': file,
        'allocate-node-cidrs': 'false',
        'cert-dir': '/var/run/kubernetes',
      },
      ...{
        'cluster-signing-cert-file': file,
        'cluster-signing-key-file': file,
        'configure-cloud-routes': 'false',
      },
      controllers: ['*', '-ttl', '-bootstrapsigner', '-tokencleaner', 'selinux-warning-controller'],
      ...{ 'enable-dynamic-provisioning': 'true', 'flex-volume-plugin-dir': file, 'kube-api-burst': '300' },
      ...{ 'pv-recycler-pod-template-filepath-nfs': file, 'kube-api-qps': '150', 'leader-elect': 'true' },
      ...{ 'leader-elect-resource-lock': 'leases', 'leader-elect-renew-deadline': '12s' },
      ...{ 'leader-elect-retry-period': '3s', 'root-ca-file': file, 'secure-port': '10257' },
      ...{ 'service-account-private-key-file': file, 'use-service-account-credentials': 'true' },
      ...{ 'cluster-signing-duration': '17520h', 'tls-cert-file': file, 'tls-private-key-file': file },
      ...{ 'terminated-pod-gc-threshold': '1000', 'concurrent-gc-syncs': '5' },
    },
  },
  Kamaji: {
    apiserver: kubeadm.apiserver,
    controllers: { ...kubeadm.controllers, 'bind-address': '0.0.0.0' },
    scheduler: { ...kubeadm.scheduler, 'bind-address': '0.0.0.0' },
  },
};

/** What is not taken of them. That `selinux-warning-controller` is not there the controllers say that are chosen by its name. */
const refused: Record<string, readonly string[]> = {
  'HyperShift controllers': ['openshift-config', 'pv-recycler-pod-template-filepath-nfs'],
};

for (const [installer, roles] of Object.entries(lines))
  test(`what ${installer} writes is taken, but for what is refused by name`, () => {
    for (const [role, line] of Object.entries(roles) as [Role, Line][]) {
      const problems = Object.entries(line).flatMap(([name, values]) =>
        [values].flat().flatMap((value) => {
          const { flags, said } = readRoleLine(role, [`--${name}=${value}`]);
          return flags ? [] : [{ name, said }];
        }),
      );
      const names = problems.map(({ name }) => name).sort();
      assert.deepEqual(names, refused[`${installer} ${role}`] ?? [], JSON.stringify(problems));
      for (const { name, said } of problems)
        assert.match(said, name === 'openshift-config' ? /unknown option/ : /is not taken: /);
    }
  });
