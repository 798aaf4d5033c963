import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../packages/node/src/processes/bundle.ts';
import { type Member, membersFor } from './workspace.ts';

/**
 * Puts the bundle of a package's program into `stage/bundle`, with the versions of our packages that are in it
 * (packages/node/src/processes/shipped-bundle.ts). Gives the dependencies by which the bundle finds them and what it loads
 * from elsewhere.
 */
export async function shipBundle(
  root: string,
  stage: string,
  { member, members }: { member: Member; members: readonly Member[] },
): Promise<Record<string, string>> {
  const { name, bundledProgram } = member.manifest;
  if (bundledProgram === undefined) return {};
  const loaded = await bundle({
    program: join(root, member.folder, bundledProgram),
    packages: join(root, 'packages'),
    folder: join(stage, 'bundle'),
    externals: 'named',
  });
  const inside = membersFor(members, name);
  const versions = Object.fromEntries(inside.map(({ manifest }) => [manifest.name, manifest.version]));
  writeFileSync(join(stage, 'bundle/versions.json'), `${JSON.stringify(versions, null, 2)}\n`);
  const ranges: Record<string, string> = Object.assign(
    {},
    ...inside.map(({ manifest }) => manifest.dependencies),
  );
  const needed = new Set([...loaded.map(packageOf), ...Object.keys(versions)].filter((one) => one !== name));
  return Object.fromEntries([...needed].map((one) => [one, rangeOf(one, ranges)]));
}

function rangeOf(name: string, ranges: Readonly<Record<string, string>>): string {
  const range = ranges[name];
  if (range === undefined) throw new Error(`the bundle loads "${name}", which no package depends on`);
  return range;
}

/** `@grpc/grpc-js`, `protobufjs` of `protobufjs/minimal.js`. */
const packageOf = (path: string) => path.split('/', path.startsWith('@') ? 2 : 1).join('/');
