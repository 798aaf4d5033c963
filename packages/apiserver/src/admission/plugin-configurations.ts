import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { child, isJsonObject, type JsonValue, ownValue } from '@wherry/kubeapi';
import {
  configurationDocument,
  configVersions,
  parseConfiguration,
} from '../documents/configuration-document.ts';
import { StrictReader } from '../documents/strict-reader.ts';
import { readingSettings } from '../settings-error.ts';

/** What the administrator says to one plug-in. */
export interface PluginConfiguration {
  /** Where it stands. */
  file: string;
  document: JsonValue;
}

/** Files from before there were AdmissionConfigurations, by what stands in them (upstream: ReadAdmissionConfiguration). */
const bareDocuments: readonly (readonly [field: string, plugin: string])[] = [
  ['imagePolicy', 'ImagePolicyWebhook'],
  ['podNodeSelectorPluginConfig', 'PodNodeSelector'],
];

/** The file of `--admission-control-config-file`: an AdmissionConfiguration (apiserver.config.k8s.io/v1), in YAML or JSON. */
export class PluginConfigurations {
  readonly #file: string;
  /** Of a name that stands there twice the first counts, as upstream. */
  readonly #entries = new Map<string, { document: JsonValue | undefined; path: string }>();

  /** Throws an Error that names the file when it can't be read, or is not what it has to be. */
  constructor(file: string) {
    this.#file = file;
    const reader = new StrictReader();
    const value = readFile(file);
    if (isJsonObject(value) && ownValue(value, 'kind') === undefined) {
      const known = bareDocuments.filter(([field]) => Object.hasOwn(value, field));
      for (const [, plugin] of known) this.#entries.set(plugin, { document: value, path: '' });
      if (known.length > 0) return;
    }
    naming(file, () => {
      const root = configurationDocument(value, reader, {
        kind: 'AdmissionConfiguration',
        apiVersions: [...configVersions('v1'), 'apiserver.k8s.io/v1alpha1'],
        fields: ['plugins'],
      });
      for (const [place, entry] of reader.list(root, '', 'plugins')) {
        const { name, path, configuration } = reader.object(place, entry, ['name', 'path', 'configuration']);
        const plugin = reader.text(child(place, 'name'), name);
        if (this.#entries.has(plugin)) continue;
        const document = configuration ?? undefined;
        this.#entries.set(plugin, { document, path: reader.text(child(place, 'path'), path) });
      }
    });
  }

  /** The plug-ins that it says something to. */
  get names(): string[] {
    return [...this.#entries.keys()];
  }

  /** Undefined where it says nothing. Throws when what it leads to can't be read. */
  of(plugin: string): PluginConfiguration | undefined {
    const { document, path = '' } = this.#entries.get(plugin) ?? {};
    if (document !== undefined) return { file: this.#file, document };
    if (path === '') return undefined;
    const file = isAbsolute(path) ? path : join(this.#file, '..', path);
    return { file, document: readFile(file) };
  }
}

/** Calls what reads a configuration; its errors name the file. */
export const naming = <T>(file: string, read: () => T): T => readingSettings(JSON.stringify(file), read);

function readFile(file: string): JsonValue {
  return naming(file, () => parseConfiguration(readFileSync(file)));
}
