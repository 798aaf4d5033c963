import { Command, InvalidArgumentError, Option } from 'commander';
import { addAccessFlags } from '../flags/access-flags.ts';
import { addInheritedFlags, withReason } from '../flags/apiserver-flags.ts';
import { addAuditFlags } from '../flags/audit-flags.ts';
import { addComponentFlags, addManagerComponentFlags } from '../flags/component-flags.ts';
import { addEtcdFlags } from '../flags/etcd-flags.ts';
import {
  collect,
  collectList,
  collectPrograms,
  collectSwitches,
  parseAddress,
  parseFraction,
  parseInteger,
  parsePort,
  parseSwitch,
  parseTimeMs,
  parseWhole,
} from '../flags/flag-values.ts';
import { addGateFlags } from '../flags/gate-flags.ts';
import { withManagerReason } from '../flags/manager/absent-manager-flags.ts';
import { addAutoscalerFlags } from '../flags/manager/autoscaler-flags.ts';
import { addConcurrencyFlags } from '../flags/manager/concurrency-flags.ts';
import { addElectionFlags } from '../flags/manager/election-flags.ts';
import { addSigningFlags } from '../flags/manager/signing-flags.ts';
import { addKubeletConfigurationFlags, withKubeletReason } from '../flags/nodes/kubelet-flags.ts';
import { addProxyFlags, withNetworkReason } from '../flags/nodes/network-flags.ts';
import { addNodeLifecycleFlags } from '../flags/nodes/node-lifecycle-flags.ts';
import { addNodeRangeFlags } from '../flags/nodes/node-range-flags.ts';
import { addOidcFlags } from '../flags/oidc-flags.ts';
import { addSchedulerFlags } from '../flags/scheduler-flags.ts';
import { addServingFlags } from '../flags/serving-flags.ts';
import { addSettledFlags, settledOfControllers, settledOfManagers } from '../flags/settled-flags.ts';
import { showFlags } from '../flags/shown-flags.ts';
import { addVersionFlag } from '../flags/version-flag.ts';
import { addWarnedFlags, warnedOfControllers, warnedOfManagers } from '../flags/warned-flags.ts';

/** What runs each process of a node, until it ends, by the flags that its command has read. */
export interface RoleRunners {
  apiserver(flags: object): Promise<void>;
  controllers(flags: object): Promise<void>;
  scheduler(flags: object): Promise<void>;
  network(flags: object): Promise<void>;
  kubelet(flags: object): Promise<void>;
  runtime(flags: object): Promise<void>;
  monitor(flags: object): Promise<void>;
}

/** `apiserver`, `controllers`, `scheduler`, `network`, `kubelet`, `runtime`, `monitor`: each part alone, under upstream's flag names where it has them. */
export function addRoleCommands(program: Command, run: RoleRunners): void {
  program.addCommand(addVersionFlag(showFlags(apiserverCommand(run))));
  program.addCommand(addVersionFlag(showFlags(controllersCommand(run))));
  program.addCommand(addVersionFlag(showFlags(schedulerCommand(run))));
  program.addCommand(addVersionFlag(showFlags(networkCommand(run))));
  program.addCommand(addVersionFlag(showFlags(kubeletCommand(run))));
  program.addCommand(runtimeCommand(run));
  program.addCommand(monitorCommand(run));
}

/** `-v N` as Kubernetes components have it: 4 and above is debug. */
function verbosityOption(): Option {
  return new Option('-v, --v <level>', 'verbosity; 4 and above logs details')
    .argParser(parseWhole)
    .default(2);
}

const authorizationModes = ['Node', 'RBAC', 'ABAC', 'Webhook', 'AlwaysAllow', 'AlwaysDeny'];

function collectModes(value: string, previous?: string[]): string[] {
  const modes = collectList(value, previous);
  const unknown = modes.find((mode) => !authorizationModes.includes(mode));
  if (unknown) throw new InvalidArgumentError(`"${unknown}" is none of ${authorizationModes.join(', ')}`);
  const repeated = modes.find((mode, index) => modes.indexOf(mode) < index);
  if (repeated) throw new InvalidArgumentError(`"${repeated}" stands there more than once`);
  return modes;
}

const tracingText = 'TracingConfiguration, YAML: where spans go (OTLP) and how many (default: none)';

function apiserverCommand(run: RoleRunners): Command {
  const command = addGateFlags(addEtcdFlags(addServingFlags(addInheritedFlags(new Command('apiserver')))));
  return addAccessFlags(addOidcFlags(addAuditFlags(command)))
    .description('the API server')
    .configureOutput({ outputError: (text, write) => write(withReason(text)) })
    .option('--data-dir <dir>', 'folder of the store; has to be given where --etcd-servers is not')
    .option('--bind-address <ip>', 'address to listen on', parseAddress, '0.0.0.0')
    .option('--secure-port <port>', 'port to listen on, 0 for any', parsePort, 6443)
    .option('--advertise-address <ip>', 'address that pods and nodes are told', parseAddress)
    .option(
      '--http2-max-streams-per-connection <n>',
      'requests of one HTTP/2 connection at one time (default: 100)',
      parseWhole,
    )
    .addOption(
      new Option('--disable-http2-serving [switch]', 'HTTP/1.1 alone (default: false)')
        .argParser(parseSwitch)
        .preset('true'),
    )
    .option(
      '--encryption-provider-config <file>',
      'which resources are encrypted in the store, and how: an EncryptionConfiguration, YAML',
    )
    .addOption(
      new Option(
        '--encryption-provider-config-automatic-reload [switch]',
        'that file is followed when it changes (default: false)',
      )
        .argParser(parseSwitch)
        .preset('true'),
    )
    .option(
      '--goaway-chance <fraction>',
      'probability that a request is an HTTP/2 connection’s last, 0 to 0.02 (default: 0)',
      (value: string) => parseFraction(value, 0.02),
    )
    .option('--client-ca-file <file>', 'CA of client certificates (default: none names a user)')
    .option('--token-auth-file <file>', 'CSV of static bearer tokens')
    .addOption(
      new Option(
        '--enable-bootstrap-token-auth [switch]',
        'bootstrap tokens, secrets of kube-system, let machines in (default: false)',
      )
        .argParser(parseSwitch)
        .preset('true'),
    )
    .addOption(
      new Option(
        '--authorization-mode <modes>',
        `${authorizationModes.join(', ')}; asked in this order`,
      ).argParser(collectModes),
    )
    .option('--service-account-key-file <file>', 'key whose tokens are accepted; may be repeated', collect)
    .requiredOption('--service-account-signing-key-file <file>', 'private key of service account tokens')
    .option(
      '--service-account-issuer <url>',
      'issuer of service account tokens; may be repeated: those of the others are accepted (default: https://kubernetes.default.svc.cluster.local)',
      collect,
    )
    .option('--service-account-jwks-uri <url>', 'where others find their keys (default: below the issuer)')
    .addOption(
      new Option(
        '--service-account-extend-token-expiration [switch]',
        'tokens that admission puts into pods live a year instead of what they are asked for (default: true)',
      )
        .argParser(parseSwitch)
        .preset('true'),
    )
    .option('--api-audiences <list>', 'accepted audiences (default: the issuers)', collectList)
    .option(
      '--service-cluster-ip-range <cidrs>',
      'cluster IPs of services, of one family or both (default: 10.96.0.0/16)',
    )
    .option('--kubelet-certificate-authority <file>', "CA of kubelets' serving certificates")
    .option('--kubelet-client-certificate <file>', 'client certificate towards kubelets')
    .option('--kubelet-client-key <file>', 'its key')
    .option(
      '--egress-selector-config-file <file>',
      'proxies that lead to nodes and webhooks: EgressSelectorConfiguration, YAML',
    )
    .option('--proxy-client-cert-file <file>', 'client certificate towards extension servers')
    .option('--proxy-client-key-file <file>', 'its key')
    .option(
      '--requestheader-client-ca-file <file>',
      'CA of that certificate, as extension servers are told, and of proxies that say who asks',
    )
    .option(
      '--requestheader-allowed-names <list>',
      'common names that they may have (default: any)',
      collectList,
    )
    .option(
      '--kubelet-preferred-address-types <types>',
      'which address of a node is taken first',
      collectList,
    )
    .option('--enable-admission-plugins <names>', 'admission plug-ins beyond the usual ones', collectList)
    .option('--disable-admission-plugins <names>', 'usual admission plug-ins to leave out', collectList)
    .option(
      '--admission-control-config-file <file>',
      'AdmissionConfiguration: what admission plug-ins are told, YAML',
    )
    .option('--tracing-config-file <file>', tracingText)
    .option(
      '--local-node <names>',
      'nodes whose kubelets may be at a loopback address of this machine',
      collectList,
    )
    .option(
      '--runtime-config <switches>',
      'serve more or less, e.g. apps/v1=true for controllers that run elsewhere',
      collectSwitches,
    )
    .addOption(verbosityOption())
    .action(run.apiserver);
}

function controllersCommand(run: RoleRunners): Command {
  const flags = addNodeLifecycleFlags(addSigningFlags(new Command('controllers')));
  addSettledFlags(addGateFlags(flags), [...settledOfManagers, ...settledOfControllers]);
  addWarnedFlags(flags, [...warnedOfManagers, ...warnedOfControllers]);
  addElectionFlags(addAutoscalerFlags(addConcurrencyFlags(flags)), 'kube-controller-manager');
  return addManagerComponentFlags(addNodeRangeFlags(flags))
    .description('the scheduler and the other controllers')
    .configureOutput({ outputError: (text, write) => write(withManagerReason(text)) })
    .addOption(
      new Option(
        '--use-service-account-credentials [switch]',
        'each controller acts as a service account of its own, and the scheduler runs only with --scheduler-kubeconfig (default: false)',
      )
        .argParser(parseSwitch)
        .preset('true'),
    )
    .addOption(
      new Option('--cloud-provider <name>', 'external, or none: there is none in here').choices([
        'external',
        '',
      ]),
    )
    .addOption(new Option('--cidr-allocator-type <name>', 'RangeAllocator alone').choices(['RangeAllocator']))
    .requiredOption('--kubeconfig <file>', 'credentials towards the API server')
    .option(
      '--legacy-service-account-token-clean-up-period <duration>',
      'how long nobody has used a token in a secret before it is marked as invalid, and then deleted (default: 8760h)',
      parseTimeMs,
    )
    .option(
      '--terminated-pod-gc-threshold <n>',
      'finished pods that are kept before the oldest are deleted; 0 and below: all (default: 12500)',
      parseInteger,
    )
    .option('--scheduler-kubeconfig <file>', 'those of the scheduler (default: the same)')
    .option('--scheduler-config <file>', 'KubeSchedulerConfiguration, YAML or JSON (default: one profile)')
    .requiredOption('--root-ca-file <file>', 'CA that pods find in kube-root-ca.crt')
    .option('--local-path-dir <dir>', 'folder of this machine for volumes of the class `standard`')
    .option('--local-path-node <names>', 'the nodes on this machine, whose pods get them', collectList)
    .option(
      '--load-balancer-node <name>',
      'node of this machine, whose address services of type LoadBalancer get',
    )
    .addOption(
      new Option(
        '--load-balancer [switch]',
        'false: they get none, and what they have is taken back (default: true)',
      )
        .argParser(parseSwitch)
        .preset('true'),
    )
    .option(
      '--service-account-private-key-file <file>',
      'signs tokens that live in secrets (default: none are)',
    )
    .option('--controllers <list>', '"*", "name" or "-name" for each (default: *)', collectList)
    .addOption(verbosityOption())
    .action(run.controllers);
}

function schedulerCommand(run: RoleRunners): Command {
  const flags = addSettledFlags(addGateFlags(new Command('scheduler')), settledOfManagers);
  addWarnedFlags(flags, warnedOfManagers);
  return addComponentFlags(addSchedulerFlags(flags), 'scheduler')
    .description("the scheduler alone, in kube-scheduler's place")
    .configureOutput({ outputError: (text, write) => write(withManagerReason(text)) })
    .addOption(verbosityOption())
    .action(run.scheduler);
}

function networkCommand(run: RoleRunners): Command {
  const command = new Command('network')
    .description("services' addresses and ports lead to their endpoints, names to addresses")
    .configureOutput({ outputError: (text, write) => write(withNetworkReason(text)) })
    .option('--bridge <name>', 'bridge that pods are plugged into', 'wherry0')
    .option('--foreign-bridges <name*>', 'bridges of other nodes of this machine: their pods are led nowhere')
    .option(
      '--service-cluster-ip-range <cidrs>',
      'addresses of services (default: 10.96.0.0/16; with --config what the cluster says)',
    )
    .option(
      '--pod-cidr <cidrs>',
      'addresses of pods, which may ask for names; has to be given where neither --config nor --cluster-cidr is',
    )
    .addOption(
      new Option(
        '--network-policies [switch]',
        'enforce them at the built-in bridge (default: true; with --config false)',
      )
        .argParser(parseSwitch)
        .preset('true'),
    )
    .option('--dns-bind-address <ip>', 'address of the cluster DNS on this machine; without it there is none')
    .option('--cluster-dns <ip>', 'address of the cluster DNS as pods know it', '10.96.0.10')
    .option('--cluster-domain <name>', 'domain of the cluster', 'cluster.local')
    .option('--resolv-conf <file>', 'resolvers for names outside the cluster', '/etc/resolv.conf')
    .option(
      '-v, --v <level>',
      'verbosity; 4 and above logs details (default: that of the configuration)',
      parseWhole,
    )
    .action(run.network);
  return addProxyFlags(command);
}

function kubeletCommand(run: RoleRunners): Command {
  const command = new Command('kubelet')
    .description('the node agent')
    .configureOutput({ outputError: (text, write) => write(withKubeletReason(text)) })
    .option('--config <file>', 'KubeletConfiguration, YAML or JSON')
    .option(
      '--config-dir <dir>',
      'further KubeletConfigurations, *.conf, merged over it in the order of their names',
    )
    .option('--kubeconfig <file>', 'credentials towards the API server; without it only static pods run')
    .option(
      '--bootstrap-kubeconfig <file>',
      'credentials to ask for a certificate with; --kubeconfig is then made',
    )
    .option('--root-dir <dir>', 'folder for volumes and state', '/var/lib/kubelet')
    .option('--cert-dir <dir>', 'folder for certificates it makes or asks for')
    .option('--hostname-override <name>', 'name of the node (default: the host name)')
    .option('--node-ip <ip>', 'address of the node')
    .option(
      '--cloud-provider <name>',
      'external: addresses of the node are said by a cloud’s controller (default: none)',
    )
    .option('--node-labels <labels>', 'labels of the node, name=value', collectList)
    .option(
      '--image-credential-provider-config <path>',
      'CredentialProviderConfig: which programs know logins of registries; a folder has several',
    )
    .option('--image-credential-provider-bin-dir <dir>', 'folder of those programs')
    .option('--runtime-cgroups <path>', 'control group of the runtime, whose figures are told in the summary')
    .option('--lock-file <path>', 'file whose lock the kubelet waits for, and holds until it ends')
    .addOption(
      new Option(
        '--exit-on-lock-contention [switch]',
        'end when another process opens the file of the lock (default: false)',
      )
        .argParser(parseSwitch)
        .preset('true'),
    )
    .addOption(verbosityOption())
    .action(run.kubelet);
  return addKubeletConfigurationFlags(command);
}

function runtimeCommand(run: RoleRunners): Command {
  return new Command('runtime')
    .description('the CRI runtime: images, sandboxes, container records')
    .requiredOption('--data-dir <dir>', 'folder of images and records')
    .requiredOption('--address <socket>', 'CRI socket to listen on')
    .requiredOption('--monitor-address <socket>', 'socket of the monitor')
    .option(
      '--image-address <socket>',
      'socket for `wherry image` (default: images.sock beside the CRI socket)',
    )
    .option('--bridge <name>', 'bridge that pods are plugged into', 'wherry0')
    .option(
      '--pod-cidr <cidrs>',
      'addresses of pods, one range or one of each family, or `kubelet`: none before it names them (default: what the kubelet says, else 10.88.0.0/16)',
    )
    .option(
      '--peer-bridges <name*>',
      "bridges of other nodes of this machine, whose pods see pods' own addresses",
    )
    .option('--pod-mtu <bytes>', "largest packet of the built-in network (default: the kernel's)", parseWhole)
    .option('--cni-conf-dir <dir>', "connect pods by CNI: the folder's first file is their network")
    .option('--cni-bin-dir <dirs>', 'folders of CNI plug-ins (default: /opt/cni/bin)', collectList)
    .option('--blocked-cidr <cidrs>', 'ranges that pods are refused at once', collectList)
    .addOption(
      new Option(
        '--cgroup-driver <name>',
        'who makes control groups; systemd where it has started the machine',
      )
        .choices(['cgroupfs', 'systemd'])
        .default('cgroupfs'),
    )
    .option(
      '--cgroup-root <path>',
      'cgroup of pods that name none (default: /wherry, with the driver systemd wherry.slice)',
    )
    .option(
      '--cdi-spec-dirs <dirs>',
      'folders of files that describe CDI devices, the last one first (default: /etc/cdi,/var/run/cdi)',
      collectList,
    )
    .option(
      '--nri-socket <socket>',
      'socket for plug-ins of the Node Resource Interface (default: none can connect)',
    )
    .option(
      '--oci-runtime <program>',
      "what runs pods that ask for no handler: runc, crun or a path (default: the monitor's)",
    )
    .option(
      '--runtime-handler <name=program>',
      'a runtime handler for RuntimeClasses, by its OCI runtime; may be repeated',
      collectPrograms,
    )
    .option('--registry-config <dir>', "registries: containerd's HOST/hosts.toml, or registries.conf")
    .option('--tracing-config-file <file>', tracingText)
    .option('--discard-unpacked-layers', 'keep no packed layers: less disk, no push or save')
    .addOption(
      new Option(
        '--restore-checkpoint-images [switch]',
        'bring containers back from images that are checkpoints: whoever makes such an image may do here what root may',
      )
        .argParser(parseSwitch)
        .preset(true),
    )
    .addOption(verbosityOption())
    .action(run.runtime);
}

function monitorCommand(run: RoleRunners): Command {
  return new Command('monitor')
    .description('the parent of every container: stdio, logs, exit codes, streaming server')
    .requiredOption('--data-dir <dir>', 'folder of records')
    .requiredOption('--address <socket>', 'socket to listen on')
    .option('--stream-server-address <ip>', 'address of the streaming server', '127.0.0.1')
    .option('--stream-server-port <port>', 'its port, 0 for any', parsePort, 0)
    .option('--oci-runtime <program>', 'runc, crun or a path (default: whichever works)')
    .addOption(verbosityOption())
    .action(run.monitor);
}
