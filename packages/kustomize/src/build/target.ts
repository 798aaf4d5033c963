/** Builds one kustomization, and first those that it stands on (kustomize api/internal/target). */

import { standardConfiguration } from '../configuration/standard.ts';
import { inside, KustomizeError, MalformedYamlError, within } from '../errors.ts';
import type { Loader } from '../files/loader.ts';
import { absorb, generate, mergedOptions } from '../generate/generate.ts';
import { type Kustomization, readKustomization } from '../kustomization/kustomization.ts';
import { readResources } from '../model/read-resources.ts';
import type { ResourceList } from '../model/resource-list.ts';
import { Accumulator } from './accumulator.ts';
import { transformsOf } from './transforms.ts';

const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

export class Target {
  readonly #loader: Loader;
  readonly #warn: (line: string) => void;
  readonly kustomization: Kustomization;

  /** Reads the kustomization of a folder. Throws KustomizeError. */
  constructor(loader: Loader, warn: (line: string) => void) {
    this.#loader = loader;
    this.#warn = warn;
    const found = fileNames.filter((name) => loader.has(name));
    const [name] = found;
    if (name === undefined) {
      const names = `${fileNames
        .slice(0, 2)
        .map((one) => `'${one}'`)
        .join(', ')} or '${fileNames[2]}'`;
      throw new KustomizeError(`unable to find one of ${names} in directory '${loader.root}'`);
    }
    if (found.length > 1)
      throw new KustomizeError(`Found multiple kustomization files under: ${loader.root}`);
    this.kustomization = readKustomization(loader.loadText(name), loader.root, warn);
    refuseByName(this.kustomization);
  }

  /** Adds what the kustomization makes. A component changes what is there. */
  accumulate(into = new Accumulator()): Accumulator {
    const { resources = [], components = [] } = this.kustomization;
    within('accumulating resources', () => {
      for (const path of resources) this.#addResource(into, path);
    });
    into.addConfiguration(standardConfiguration());
    this.#generate(into.resources);
    const whole = within('accumulating components', () => this.#addComponents(into, components));
    for (const transform of transformsOf(this.kustomization, whole.configuration, this.#loader)) {
      transform(whole.resources);
      whole.resources.dropGone();
    }
    return whole;
  }

  /** A file, or the folder of another kustomization. */
  #addResource(into: Accumulator, path: string): void {
    let problem: unknown;
    try {
      within(`accumulating resources from '${path}'`, () =>
        into.resources.appendAll(readResources(this.#loader.loadText(path), path)),
      );
      return;
    } catch (error) {
      if (!(error instanceof KustomizeError)) throw error;
      problem = error;
    }
    const said = `accumulation err='${(problem as Error).message}'`;
    let loader: Loader;
    try {
      loader = this.#loader.descend(path);
    } catch (error) {
      throw problem instanceof MalformedYamlError ? problem : inside(said, error);
    }
    within(said, () => into.absorb(this.#subTarget(loader, false).accumulate()));
  }

  #addComponents(into: Accumulator, paths: readonly string[]): Accumulator {
    let whole = into;
    for (const path of paths) {
      const component = this.#subTarget(this.#loader.descend(path), true);
      const made = new Accumulator();
      made.absorb(component.accumulate(whole));
      whole = made;
    }
    return whole;
  }

  #subTarget(loader: Loader, isComponent: boolean): Target {
    const target = within(
      `couldn't make target for path '${loader.root}'`,
      () => new Target(loader, this.#warn),
    );
    const { kind } = target.kustomization;
    if (isComponent && kind !== 'Component')
      throw new KustomizeError(`expected kind 'Component' for path '${loader.root}' but got '${kind}'`);
    if (!isComponent && kind === 'Component')
      throw new KustomizeError(`expected kind != 'Component' for path '${loader.root}'`);
    return target;
  }

  #generate(resources: ResourceList): void {
    const { configMapGenerator = [], secretGenerator = [], generatorOptions } = this.kustomization;
    const entries = [
      ...configMapGenerator.map((entry) => ['ConfigMap', entry] as const),
      ...secretGenerator.map((entry) => ['Secret', entry] as const),
    ];
    for (const [kind, entry] of entries) {
      const options = mergedOptions(entry.options, generatorOptions);
      absorb(resources, generate(kind, { ...entry, options }, this.#loader));
    }
  }
}

/** Fields that nothing is done about. */
const leftOut = [
  ...(['replacements', 'vars', 'configurations', 'crds', 'openapi', 'generators', 'transformers'] as const),
  ...(['validators', 'buildMetadata', 'helmCharts', 'helmChartInflationGenerator'] as const),
];

function refuseByName(kustomization: Kustomization): void {
  const field = leftOut.find((name) => kustomization[name] !== undefined);
  if (field) throw new KustomizeError(`${field} of a kustomization is left to kubectl kustomize`);
}
