import { internalError, invalid, type Pod } from '@wherry/kubeapi';
import { limits, periods } from '../../limits.ts';
import { as } from '../../objects/api-object.ts';
import { type AdmissionPlugin, type AdmissionRequest, type AdmissionRule, refused } from '../admission.ts';
import type { PluginConfiguration } from '../plugin-configurations.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { defaultConfiguration, type PodSecurityConfiguration, readPodSecurity } from './configuration.ts';
import { detailText, violations } from './evaluate.ts';
import { existingPodWarnings } from './existing-pods.ts';
import { PodSecurityMetrics } from './metrics.ts';
import { isSignificant, podOfWorkload, workloads } from './pod-of.ts';
import {
  compareLevels,
  isEquivalent,
  labelPrefix,
  levelLabel,
  modes,
  type Policy,
  policyOf,
  policyText,
  versionLabel,
} from './policy.ts';

type Parts = Pick<PluginParts, 'caches' | 'pods' | 'metrics' | 'clock' | 'logger'>;

/**
 * The Pod Security Standards: by labels of its namespace a pod is refused, told of, or noted, when it may do more than
 * a level allows (upstream: pod-security-admission). What is noted (`audit`) stands in the audit log, and in this server's.
 */
export const podSecurity = (parts: Parts): AdmissionPlugin => new PodSecurity(parts);

class PodSecurity implements AdmissionPlugin {
  readonly name = 'PodSecurity';
  /** The other sub-resources of pods can't change what a pod is. */
  readonly handles: readonly AdmissionRule[] = [
    {
      operations: ['CREATE', 'UPDATE'],
      resources: ['/namespaces', '/pods', '/pods/ephemeralcontainers', '/pods/resize', ...workloads],
    },
  ];
  readonly #parts: Parts;
  #configuration: PodSecurityConfiguration = defaultConfiguration;
  readonly #metrics: PodSecurityMetrics;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#metrics = new PodSecurityMetrics(parts.metrics);
  }

  configure(given: PluginConfiguration | undefined): void {
    if (given) this.#configuration = readPodSecurity(given);
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const { group, plural } = request.resource;
    const kind = `${group}/${plural}`;
    if (kind === '/namespaces') await this.#validateNamespace(request);
    else if (kind === '/pods') this.#validatePod(request);
    else {
      const pod = podOfWorkload(kind, request.object!);
      if (pod) this.#judge(request, pod, { enforces: false });
    }
  }

  #validatePod(request: AdmissionRequest): void {
    const pod = as<Pod>(request.object!);
    if (request.previous && !isSignificant(pod, as<Pod>(request.previous))) return;
    this.#judge(request, pod, { enforces: true });
  }

  #judge(request: AdmissionRequest, pod: Pod, { enforces }: { enforces: boolean }): void {
    const { namespace, user } = request;
    const exemption = this.#exemptionOf({ namespace, user, pod });
    if (exemption) {
      this.#metrics.exempted(request);
      request.annotate(`${labelPrefix}exempt`, exemption);
      return;
    }
    const { policy, errors } = this.#policyOfNamespace(namespace);
    const texts = errors.map(({ field, body }) => `${field}: ${body}`);
    if (texts.length > 0)
      request.annotate(`${labelPrefix}error`, `Failed to parse policy: ${texts.join(', ')}`);
    if (enforces) {
      request.annotate(`${labelPrefix}enforce-policy`, policyText(policy.enforce));
      const found = detailText(violations(policy.enforce, pod));
      this.#metrics.evaluated(request, { mode: 'enforce', policy: policy.enforce, isAllowed: found === '' });
      if (found !== '') {
        const why = `violates PodSecurity ${JSON.stringify(policyText(policy.enforce))}: ${found}`;
        this.#audit(request, policy, pod);
        throw refused(request, why);
      }
    }
    this.#audit(request, policy, pod);
    const found = detailText(violations(policy.warn, pod));
    if (found === '') return;
    this.#metrics.evaluated(request, { mode: 'warn', policy: policy.warn, isAllowed: false });
    request.warn(`would violate PodSecurity ${JSON.stringify(policyText(policy.warn))}: ${found}`);
  }

  /** By what nothing is asked of a pod. Throws 500 where its namespace is not known. */
  #exemptionOf({ namespace, user, pod }: Pick<AdmissionRequest, 'namespace' | 'user'> & { pod: Pod }) {
    if (this.#isExempt('namespaces', namespace)) return 'namespace';
    if (this.#isExempt('usernames', user.name)) return 'user';
    return this.#isExempt('runtimeClasses', pod.spec?.runtimeClassName) ? 'runtimeClass' : undefined;
  }

  #audit(request: AdmissionRequest, { audit }: Policy, pod: Pod): void {
    const found = detailText(violations(audit, pod));
    if (found === '') return;
    const { namespace, name, resource, user } = request;
    const said = `would violate PodSecurity ${JSON.stringify(policyText(audit))}: ${found}`;
    request.annotate(`${labelPrefix}audit-violations`, said);
    this.#metrics.evaluated(request, { mode: 'audit', policy: audit, isAllowed: false });
    this.#parts.logger.warn('would violate PodSecurity', {
      policy: policyText(audit),
      ...{
        violations: found,
        resource: resource.plural,
        namespace,
        name,
        user: user.name,
      },
    });
  }

  async #validateNamespace(request: AdmissionRequest): Promise<void> {
    const { object, previous, resource, name } = request;
    const { defaults } = this.#configuration;
    const { policy, errors } = policyOf(object?.metadata.labels, defaults);
    const before = previous && policyOf(previous.metadata.labels, defaults);
    // What was wrong before may stay.
    const isNews = JSON.stringify(errors) !== JSON.stringify(before?.errors ?? []);
    if (errors.length > 0 && isNews) throw invalid(resource, name, errors);
    if (before) {
      const { enforce } = policy;
      if (policyText(enforce) === policyText(before.policy.enforce) || enforce.level === 'privileged') return;
      const isRelaxed = compareLevels(enforce.level, before.policy.enforce.level) < 1;
      if (enforce.minor === before.policy.enforce.minor && isRelaxed) return;
    }
    if (this.#isExempt('namespaces', name)) {
      const warning = this.#exemptionWarning(name, policy, object?.metadata.labels ?? {});
      if (warning !== undefined) request.warn(warning);
    } else if (before) await this.#warnOfPods(request, policy);
  }

  async #warnOfPods(request: AdmissionRequest, { enforce }: Policy): Promise<void> {
    const { clock } = this.#parts;
    const namespace = request.name;
    const startedMs = clock.monotonicMs();
    const podsMax = limits.podSecurityPodsMax;
    const { pods, total } = await this.#parts.pods.list(namespace, podsMax);
    const isOver = () => clock.monotonicMs() - startedMs > periods.podSecurityCheckMs;
    const considered = pods.filter(({ spec }) => !this.#isExempt('runtimeClasses', spec?.runtimeClassName));
    const warnings = existingPodWarnings(considered, enforce, { namespace, podsMax, isOver });
    if (total > pods.length) {
      request.warn(
        `new PodSecurity enforce level only checked against the first ${pods.length} of ${total} existing pods`,
      );
    }
    for (const text of warnings) request.warn(text);
  }

  #policyOfNamespace(name: string): ReturnType<typeof policyOf> {
    const namespace = this.#parts.caches.namespaces.get(name);
    if (!namespace) throw internalError(new Error(`failed to lookup namespace ${JSON.stringify(name)}`));
    return policyOf(namespace.metadata?.labels, this.#configuration.defaults);
  }

  #isExempt(kind: keyof PodSecurityConfiguration['exemptions'], name: string | undefined): boolean {
    return name !== undefined && name !== '' && this.#configuration.exemptions[kind].includes(name);
  }

  #exemptionWarning(
    name: string,
    policy: Policy,
    labels: Readonly<Record<string, string>>,
  ): string | undefined {
    const { defaults } = this.#configuration;
    if (modes.every((mode) => policy[mode].level === 'privileged')) return undefined;
    if (modes.every((mode) => isEquivalent(policy[mode], defaults[mode]))) return undefined;
    const said = modes.filter(
      (mode) =>
        policy[mode].level !== 'privileged' &&
        (Object.hasOwn(labels, levelLabel(mode)) || Object.hasOwn(labels, versionLabel(mode))),
    );
    const text = said.map((mode) => `${mode}=${policyText(policy[mode])}`).join(', ');
    return `namespace ${JSON.stringify(name)} is exempt from Pod Security, and the policy (${text}) will be ignored`;
  }
}
