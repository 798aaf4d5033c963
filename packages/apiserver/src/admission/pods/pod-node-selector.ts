import { child, labelValueFormat, notFound, ownValue, type Pod, qualifiedName } from '@wherry/kubeapi';
import { StrictReader } from '../../documents/strict-reader.ts';
import { as } from '../../objects/api-object.ts';
import { type AdmissionPlugin, type AdmissionRequest, refused } from '../admission.ts';
import { naming, type PluginConfiguration } from '../plugin-configurations.ts';
import type { PluginParts } from '../plugin-parts.ts';

type Labels = ReadonlyMap<string, string>;

const none: Labels = new Map();
const annotation = 'scheduler.alpha.kubernetes.io/node-selector';
const field = 'podNodeSelectorPluginConfig';
/** In place of a namespace's name: for those without the annotation. */
const usual = 'clusterDefaultNodeSelector';

/**
 * Pods run where their namespace says, by its annotation or by the configuration's default, and ask for no other nodes than the
 * configuration has for it.
 */
export function podNodeSelector({ caches }: Pick<PluginParts, 'caches'>): AdmissionPlugin {
  /** By namespace. */
  let selectors: ReadonlyMap<string, Labels> = new Map();

  function wantedIn(request: AdmissionRequest): Labels {
    const { metadata } = caches.namespaces.get(request.namespace) ?? {};
    if (!metadata) throw notFound({ group: '', resource: 'namespaces' }, request.namespace);
    const told = metadata.annotations?.[annotation];
    if (told === undefined) return selectors.get(usual) ?? none;
    try {
      return parseLabels(told);
    } catch (error) {
      throw refused(request, (error as Error).message);
    }
  }

  function validate(request: AdmissionRequest): void {
    const { nodeSelector = {} } = as<Pod>(request.object!).spec ?? {};
    requireAgreement(request, wantedIn(request), nodeSelector);
    const allowed = selectors.get(request.namespace) ?? none;
    if (allowed.size === 0) return;
    const isAllowed = Object.entries(nodeSelector).every(([key, value]) => allowed.get(key) === value);
    if (!isAllowed)
      throw refused(request, 'pod node label selector labels conflict with its namespace whitelist');
  }

  return {
    name: 'PodNodeSelector',
    isOffByDefault: true,
    handles: [{ operations: ['CREATE'], resources: ['/pods'] }],
    configure(given) {
      if (given) selectors = readSelectors(given);
    },
    admit(request) {
      const { spec } = as<Pod>(request.object!);
      if (!spec) return;
      const wanted = wantedIn(request);
      requireAgreement(request, wanted, spec.nodeSelector ?? {});
      if (wanted.size > 0) spec.nodeSelector = { ...Object.fromEntries(wanted), ...spec.nodeSelector };
      validate(request);
    },
    validate,
  };
}

function requireAgreement(
  request: AdmissionRequest,
  wanted: Labels,
  own: Readonly<Record<string, string>>,
): void {
  const differs = Object.entries(own).some(([key, value]) => (wanted.get(key) ?? value) !== value);
  if (differs)
    throw refused(request, 'pod node label selector conflicts with its namespace node label selector');
}

/** `key=value,other=value`, as upstream's ConvertSelectorToLabelsMap takes it. */
function parseLabels(selector: string): Labels {
  if (selector === '') return none;
  const pairs = selector.split(',').map((text) => {
    const parts = text.split('=');
    if (parts.length !== 2) throw new Error(`invalid selector: [${parts.join(' ')}]`);
    const [key = '', value = ''] = parts.map((part) => part.trim());
    const [complaint] = [...qualifiedName(key), ...labelValueFormat(value)];
    if (complaint !== undefined) throw new Error(`invalid selector: ${JSON.stringify(text)}: ${complaint}`);
    return [key, value] as const;
  });
  return new Map(pairs);
}

function readSelectors({ file, document }: PluginConfiguration): ReadonlyMap<string, Labels> {
  const reader = new StrictReader();
  return naming(file, () => {
    const given = reader.object('', document, [field])[field];
    const names = Object.keys((given as object | null | undefined) ?? {});
    const selectorOf = reader.object(field, given, names);
    return new Map(
      names.map(
        (name) => [name, parseLabels(reader.text(child(field, name), ownValue(selectorOf, name)))] as const,
      ),
    );
  });
}
