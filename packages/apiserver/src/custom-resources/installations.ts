import { isDeepStrictEqual } from 'node:util';
import { byPreference, type CustomResourceDefinition } from '@wherry/kubeapi';
import type { Catalog } from '../catalog/catalog.ts';
import { scaleHandler } from '../kinds/scale-handler.ts';
import type { ServedResource } from '../objects/strategy.ts';
import type { Collection } from '../registry/collection.ts';
import type { Handlers } from '../registry/handler.ts';
import type { WebhookClient } from '../webhooks/webhook-client.ts';
import { holds } from './conditions.ts';
import type { ConversionFigures } from './conversion/conversion-figures.ts';
import { WebhookConverter } from './conversion/webhook-converter.ts';
import { scaleFieldsOf, servedVersion, versionTypes } from './served-version.ts';

/** What definitions are served with. */
export interface InstallationsOptions {
  catalog: Catalog;
  collect(resource: ServedResource): Collection;
  /** Who asks the servers that convert. */
  webhooks: WebhookClient;
  conversionFigures: ConversionFigures;
}

interface Installation {
  definition: CustomResourceDefinition;
  /** Aborts when the served versions are no longer as they were. */
  retire: AbortController;
  collections: readonly Collection[];
  isEnding: boolean;
  isAnnounced: boolean;
}

/** What the catalog has of each definition, by its name. */
export class Installations {
  readonly #options: InstallationsOptions;
  readonly #installed = new Map<string, Installation>();

  constructor(options: InstallationsOptions) {
    this.#options = options;
  }

  /** Objects of the definition, in any of its versions. */
  collectionOf(name: string): Collection | undefined {
    return this.#installed.get(name)?.collections[0];
  }

  /** From now on discovery tells of the definition. */
  announce(name: string): void {
    const installation = this.#installed.get(name);
    if (!installation || installation.isAnnounced) return;
    installation.isAnnounced = true;
    this.#options.catalog.announced();
  }

  /** From now on nobody may create objects of the definition. */
  end(name: string): void {
    const installation = this.#installed.get(name);
    if (installation) installation.isEnding = true;
  }

  /**
   * Serves a definition as it is now, and tells of it where that is established; what it was before is retired.
   * Returns why it can't be, and then it is not.
   */
  put(name: string, definition: CustomResourceDefinition): string | undefined {
    const before = this.#installed.get(name)?.definition;
    if (before && isDeepStrictEqual(servedBy(definition), servedBy(before))) return undefined;
    this.remove(name);
    const { catalog, collect } = this.#options;
    const collections: Collection[] = [];
    const isAnnounced = holds(definition, 'Established');
    const retire = new AbortController();
    const installation: Installation = { definition, retire, collections, isEnding: false, isAnnounced };
    this.#installed.set(name, installation);
    const parts = {
      isEnding: () => installation.isEnding,
      typeOf: versionTypes(definition),
      remote: WebhookConverter.of(definition, this.#options),
    };
    try {
      for (const version of definition.spec.versions) {
        const collection = collect(servedVersion(definition, version, parts));
        const scale = scaleFieldsOf(version);
        const handlers: Handlers = scale ? { scale: scaleHandler(collection, scale) } : {};
        collections.push(collection);
        const warning = version.deprecated
          ? (version.deprecationWarning ?? usualWarning(definition, version.name))
          : undefined;
        if (!version.served) continue;
        const state = { retired: retire.signal, isAnnounced: () => installation.isAnnounced };
        catalog.add({ collection, handlers, warning, ...state });
      }
      return undefined;
    } catch (error) {
      this.remove(name);
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Takes a definition out of the catalog; watches of its objects end. */
  remove(name: string): void {
    const installation = this.#installed.get(name);
    if (!installation) return;
    this.#installed.delete(name);
    for (const { resource } of installation.collections) {
      const { group, version, plural } = resource.facts;
      if (this.#options.catalog.find(group, version, plural)?.collection.resource === resource)
        this.#options.catalog.remove(group, version, plural);
    }
    installation.retire.abort(new Error(`the definition ${name} has changed`));
  }
}

/** What of a definition its served versions are made from; watches live on where it stays, in whichever order it is written. */
const servedBy = ({ metadata, spec, status }: CustomResourceDefinition) => [
  metadata.uid,
  spec,
  status?.acceptedNames,
];

/** Of a deprecated version whose definition says nothing of it: which later one to use, as upstream. */
function usualWarning({ spec }: CustomResourceDefinition, deprecated: string): string {
  const { group, names } = spec;
  const good = spec.versions
    .filter(({ served, deprecated }) => served && !deprecated)
    .map(({ name }) => name);
  const [first] = [deprecated, ...good].sort(byPreference);
  const advice = first === undefined || first === deprecated ? '' : `; use ${group}/${first} ${names.kind}`;
  return `${group}/${deprecated} ${names.kind} is deprecated${advice}`;
}
