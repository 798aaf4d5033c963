import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bundle } from '../../packages/node/src/processes/bundle/bundle.ts';
import { type Member, membersFor } from './workspace.ts';

/**
 * Puts the bundle of a package's program into `stage/bundle`, with the versions of our packages that are in it
 * (packages/node/src/processes/bundle/shipped-bundle.ts). Gives the dependencies by which the bundle finds them and what it loads
 * from elsewhere.
 */
export async function shipBundle(
  root: string,
  stage: string,
  { member, members }: { member: Member; members: readonly Member[] },
): Promise<Record<string, string>> {
  const { name, bundledProgram } = member.manifest;
  if (bundledProgram === undefined) return {};
  const packages = join(root, 'packages');
  const { externals, files } = await bundle({
    program: join(root, member.folder, bundledProgram),
    packages,
    folder: join(stage, 'bundle'),
    externals: 'named',
  });
  const folders = new Set(
    [...files.keys()].map((path) => `packages/${relative(packages, path).split('/')[0]}`),
  );
  const inside = membersFor(members, name).filter(({ folder }) => folders.has(folder));
  const versions = Object.fromEntries(inside.map(({ manifest }) => [manifest.name, manifest.version]));
  writeFileSync(join(stage, 'bundle/versions.json'), `${JSON.stringify(versions, null, 2)}\n`);
  const ranges: Record<string, string> = Object.assign(
    {},
    ...inside.map(({ manifest }) => manifest.dependencies),
  );
  // What only a clone needs is there and is never loaded: the bundler itself.
  const onlyHere = new Set(inside.flatMap(({ manifest }) => Object.keys(manifest.devDependencies ?? {})));
  const loaded = externals.map(packageOf).filter((one) => !onlyHere.has(one));
  const needed = new Set([...loaded, ...Object.keys(versions)].filter((one) => one !== name));
  return Object.fromEntries([...needed].map((one) => [one, rangeOf(one, ranges)]));
}

function rangeOf(name: string, ranges: Readonly<Record<string, string>>): string {
  const range = ranges[name];
  if (range === undefined) throw new Error(`the bundle loads "${name}", which no package depends on`);
  return range;
}

/** `@grpc/grpc-js`, `protobufjs` of `protobufjs/minimal.js`. */
const packageOf = (path: string) => path.split('/', path.startsWith('@') ? 2 : 1).join('/');
