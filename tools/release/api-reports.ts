import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { API } from 'typescript/unstable/sync';
import { apiReport, type Entry, type PackageTypes, publicTypes, type ReportScope } from './api-report.ts';
import { emitDeclarations } from './compile.ts';
import { type Member, releasedMembers, type Target } from './workspace.ts';

/** The public types of one package. */
export interface PackageApi {
  /** From the root: `packages/bytes/api.txt`. */
  file: string;
  text: string;
}

const header =
  '# Public types, made by "npm run api". A change here is a change for those who use the package.\n\n';

/** The public types of all released packages of the workspace at `root`, as they are now. */
export function packageApis(root: string): PackageApi[] {
  return withTypes(root, { comments: false }, ({ folder }, entries, scope) => ({
    file: join(folder, 'api.txt'),
    text: header + apiReport(entries, scope),
  }));
}

/** The public types of all released packages with what their doc comments say, by the package's folder. */
export function documentedTypes(root: string): Map<string, PackageTypes> {
  const documented = withTypes(root, { comments: true }, ({ folder }, entries, scope) => {
    return [folder, publicTypes(entries, scope)] as const;
  });
  return new Map(documented);
}

type Look<T> = (member: Member, entries: Entry[], scope: ReportScope) => T;

/** Has the compiler write all packages' declarations, and looks at each package's. */
function withTypes<T>(root: string, { comments }: { comments: boolean }, look: Look<T>): T[] {
  // Below the root, so that the declarations find the packages that they import.
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'api-'));
  const api = new API({ cwd: folder });
  try {
    emitDeclarations(root, folder, { comments });
    const members = releasedMembers(root);
    const files = members.flatMap((member) => entriesOf(member, folder).map(({ file }) => file));
    const compilerOptions = { module: 'nodenext', target: 'es2024', types: ['node'], noEmit: true };
    const config = join(folder, 'tsconfig.json');
    writeFileSync(config, JSON.stringify({ compilerOptions, files }));
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    if (!project) throw new Error(`no TypeScript project at ${config}`);
    return members.map((member) => {
      const scope = { project, folder: join(folder, basename(member.folder), 'src/') };
      return look(member, entriesOf(member, folder), scope);
    });
  } finally {
    api.close();
    rmSync(folder, { recursive: true });
  }
}

function entriesOf({ folder, manifest }: Member, declarations: string): Entry[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([key, target]) =>
    sourcesOf(target, `${manifest.name}${key.slice(1)}`).map(({ name, file }) => ({
      name,
      file: join(declarations, basename(folder), file.replace(/\.ts$/, '.d.ts')),
    })),
  );
}

/** The TypeScript files that an entry leads to: the usual one, then one for each condition. */
function sourcesOf(target: Target, name: string): Entry[] {
  if (typeof target === 'string') return /^\.\/src\/.+\.ts$/.test(target) ? [{ name, file: target }] : [];
  const { default: usual = null, ...conditions } = target ?? {};
  const special = Object.entries(conditions).flatMap(([condition, inner]) =>
    sourcesOf(inner, `${name} (${condition})`),
  );
  return usual === null ? special : [...sourcesOf(usual, name), ...special];
}
