/** Builds the kustomization of a folder, with all that it stands on. */
import type { JsonObject } from '@wherry/kubeapi';
import { KustomizeError } from '../errors.ts';
import type { FileTree } from '../files/file-tree.ts';
import { Loader } from '../files/loader.ts';
import { machineFiles } from '../files/machine-files.ts';
import { fieldSpec } from '../model/field-spec.ts';
import { originsText, originText } from '../model/origin.ts';
import type { Resource } from '../model/resource.ts';
import { addHashes } from '../names/hash.ts';
import { followNames } from '../names/references.ts';
import { setPairs } from '../transform/labels.ts';
import { sortResources } from '../transform/sort-order.ts';
import { resolveVariables } from '../variables/variables.ts';
import { kustomizeVersion } from '../version.ts';
import { toJson } from '../yaml/to-json.ts';
import { writeNode } from '../yaml/write.ts';
import { Target } from './target.ts';

export interface BuildOptions {
  /** Where files are; those of this machine unless told otherwise. */
  files?: FileTree;
  /** Whether files outside of a kustomization's folder may be named. */
  mayLeaveRoot?: boolean;
  /** Whether all objects get the label `app.kubernetes.io/managed-by`. */
  hasManagedByLabel?: boolean;
  /** Told of deprecated fields, a line each. */
  warn?: (line: string) => void;
}

const originAnnotation = 'config.kubernetes.io/origin';
const transformationsAnnotation = 'alpha.config.kubernetes.io/transformations';

const managedBy = { 'app.kubernetes.io/managed-by': `kustomize-${kustomizeVersion}` };
const labels = fieldSpec('metadata/labels', { create: true });

/** What comes of a kustomization. */
export interface Built {
  /** The objects in their order. */
  objects: JsonObject[];
  /** Each of them as YAML. */
  documents: string[];
  /** All of them as `kustomize build` prints them. */
  yaml: string;
}

/** `folder` is an absolute path. Throws KustomizeError, in kustomize's words where it has some. */
export function buildKustomization(folder: string, options: BuildOptions = {}): Built {
  try {
    return built(folder, options);
  } catch (error) {
    // Of what nests too deeply for the stack, and of texts that are longer than texts can be.
    if (!(error instanceof RangeError)) throw error;
    throw new KustomizeError(`the kustomization is too deep or too long: ${error.message}`, { cause: error });
  }
}

function built(folder: string, options: BuildOptions): Built {
  const { files = machineFiles, mayLeaveRoot = false, warn = () => {} } = options;
  const target = new Target(Loader.at(folder, { files, mayLeaveRoot }), { warn });
  const { resources, configuration, variables } = target.accumulate();
  addHashes(resources);
  followNames(resources, configuration.nameReference);
  resolveVariables(resources, variables, configuration.varReference);
  resources.items = resources.items.filter((one) => !isLocal(one));
  sortResources(resources, target.kustomization.sortOptions ?? { order: 'legacy' });
  const told = new Set(target.kustomization.buildMetadata ?? []);
  if (options.hasManagedByLabel || told.has('managedByLabel')) setPairs(resources, managedBy, [labels]);
  for (const resource of resources.items) finish(resource, told);
  const objects = resources.items.map(({ node }) => toJson(node));
  const documents = resources.items.map(({ node }) => writeNode(node));
  return { objects, documents, yaml: documents.join('---\n') };
}

/** Marked as being for kustomize alone. */
function isLocal(resource: Resource): boolean {
  const mark = resource.texts('annotations').get('config.kubernetes.io/local-config');
  return mark !== undefined && mark !== 'false';
}

/** Annotations are texts in the end, and an empty map of them goes. */
function finish(resource: Resource, told: ReadonlySet<string>): void {
  const { origin, transformations } = resource;
  const annotations = resource.texts('annotations');
  annotations.delete(originAnnotation);
  annotations.delete(transformationsAnnotation);
  if (told.has('originAnnotations') && origin) annotations.set(originAnnotation, originText(origin));
  if (told.has('transformerAnnotations') && transformations.length > 0)
    annotations.set(transformationsAnnotation, originsText(transformations));
  resource.setTexts('annotations', annotations);
}
