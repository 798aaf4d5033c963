/** Builds one kustomization, and first those that it stands on (kustomize api/internal/target). */
import { inside, KustomizeError, MalformedYamlError, within } from '../errors.ts';
import type { Loader } from '../files/loader.ts';
import { absorb, generate, mergedOptions } from '../generate/generate.ts';
import { configurationOf, configurationOfDefinitions } from '../kustomization/configurations.ts';
import { type Kustomization, readKustomization } from '../kustomization/kustomization.ts';
import { joinOrigin, type Origin } from '../model/origin.ts';
import { readResources } from '../model/read-resources.ts';
import type { Resource } from '../model/resource.ts';
import { ResourceList } from '../model/resource-list.ts';
import { writeNode } from '../yaml/write.ts';
import { Accumulator } from './accumulator.ts';
import { pluginGenerate, pluginTransform } from './plugins.ts';
import { type Step, stepsOf } from './transforms.ts';

const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

interface TargetOptions {
  warn: (line: string) => void;
  /** The way here from the folder that is built; undefined where nobody wants to know where objects are from. */
  origin?: string | undefined;
}

/** A step, and what is told to have done it. */
type ToldStep = Step & { origin: Origin | undefined };

export class Target {
  readonly kustomization: Kustomization;
  readonly #loader: Loader;
  readonly #warn: (line: string) => void;
  readonly #fileName: string;
  readonly #origin: string | undefined;

  /** Reads the kustomization of a folder. Throws KustomizeError. */
  constructor(loader: Loader, { warn, origin }: TargetOptions) {
    this.#loader = loader;
    this.#warn = warn;
    this.#fileName = kustomizationFile(loader);
    this.kustomization = readKustomization(loader.loadText(this.#fileName), loader.root, warn);
    refuseByName(this.kustomization);
    const isRootTold = (this.kustomization.buildMetadata ?? []).length > 0;
    this.#origin = origin ?? (isRootTold && !loader.isBelow ? '' : undefined);
  }

  /** Adds what the kustomization makes. A component changes what is there. */
  accumulate(into = new Accumulator()): Accumulator {
    const { resources = [], components = [], configurations = [], crds = [] } = this.kustomization;
    within('accumulating resources', () => this.#addResources(into, resources));
    into.addConfiguration(configurationOf(configurations, this.#loader));
    into.addConfiguration(configurationOfDefinitions(crds, this.#loader));
    for (const made of this.#generated()) absorb(into.resources, made);
    const whole = within('accumulating components', () => this.#addComponents(into, components));
    for (const { apply, origin } of this.#steps(whole)) {
      apply(whole.resources);
      if (origin) tell(whole.resources, origin);
      whole.resources.dropGone();
    }
    this.#validate(whole.resources);
    whole.addVariables(this.kustomization.vars ?? []);
    return whole;
  }

  #addResources(into: Accumulator, paths: readonly string[]): void {
    for (const path of paths) this.#addResource(into, path);
  }

  /** A file, or the folder of another kustomization. */
  #addResource(into: Accumulator, path: string): void {
    let problem: KustomizeError;
    try {
      const objects = within(`accumulating resources from '${path}'`, () => this.#readFile(path));
      within(`merging resources from '${path}'`, () => into.resources.appendAll(objects));
      return;
    } catch (error) {
      if (!(error instanceof KustomizeError)) throw error;
      problem = error;
    }
    const said = `accumulation err='${problem.message}'`;
    let loader: Loader;
    try {
      loader = this.#loader.descend(path);
    } catch (error) {
      throw problem instanceof MalformedYamlError ? problem : inside(said, error);
    }
    within(said, () => into.absorb(this.#subTarget(loader, path, false).accumulate()));
  }

  #readFile(path: string): Resource[] {
    const objects = readResources(this.#loader.loadText(path), path);
    if (this.#origin !== undefined) {
      for (const object of objects) object.origin = { path: joinOrigin(this.#origin, path) };
    }
    return objects;
  }

  #addComponents(into: Accumulator, paths: readonly string[]): Accumulator {
    let whole = into;
    for (const path of paths) {
      const component = this.#subTarget(this.#loader.descend(path), path, true);
      const made = new Accumulator();
      made.absorb(component.accumulate(whole));
      whole = made;
    }
    return whole;
  }

  #subTarget(loader: Loader, path: string, isComponent: boolean): Target {
    const origin = this.#origin === undefined ? undefined : joinOrigin(this.#origin, path);
    const target = within(
      `couldn't make target for path '${loader.root}'`,
      () => new Target(loader, { warn: this.#warn, origin }),
    );
    const { kind } = target.kustomization;
    if (isComponent && kind !== 'Component')
      throw new KustomizeError(`expected kind 'Component' for path '${loader.root}' but got '${kind}'`);
    if (!isComponent && kind === 'Component')
      throw new KustomizeError(`expected kind != 'Component' for path '${loader.root}'`);
    return target;
  }

  #generated(): Resource[] {
    const {
      configMapGenerator = [],
      secretGenerator = [],
      generatorOptions,
      generators = [],
    } = this.kustomization;
    const entries = [
      ...configMapGenerator.map((entry) => ['ConfigMap', entry] as const),
      ...secretGenerator.map((entry) => ['Secret', entry] as const),
    ];
    const own = entries.map(([kind, entry]) => {
      const options = mergedOptions(entry.options, generatorOptions);
      const made = generate(kind, { ...entry, options }, this.#loader);
      made.origin = this.#originOf(`${kind}Generator`);
      return made;
    });
    const others = within('loading generator plugins', () =>
      this.#plugins(generators).map((plugin) => {
        const made = pluginGenerate(plugin, this.#loader);
        made.origin = originOfPlugin(plugin);
        return made;
      }),
    );
    return [...own, ...others];
  }

  #steps({ configuration }: Accumulator): ToldStep[] {
    const own = stepsOf(this.kustomization, configuration, this.#loader);
    const { transformers = [] } = this.kustomization;
    return [
      ...own.map((step) => ({ ...step, origin: this.#originOf(step.kind) })),
      ...this.#plugins(transformers).map((plugin) => ({
        kind: plugin.kind,
        apply: pluginTransform(plugin, this.#loader),
        origin: originOfPlugin(plugin),
      })),
    ];
  }

  /** Validators may look at everything, and change nothing. */
  #validate(resources: ResourceList): void {
    for (const plugin of this.#plugins(this.kustomization.validators ?? [])) {
      const copies = new ResourceList(resources.items.map((one) => one.copy()));
      pluginTransform(plugin, this.#loader)(copies);
      const isSame =
        copies.items.length === resources.items.length &&
        copies.items.every((one, at) => {
          const other = resources.items[at];
          return other !== undefined && writeNode(one.node) === writeNode(other.node);
        });
      if (!isSame) throw new KustomizeError("validator shouldn't modify the resource map");
    }
  }

  /** What configures generators and transformers: each inline, a file, or a folder. */
  #plugins(entries: readonly string[]): Resource[] {
    const gathered = new Accumulator();
    const paths: string[] = [];
    for (const entry of entries) {
      const inline = readInline(entry);
      if (!inline) {
        paths.push(entry);
        continue;
      }
      for (const one of inline) {
        if (this.#origin !== undefined) one.origin = { path: joinOrigin(this.#origin, this.#fileName) };
        gathered.resources.append(one);
      }
    }
    this.#addResources(gathered, paths);
    return gathered.resources.items;
  }

  #originOf(kind: string): Origin | undefined {
    if (this.#origin === undefined) return undefined;
    const configuredIn = joinOrigin(this.#origin, this.#fileName);
    return { configuredIn, configuredBy: { apiVersion: 'builtin', kind } };
  }
}

function kustomizationFile(loader: Loader): string {
  const found = fileNames.filter((name) => loader.has(name));
  const [name] = found;
  if (name === undefined) {
    const [first, second, third] = fileNames;
    throw new KustomizeError(
      `unable to find one of '${first}', '${second}' or '${third}' in directory '${loader.root}'`,
    );
  }
  if (found.length === 1) return name;
  throw new KustomizeError(`Found multiple kustomization files under: ${loader.root}`);
}

/** Undefined for a path. */
function readInline(entry: string): Resource[] | undefined {
  try {
    return readResources(entry);
  } catch (error) {
    if (error instanceof KustomizeError) return undefined;
    throw error;
  }
}

function originOfPlugin({ origin, gvk, name, namespace }: Resource): Origin | undefined {
  if (!origin?.path) return undefined;
  const apiVersion = gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`;
  return { configuredIn: origin.path, configuredBy: { apiVersion, kind: gvk.kind, name, namespace } };
}

/** What is from nowhere was made by the step; all else was changed by it. */
function tell(resources: ResourceList, origin: Origin): void {
  for (const resource of resources.items) {
    if (resource.origin === undefined) resource.origin = origin;
    else resource.transformations.push(origin);
  }
}

/** What would run programs, or read other schemas than kustomize's own. */
function refuseByName({ helmCharts, helmChartInflationGenerator, openapi }: Kustomization): void {
  if (helmCharts || helmChartInflationGenerator)
    throw new KustomizeError(
      'helmCharts run helm, which is left to others: helm template CHART > chart.yaml, and name that file in resources',
    );
  if (openapi?.path)
    throw new KustomizeError(
      'openapi.path is not taken; merges go by the schema of Kubernetes 1.21, as without it',
    );
  if (openapi?.version && openapi.version !== 'v1.21.2')
    throw new KustomizeError('the specified OpenAPI version is not built in');
}
