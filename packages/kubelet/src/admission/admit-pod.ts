import type { Node } from '@wherry/kubeapi';
import { amountOf } from '../pod/amount.ts';
import { type AssignedPod, isStaticPod, isTerminalPhase } from '../pod/assigned-pod.ts';
import { podAmount } from '../pod/quality-of-service.ts';
import type { PodVerdict } from '../workers/pod-worker.ts';

/** What a pod is admitted against. */
export interface AdmissionFacts {
  pod: AssignedPod;
  /** Pods already admitted and not finished. */
  others: readonly AssignedPod[];
  allocatable: Readonly<Record<string, string>>;
  node: Node | undefined;
  allowedUnsafeSysctls: readonly string[];
}

const safeSysctls: readonly string[] = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
];

/** Why this node can't run the pod; undefined when it can. Asked once per pod, in upstream's order of rules. */
export function refusalOf(facts: AdmissionFacts): PodVerdict | undefined {
  const refusal =
    sysctlRefusal(facts) ?? selectorRefusal(facts) ?? taintRefusal(facts) ?? resourceRefusal(facts);
  if (!refusal) return undefined;
  const [reason, text] = refusal;
  return { phase: 'Failed', reason, message: `Pod was rejected: ${text}` };
}

type Refusal = [reason: string, text: string] | undefined;

function sysctlRefusal({ pod, allowedUnsafeSysctls }: AdmissionFacts): Refusal {
  for (const { name } of pod.spec.securityContext?.sysctls ?? []) {
    const dotted = name.replaceAll('/', '.');
    const isAllowed =
      safeSysctls.includes(dotted) ||
      allowedUnsafeSysctls.some((pattern) =>
        pattern.endsWith('*') ? dotted.startsWith(pattern.slice(0, -1)) : dotted === pattern,
      );
    if (!isAllowed) return ['SysctlForbidden', `forbidden sysctl: "${dotted}" not allowlisted`];
  }
  return undefined;
}

function selectorRefusal({ pod, node }: AdmissionFacts): Refusal {
  const os = pod.spec.os?.name;
  if (os && os !== 'linux')
    return ['PodOSNotSupported', `Failed to admit pod as the OS field doesn't match node OS`];
  const labels = node?.metadata.labels;
  const selector = Object.entries(pod.spec.nodeSelector ?? {});
  if (!labels || selector.every(([key, value]) => labels[key] === value)) return undefined;
  return ['NodeAffinity', "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector"];
}

function taintRefusal({ pod, node }: AdmissionFacts): Refusal {
  if (isStaticPod(pod)) return undefined;
  const taints = (node?.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
  const isTolerated = (taint: (typeof taints)[number]) =>
    (pod.spec.tolerations ?? []).some(
      ({ key, operator = 'Equal', value, effect }) =>
        (!effect || effect === taint.effect) &&
        (!key ? operator === 'Exists' : key === taint.key) &&
        (operator === 'Exists' || (value ?? '') === (taint.value ?? '')),
    );
  const untolerated = taints.find((taint) => !isTolerated(taint));
  if (!untolerated) return undefined;
  return [
    'TaintToleration',
    `Predicate TaintToleration failed: node had untolerated taint {${untolerated.key}: ${untolerated.value ?? ''}}`,
  ];
}

function resourceRefusal({ pod, others, allocatable }: AdmissionFacts): Refusal {
  const running = others.filter(
    (other) => other.metadata.uid !== pod.metadata.uid && !isTerminalPhase(other.status?.phase),
  );
  const podsMax = Number(allocatable['pods'] ?? Number.POSITIVE_INFINITY);
  if (running.length >= podsMax) return lack('pods', 1, running.length, podsMax);
  for (const resource of ['cpu', 'memory', 'ephemeral-storage']) {
    const scale = resource === 'cpu' ? 1_000 : 1;
    const requested = Math.ceil(podAmount(pod, 'requests', resource) * scale);
    if (requested === 0) continue;
    const used = running.reduce(
      (sum, other) => sum + Math.ceil(podAmount(other, 'requests', resource) * scale),
      0,
    );
    const capacity = Math.floor(amountOf(allocatable[resource] ?? '0') * scale);
    if (used + requested > capacity) return lack(resource, requested, used, capacity);
  }
  return undefined;
}

function lack(resource: string, requested: number, used: number, capacity: number): Refusal {
  const text = `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
  return [`OutOf${resource}`, text];
}
