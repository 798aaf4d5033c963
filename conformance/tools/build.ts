/** Programs in Go that developers run, as their modules have them. */
import { join } from 'node:path';
import { buildFrom, sourceOf } from '../peers/go-sources.ts';
import { gitlabSource } from './gitlab/source.ts';
import { chainsawSource, kuttlSource } from './step-suites/sources.ts';

const skaffold = { module: 'github.com/GoogleContainerTools/skaffold/v2', version: 'v2.16.1' };

const troubleshoot = { module: 'github.com/replicatedhq/troubleshoot', version: 'v0.133.0' };
const troubleshootSource = () => sourceOf('troubleshoot', troubleshoot);
/** As it is released: without libraries in C. */
const troubleshootTags = [
  'netgo',
  'containers_image_openpgp',
  ...['btrfs', 'devicemapper', 'overlay'].map((driver) => `exclude_graphdriver_${driver}`),
].join(',');

/** The module that pins buildx and the builder of images that it speaks to. */
const buildxModule = () => join(import.meta.dirname, 'buildx');

const programs = {
  // It stands in place of other modules of several that it needs, which only a main module does.
  skaffold: { source: () => sourceOf('skaffold', skaffold), path: './cmd/skaffold' },
  kail: { source: () => join(import.meta.dirname, 'kail'), path: 'github.com/boz/kail/cmd/kail' },
  'gitlab-runner': { source: gitlabSource, path: '.' },
  chainsaw: { source: chainsawSource, path: '.' },
  kuttl: { source: kuttlSource, path: './cmd/kubectl-kuttl' },
  buildx: { source: buildxModule, path: 'github.com/docker/buildx/cmd/buildx' },
  buildkitd: { source: buildxModule, path: 'github.com/moby/buildkit/cmd/buildkitd' },
  buildctl: { source: buildxModule, path: 'github.com/moby/buildkit/cmd/buildctl' },
  'support-bundle': { source: troubleshootSource, path: './cmd/troubleshoot', tags: troubleshootTags },
  preflight: { source: troubleshootSource, path: './cmd/preflight', tags: troubleshootTags },
} satisfies Record<string, { source: () => string | Promise<string>; path: string; tags?: string }>;

/** Builds one of them and answers its path. The first time it compiles for minutes. */
export async function buildTool(name: keyof typeof programs): Promise<string> {
  const { source, ...build } = programs[name];
  return buildFrom(await source(), { name, ...build });
}
