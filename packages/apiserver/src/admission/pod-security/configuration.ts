import { child, type JsonObject } from '@wherry/kubeapi';
import { configurationDocument } from '../../documents/configuration-document.ts';
import { StrictReader } from '../../documents/strict-reader.ts';
import { naming, type PluginConfiguration } from '../plugin-configurations.ts';
import { levelLabel, modes, type Policy, policyOf, versionLabel } from './policy.ts';

/** What the administrator says about pod security. */
export interface PodSecurityConfiguration {
  /** For namespaces whose labels say nothing. */
  defaults: Policy;
  exemptions: Readonly<Record<Exemption, readonly string[]>>;
}

/** What a pod is let through by. */
export type Exemption = 'usernames' | 'runtimeClasses' | 'namespaces';

const anything = { level: 'privileged', minor: Number.POSITIVE_INFINITY } as const;

/** Nothing is asked of pods in namespaces without labels, and nobody is exempt, as upstream. */
export const defaultConfiguration: PodSecurityConfiguration = {
  defaults: { enforce: anything, audit: anything, warn: anything },
  exemptions: { usernames: [], runtimeClasses: [], namespaces: [] },
};

const exemptionNames: readonly Exemption[] = ['usernames', 'runtimeClasses', 'namespaces'];
const configurationVersions = ['v1', 'v1beta1', 'v1alpha1'].map(
  (version) => `pod-security.admission.config.k8s.io/${version}`,
);

/** Reads a PodSecurityConfiguration. Throws an Error on unknown fields and values. */
export function readPodSecurity({ file, document }: PluginConfiguration): PodSecurityConfiguration {
  const reader = new StrictReader();
  return naming(file, () => {
    const { defaults, exemptions } = configurationDocument(document, reader, {
      ...{ kind: 'PodSecurityConfiguration', apiVersions: configurationVersions },
      fields: ['defaults', 'exemptions'],
    });
    const exempt = reader.object('exemptions', exemptions, exemptionNames);
    return {
      defaults: parseDefaults(reader, reader.object('defaults', defaults, [...labelOfField.keys()])),
      exemptions: {
        usernames: namesOf(reader, exempt, 'usernames'),
        runtimeClasses: namesOf(reader, exempt, 'runtimeClasses'),
        namespaces: namesOf(reader, exempt, 'namespaces'),
      },
    };
  });
}

/** Defaults are written like the labels of a namespace, without their prefix. */
const labelOfField: ReadonlyMap<string, string> = new Map(
  modes.flatMap((mode) => [
    [mode, levelLabel(mode)] as const,
    [`${mode}-version`, versionLabel(mode)] as const,
  ]),
);

function parseDefaults(reader: StrictReader, defaults: JsonObject): Policy {
  const given = Object.fromEntries(
    Object.entries(defaults).map(([field, value]) => [
      labelOfField.get(field) ?? field,
      reader.text(child('defaults', field), value),
    ]),
  );
  const { policy, errors } = policyOf(given, defaultConfiguration.defaults);
  const [first] = errors;
  if (first) throw new Error(`defaults: ${first.field}: ${first.body}`);
  // Only a namespace's own label implies a warning.
  const warn = !Object.hasOwn(given, levelLabel('warn'))
    ? { ...policy.warn, level: anything.level }
    : policy.warn;
  return { ...policy, warn };
}

function namesOf(reader: StrictReader, exemptions: JsonObject, field: Exemption): string[] {
  return reader.list(exemptions, 'exemptions', field).map(([place, value]) => {
    const name = reader.text(place, value);
    if (name === '') throw new Error(`${place} must not be empty`);
    return name;
  });
}
